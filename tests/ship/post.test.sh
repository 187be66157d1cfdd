#!/bin/sh
# pyrograph ship to Pyroscope and to OTLP collectors: other programs decode what a server on loopback receives.
. tests/tap.sh
python3 tests/collapse/make_recording.py "$tmp/basics.data" <tests/collapse/golden/basics.txt
python3 tests/ship/receive.py "$tmp/port" "$tmp/got" &
receiver=$!
trap 'kill $receiver' EXIT
while [ ! -s "$tmp/port" ]; do sleep 0.05; done
port=$(cat "$tmp/port")

status "to Pyroscope" 0 $pyrograph ship "$tmp/basics.data" --to "pyroscope+http://127.0.0.1:$port" --service 'shop{"x'
has "... says so" "$tmp/err" "1 profile sent"
head -1 "$tmp/got.requests" >"$tmp/request"
has "... to /ingest, by name and labels" "$tmp/request" \
	"/ingest?name=shop__x%7Bhost%3Ddb1%2Cevent%3Dcpu-clock%7D&from=1795342502&until=1795342503&format=pprof"
$pyrograph collapse -q "$tmp/basics.data" | grep -v '^#' | awk '{ n += $NF } END { print n }' >"$tmp/total"
if command -v go >/dev/null; then
	go tool pprof -raw "$tmp/got.0" >"$tmp/raw" 2>"$tmp/raw.err"
	is "... go reads it, with all samples" "$(sed -n '/^Samples:/,/^Locations/p' "$tmp/raw" |
		sed -n 's/^ *\([0-9]*\) *[0-9]*: .*/\1/p' | awk '{ n += $1 } END { print n }')" "$(cat "$tmp/total")"
else
	skip "... go reads it" "go is not installed"
fi

status "to OTLP" 0 $pyrograph ship "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/"
sed -n 2p "$tmp/got.requests" >"$tmp/request"
is "... to its path, as a protocol buffer" "$(cat "$tmp/request")" "/v1development/profiles application/x-protobuf"
$pyrograph collapse -q --event cpu-clock --timed --out otlp -o "$tmp/otlp" "$tmp/basics.data"
cmp -s "$tmp/otlp" "$tmp/got.1" && ok "... collapse's bytes" || not_ok "... collapse's bytes"
if command -v protoc >/dev/null; then
	protoc --decode_raw <"$tmp/got.1" >"$tmp/decoded" 2>"$tmp/err"
	has "... which protoc decodes" "$tmp/decoded" '1: "host.name"'
else
	skip "... which protoc decodes" "protoc is not installed"
fi
status "an address with a path" 0 $pyrograph ship "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/otlp/profiles"
is "... keeps it" "$(sed -n '3s/ .*//p' "$tmp/got.requests")" /otlp/profiles

status "no samples of an event" 1 $pyrograph ship --event io "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port"
has "... is told" "$tmp/err" "has no samples of such an event"
status "... but a minute of watch may be without" 0 $pyrograph ship --by-watch --event io "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port"
is "... without a word" "$(cat "$tmp/err")" ""
status "a server that refuses" 1 $pyrograph ship "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/refuse"
has "... is told in its words" "$tmp/err" "says 422: no such thing"
status "... no minute of watch is sent there again" 1 $pyrograph ship --by-watch "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/refuse"
status "... but to one that has too much to do" 3 $pyrograph ship --by-watch "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/busy"
status "... or is away" 3 $pyrograph ship --by-watch "$tmp/basics.data" --to otlp+http://127.0.0.1:1
status "... not if it fails at it: the next minute would wait for ever" 1 $pyrograph ship --by-watch "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/fail"
# An OpenTelemetry collector's own form of refusing data.
status "a collector that does not take it, though it says 200" 1 $pyrograph ship "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/partial"
has "... is told in its words" "$tmp/err" "/partial rejected it: no room left"
has_not "... and not counted as sent" "$tmp/err" "profile sent"
status "... no minute of watch is sent there again" 1 $pyrograph ship --by-watch "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/partial"
status "one that warns" 0 $pyrograph ship "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/warn"
has "... is told" "$tmp/err" "/warn says: old form"
status "one that refuses" 1 $pyrograph ship "$tmp/basics.data" --to "otlp+http://127.0.0.1:$port/status"
has "... is told, without what controls a terminal" "$tmp/err" '/status says 400: not now?!'

# For several events, a file beside a minute of watch notes which ones have been sent.
python3 tests/collapse/make_recording.py "$tmp/mixed.data" <tests/collapse/golden/mixed.txt
requests() { grep -c "^$1 " "$tmp/got.requests"; }
: >"$tmp/mixed.data.unshipped"
status "a server that goes away in the midst of a minute" 3 $pyrograph ship --by-watch "$tmp/mixed.data" --to "otlp+http://127.0.0.1:$port/tire"
is "... has the first event" "$(requests /tire):$(grep -c '^[^+-]' "$tmp/mixed.data.unshipped")" 1:1
status "... the next try" 0 $pyrograph ship --by-watch "$tmp/mixed.data" --to "otlp+http://127.0.0.1:$port/rest"
is "... sends the rest" "$(requests /rest)" 2
is "... and all is noted" "$(grep '^[^+-]' "$tmp/mixed.data.unshipped" | paste -sd' ')" "$($pyrograph collapse -q --root event --no-stack "$tmp/mixed.data" |
	sed -n 's/^# .* event=\([^ ]*\).*/\1/p' | tr ',' ' ')"
status "... once more" 0 $pyrograph ship --by-watch "$tmp/mixed.data" --to "otlp+http://127.0.0.1:$port/again"
is "... nothing is left" "$(requests /again)" 0
rm "$tmp/mixed.data.unshipped"
status "without a note, nothing is noted" 0 $pyrograph ship --by-watch "$tmp/mixed.data" --to "otlp+http://127.0.0.1:$port/all"
is "... and all is sent" "$(requests /all):$([ -e "$tmp/mixed.data.unshipped" ]; echo $?)" 3:1
status "a server that refuses one event" 1 $pyrograph ship "$tmp/mixed.data" --to "otlp+http://127.0.0.1:$port/refuse"
is "... is asked for the others, too" "$(grep -c 'says 422' "$tmp/err")" 3
status "a server that is away" 1 $pyrograph ship "$tmp/basics.data" --to otlp+http://127.0.0.1:1
has "... is told" "$tmp/err" "event cpu-clock: http://127.0.0.1:1"
status "... with a password in its address" 1 $pyrograph ship "$tmp/basics.data" --to "otlp+http://me:hidden@127.0.0.1:1/v1?key=hidden"
has "... which is not told" "$tmp/err" "event cpu-clock: http://127.0.0.1:1/v1:"
printf 'hidden.token\n' >"$tmp/token"
rm -f "$tmp/got.authorization"
to="otlp+http://127.0.0.1:$port"
status "a token in a file" 0 $pyrograph ship "$tmp/basics.data" --to "$to/file" --token-file "$tmp/token"
status "... in the environment" 0 env PYROGRAPH_SHIP_TOKEN=other $pyrograph ship "$tmp/basics.data" --to "$to/environment"
status "... which a user takes the place of" 0 env PYROGRAPH_SHIP_TOKEN=other PYROGRAPH_SHIP_PASSWORD=word \
	$pyrograph ship "$tmp/basics.data" --to "$to/user" --user me
is "... is what the server gets" "$(cat "$tmp/got.authorization")" "/file Bearer hidden.token
/environment Bearer other
/user Basic $(printf me:word | base64)"
status "... with a user" 2 $pyrograph ship "$tmp/basics.data" --to "$to" --user me --token-file "$tmp/token"
status "... with blanks" 1 env PYROGRAPH_SHIP_TOKEN='a b' $pyrograph ship "$tmp/basics.data" --to "$to"
: >"$tmp/empty"
status "... that is not there" 1 $pyrograph ship "$tmp/basics.data" --to "$to" --token-file "$tmp/empty"
has "... said" "$tmp/err" "$tmp/empty: has no token in its first line"
status "no address" 2 $pyrograph ship "$tmp/basics.data"
for address in otlp+ftp://a pyroscope+//a otlp:// store; do
	status "an address that is none: $address" 2 $pyrograph ship "$tmp/basics.data" --to $address
	has "... what would be one" "$tmp/err" "$address: is not the address of a store; try http://host:8123/database, pyroscope+http://"
done
status "a spool for others" 2 $pyrograph ship "$tmp/basics.data" --spool "$tmp/spool" --to "otlp+http://127.0.0.1:$port"
status "... and its bound" 2 $pyrograph ship "$tmp/basics.data" --spool-max 1G --to "otlp+http://127.0.0.1:$port"
has "... is told" "$tmp/err" "--spool-max belongs to a database of ClickHouse"
