#!/bin/sh
# pyrograph watch --ship to Pyroscope and to OTLP collectors: sends each finished recording, to the same address as
# ship.  The test judges a recording from a script, as if an earlier watch had left it in the directory.
# live: recordings of this machine, which are not judged
. tests/tap.sh
. tests/collect/common.sh
need_sampling "watch --ship"
python3 tests/collapse/make_recording.py "$tmp/basics.data" <tests/collapse/golden/basics.txt
python3 tests/ship/receive.py "$tmp/port" "$tmp/got" &
receiver=$!
trap 'kill $receiver 2>/dev/null' EXIT
while [ ! -s "$tmp/port" ]; do sleep 0.05; done
port=$(cat "$tmp/port")

# left: makes a directory with a window that is still to be sent
left()
{
	rm -rf "$tmp/w" "$tmp"/got.*
	mkdir "$tmp/w"
	window=$tmp/w/watch-$(date -u +%Y-%m-%dT%H%M%SZ).data
	cp "$tmp/basics.data" "$window"
	: >"$window.unshipped"
}
sent()      { [ ! -e "$window.unshipped" ]; }
requests()  { grep -c . "$tmp/got.requests" 2>/dev/null; }
# watcher ADDRESS: the window that watch itself begins is not finished during the test
watcher()   { $pyrograph watch cpu --dir "$tmp/w" --window 10m --budget 0 --service shop --ship "$@" 2>"$tmp/watch.err" & watcher=$!; }
# When watch ends, it completes and sends its own window, which the tests do not check.
end_watcher() { kill -TERM $watcher; finished $watcher; watch_status=$?; }

left
watcher "pyroscope+http://127.0.0.1:$port"
before 60 sent && ok "watch sends what was left to Pyroscope" || not_ok "watch sends what was left to Pyroscope" "$tmp/watch.err"
is "... by name and labels, with its times" "$(head -1 "$tmp/got.requests")" \
	"/ingest?name=shop%7Bhost%3Ddb1%2Cevent%3Dcpu-clock%7D&from=1795342502&until=1795342503&format=pprof application/octet-stream"
is "... once" "$(requests)" 1
$pyrograph collapse -q --event cpu-clock --timed --out pprof -o "$tmp/pprof" "$tmp/basics.data"
cmp -s "$tmp/pprof" "$(find "$tmp" -name 'got.[0-9]*' | sort -V | head -1)" && ok "... as collapse --out pprof has it" || not_ok "... as collapse --out pprof has it"
end_watcher
is "... and ends well" $watch_status 0
is "... has no spool" "$([ -e "$tmp/w/spool" ]; echo $?)" 1
count=$(($(requests) + $(find "$tmp/w" -name '*.unshipped' | wc -l)))
is "its own window is sent at its end, or waits" "$count" 2

left
watcher "otlp+http://127.0.0.1:$port" --ship-event cpu-clock
before 60 sent && ok "watch sends what was left to an OTLP collector" || not_ok "watch sends what was left to an OTLP collector" "$tmp/watch.err"
is "... to its path" "$(head -1 "$tmp/got.requests")" "/v1development/profiles application/x-protobuf"
$pyrograph collapse -q --event cpu-clock --timed --out otlp -o "$tmp/otlp" "$tmp/basics.data"
cmp -s "$tmp/otlp" "$(find "$tmp" -name 'got.[0-9]*' | sort -V | head -1)" && ok "... as collapse --out otlp has it" || not_ok "... as collapse --out otlp has it"
end_watcher

# Secrets in an address are sent to the server only, and appear nowhere else.
left
watcher "otlp+http://me:hj7dq2@127.0.0.1:$port/v1?token=hj7dq2"
before 60 sent && ok "an address with a password is used" || not_ok "an address with a password is used" "$tmp/watch.err"
is "... as it is" "$(head -1 "$tmp/got.requests")" "/v1?token=hj7dq2 application/x-protobuf"
tr '\0' ' ' <"/proc/$watcher/cmdline" >"$tmp/command"
has "... and not shown in lists of processes" "$tmp/command" "otlp+http://xxxxxxxxx@127.0.0.1:$port/v1?xxxxxxxxxxxx"
end_watcher
is "... nor in recordings, names of files and messages" "$(grep -r -c hj7dq2 "$tmp/w" "$tmp/watch.err" | grep -vc ':0$'):$(find "$tmp/w" -name '*hj7dq2*' | wc -l)" 0:0
left
echo "otlp+http://me:hj7dq2@127.0.0.1:$port/v2?token=hj7dq2" >"$tmp/address"
watcher "@$tmp/address"
before 60 sent && ok "an address in a file is used" || not_ok "an address in a file is used" "$tmp/watch.err"
end_watcher
is "... as it is" "$(head -1 "$tmp/got.requests")" "/v2?token=hj7dq2 application/x-protobuf"

# If a collector is away, the window waits, and the next watch sends it.
left
kill $receiver
wait $receiver 2>/dev/null
watcher "otlp+http://127.0.0.1:$port"
before 60 grep -q "127.0.0.1:$port" "$tmp/watch.err" && ok "a collector that is away is told" || not_ok "a collector that is away is told" "$tmp/watch.err"
end_watcher
is "... and the window waits" "$([ -e "$window.unshipped" ]; echo $?)" 0

for wrong in "otlp+http://127.0.0.1:$port --spool-max 1G" "pyroscope+ftp://127.0.0.1"; do
	# shellcheck disable=SC2086
	status "watch --ship $wrong" 2 $pyrograph watch cpu --dir "$tmp/none" --ship $wrong
	is "... before anything is recorded" "$([ -e "$tmp/none" ]; echo $?)" 1
done
