#!/bin/sh
# pyrograph ship through a relay that hangs up before, during, and after a request, and during the answer: each sample
# is stored once, or the exit status says otherwise, and shipping again stores it only once.  The shipper does not wait
# forever for answers that do not end.
# slow: a database server
. tests/tap.sh
. tests/ship/server.sh
database=perf
samples=5000
python3 tests/ship/make_samples.py 1 $samples >"$tmp/text"
python3 tests/collapse/make_recording.py "$tmp/mixed.data" <tests/collapse/golden/mixed.txt
$pyrograph ship -q --create --samples /dev/null --to "$store" 2>/dev/null # has no samples, and says so
python3 tests/ship/receive.py "$tmp/receiver" "$tmp/got" &
receiver=$!
while [ ! -s "$tmp/receiver" ]; do sleep 0.05; done
stages="before midst sent answered part"
set --
for stage in $stages; do
	for table in samples batches stacks; do
		set -- "$@" "$table-$stage:$port:INTO%20$table%20:1:$stage"
	done
	for kind in pyroscope otlp; do # the second event is sent on a connection that was kept open
		set -- "$@" "$kind-$stage:$(cat "$tmp/receiver"):/:2:$stage" "$kind-watch-$stage:$(cat "$tmp/receiver"):/:2:$stage"
	done
done
python3 tests/ship/drop.py "$tmp/ports" "$@" "ask-answered:$port:/:3:answered" \
	"error:$port:/:2:endless" "headers:$port:/:1:headers" "write:$port:INTO%20samples:1:endless" \
	"post:1:/:1:endless" "row:$port:wait_end:1:row" "slow:$port:/:2:trickle" "rows:$port:wait_end:1:trickle" &
relay=$!
trap 'kill $receiver $relay 2>/dev/null; server_stop -KILL' EXIT
while [ ! -s "$tmp/ports" ]; do sleep 0.05; done
to() { echo "127.0.0.1:$(sed -n "s/^$1 //p" "$tmp/ports")"; }
rows() { sql "SELECT count() FROM samples WHERE host = '$1'"; }

# A case that takes minutes of a clock that runs fast, in the meantime.  (The sanitizers want to be the first library.)
fast=
if [ -z "${SAN:-}" ] && ${CC:-cc} -shared -fPIC -DTIMES=60 -o "$tmp/fast.so" tests/ship/fast.c 2>"$tmp/err"; then
	fast=$tmp/fast.so
	$pyrograph ship -q --samples "$tmp/text" --host slow --to "$store"
	LD_PRELOAD=$fast timeout 100 $pyrograph ship --samples "$tmp/text" --host slow --to "http://$(to slow)/perf" 2>"$tmp/slow" &
	slow=$!
	LD_PRELOAD=$fast timeout 100 $pyrograph collapse "clickhouse://$(to rows)/perf" 2>"$tmp/slow-rows" >"$tmp/out" &
	slow_rows=$!
fi

# ---- ClickHouse ----

# once NAME STATUS ROWS: the status of the first try (0, or 1 if in doubt: '?'), and the rows that are there then
once()
{
	$pyrograph ship --samples "$tmp/$text" --host "$1" --to "http://$(to "$1")/perf" 2>"$tmp/err"
	tried=$?
	there=$(rows "$1")
	case "$2$tried:$there" in
	"?0:$samples" | "?1:$samples" | "?1:0") ok "$1: no sample twice, and none lost without a word" ;;
	*) is "$1: the exit status, and what is there" "$tried:$there" "$2:$3" ;;
	esac
	status "... shipped again" 0 $pyrograph ship --samples "$tmp/$text" --host "$1" --to "$store"
	is "... each sample is there once" "$(rows "$1")" $samples
}

text=text
once samples-before 1 0
once samples-midst 1 0
once samples-sent '?'
once samples-answered 0 $samples
once samples-part 0 $samples
once batches-before 1 0
once batches-answered 1 0
once ask-answered 0 $samples # what only asks may be asked again
for stage in before answered; do
	text=text-$stage
	python3 tests/ship/make_samples.py 3$stage $samples 2>/dev/null >"$tmp/$text" ||
		sed "s/main/main_$stage/" "$tmp/text" >"$tmp/$text"
	once stacks-$stage 1 0
done
is "each batch is announced once" "$(sql "SELECT count() FROM (SELECT id FROM batches GROUP BY id)"):$(sql "SELECT uniqExact(host) FROM batches")" \
	"$(sql "SELECT uniqExact(host) FROM samples"):$(sql "SELECT uniqExact(host) FROM samples")"

# Data of an older pyrograph, or of a proxy that tries again.
sql "INSERT INTO samples SELECT * FROM samples WHERE host = 'samples-midst'"
status "a batch that is there twice" 1 $pyrograph ship --samples "$tmp/text" --host samples-midst --to "$store"
has "... is told, and how to have it once" "$tmp/err" "a batch of $samples samples is there 2 times; to have it once: ALTER TABLE samples DELETE WHERE day = "
sql "$(sed -n 's/.*once: \(ALTER.*\), and ship.*/\1/p' "$tmp/err")"
for try in $(seq 100); do
	[ "$(rows samples-midst)" = 0 ] && break
	sleep 0.1
done
status "... so it is, shipped again" 0 $pyrograph ship --samples "$tmp/text" --host samples-midst --to "$store"
is "... and there once" "$(rows samples-midst)" $samples

# ---- Pyroscope and OTLP ----

# got PATH: how many profiles arrived there
got() { grep -c "^/$1[/ ]" "$tmp/got.requests"; }
# A profile that the kernel accepted as a whole may have arrived, as far as a sender knows.
while read -r stage status came message; do
	for kind in pyroscope otlp; do
		: >"$tmp/mixed.data.unshipped"
		for watch in "" -watch; do
			to=$kind$watch-$stage
			status "$kind: hung up: $stage" "$status" $pyrograph ship ${watch:+--by-watch} "$tmp/mixed.data" \
				--to "$kind+http://$(to $to)/$to"
			[ -n "$watch" ] || has "... what is known is told" "$tmp/err" "$message"
			is "... no profile came twice" "$(got $to)" "$came"
		done
		status "... the next try of watch" 0 $pyrograph ship --by-watch "$tmp/mixed.data" --to "$kind+http://$(to $to)/$to"
		is "... sends none again" "$(got $to)" "$came"
	done
done <<END2
before 1 2 it may have kept the profile: not sent again
midst 1 2 it may have kept the profile: not sent again
answered 1 3 it may have kept the profile: not sent again
part 0 3 profiles sent
END2
printf '+cpu-clock\n' >"$tmp/mixed.data.unshipped"
status "a ship that was ended while it sent" 1 $pyrograph ship --by-watch "$tmp/mixed.data" --to "otlp+http://127.0.0.1:$(cat "$tmp/receiver")/ended"
has "... is told" "$tmp/err" "may have it: we were ended while it was sent: not sent again"
is "... and not sent again" "$(got ended)" 2

# ---- answers without an end ----

# least: so little address space that the answer could not be read; the sanitizers need more than that
# shellcheck disable=SC3045 # dash and bash have it
least() ( [ -n "${SAN:-}" ] || ulimit -v 500000; exec "$@" )
status "an error that does not end" 1 least timeout 100 $pyrograph collapse "clickhouse://$(to error)/perf"
has "... is told as far as it is" "$tmp/err" "is away: Failed:xxxx"
status "... nor headers" 1 timeout 100 $pyrograph collapse "clickhouse://$(to headers)/perf"
has "... which are told" "$tmp/err" "headers"
status "... nor the answer to what is written" 1 timeout 100 $pyrograph ship --samples "$tmp/text" --host write --to "http://$(to write)/perf"
status "... of others" 1 timeout 100 $pyrograph ship "$tmp/mixed.data" --to "otlp+http://$(to post)/x"
is "... whose words are told shortly" "$(awk 'length > 1500' "$tmp/err" | wc -l)" 0
status "... nor a row" 1 least timeout 100 $pyrograph collapse --root host --no-stack "clickhouse://$(to row)/perf"
has "... which is told" "$tmp/err" "a row of the store's answer does not end"
if [ -n "$fast" ]; then
	for what in slow slow_rows; do
		eval "wait \$$what"
		is "an answer of 4 kB a second for ever: $what" $? 1
	done
	has "... is told" "$tmp/slow" "is away: it takes and answers too slowly"
	has "... of rows, too" "$tmp/slow-rows" "is away: it takes and answers too slowly"
else
	skip "an answer of 4 kB a second for ever" "the clock cannot be changed here"
fi
