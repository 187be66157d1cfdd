#!/bin/sh
# Python functions in what is recorded all the time: windows of watch, what the flight recorder kept of a process that has
# ended, and in the windows of --between.
# live: a program that answers requests
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
watch="$pyrograph watch"

serve()
{
	rm -f "$tmp/go" "$tmp/ready"
	mkfifo "$tmp/ready"
	"$python" tests/python/requests.py "$tmp/go" >"$tmp/ready" 2>"$tmp/err" &
	pid=$!
	read -r _ <"$tmp/ready"
}
end_server()
{
	: >"$tmp/go"
	finished $pid
}

# names WHAT FILE FUNCTION OPTION ...: does the recording have this function?
names()
{
	what=$1 rec=$2 function=$3
	shift 3
	"$pyrograph" collapse -q --all "$@" "$rec" >"$tmp/folded" 2>"$tmp/err"
	if grep -q "[a-z]*\.py:<module>_\[p\];.*__main__\.$function""_\[p\]" "$tmp/folded"; then
		ok "$v: $what has $function()"
	else
		not_ok "$v: $what has $function()" "$tmp/folded" "$tmp/err" "$tmp/collect"
	fi
}

between()
{
	"$pyrograph" collect cpu,offcpu --between libc.so.6:getppid,libc.so.6:getpgrp -p $pid -F 499 -d 1 -o "$tmp/rec.data" >"$tmp/out" 2>"$tmp/collect"
	names "a window" "$tmp/rec.data" compute --event "$sampled"
	names "a window" "$tmp/rec.data" ask_database --event offcpu --waits all
	is "$v: a window has nothing from outside" "$(grep -c between_requests "$tmp/folded")" 0
}

keeps()
{
	rm -rf "$tmp/kept"
	mkdir "$tmp/kept"
	"$pyrograph" collect cpu,offcpu -F 199 -p $pid --keep 5s --when 'offcpu>200ms' -o "$tmp/kept/k.data" >"$tmp/out" 2>"$tmp/collect" &
	recorder=$!
	before 60 grep -q 'keeping the last' "$tmp/collect"
	before 10 ran /proc/$pid $(($(ticks /proc/$pid) + 10))
	end_server
	before 60 kept || not_ok "$v: something was kept" "$tmp/collect"
	kill -TERM $recorder
	finished $recorder
	kept=$(ls "$tmp"/kept/k-*.data | head -1)
	names "the flight recorder" "$kept" compute --event "$sampled"
	names "the flight recorder" "$kept" ask_database --event offcpu --waits all
}
kept() { ls "$tmp"/kept/k-*.data >/dev/null 2>&1; }

watches()
{
	rm -rf "$tmp/w"
	$watch --dir "$tmp/w" --call-graph auto --window 1s --budget 0 cpu,offcpu >"$tmp/out" 2>"$tmp/collect" &
	watcher=$!
	before 60 is_watching
	serve
	before 60 window_is 2
	end_server
	before 60 window_is $(($(windows) + 1))
	kill -TERM $watcher
	finished $watcher
	at=0
	for window in "$tmp"/w/*.data; do
		"$pyrograph" collapse -q --root pid --all --event "$sampled" "$window" 2>"$tmp/err" | grep -q "$pid.*;__main__\.compute_\[p\]" && at=$((at + 1))
		rec=$window
	done
	[ "$at" -ge 2 ] && ok "$v: windows of watch have compute() ($at of $(windows))" ||
		not_ok "$v: windows of watch have compute()" "$at of $(windows)" "$tmp/err" "$tmp/collect"
}
is_watching() { for part in "$tmp"/w/*.part; do begun "$part" || return 1; done; }
windows() { ls "$tmp/w" | grep -c '\.data$'; }
window_is() { [ "$(windows)" -ge "$1" ]; }

$collect -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"
sampled=$("$pyrograph" collapse -q "$tmp/try.data" | sed -n '1s/.* event=\([a-z-]*\).*/\1/p')
each()
{
	serve
	live between
	end_server
	serve
	keeps
	live watches
}
with_each_python "Python functions in what is recorded all the time" each
