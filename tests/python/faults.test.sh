#!/bin/sh
# Planted faults of services in Python: the explanation names the guilty function.
# live: explanations
# alone: it says who had the CPUs
. tests/tap.sh
. tests/collect/common.sh
. tests/faults.sh
. tests/python/python.sh

# explained FAULT WANTED: a part of the headline, as an extended regular expression
explained()
{
	rm -f "$tmp/rec.data"
	"$pyrograph" collect cpu,sched,offcpu --wakers --events=1ms -q -p "$pid" -d 2 -o "$tmp/rec.data" 2>"$tmp/err" &&
		"$pyrograph" collapse -q --explain=headline --if-any "$tmp/rec.data" >"$tmp/headline" 2>>"$tmp/err"
	if grep -qE "$2" "$tmp/headline"; then
		ok "$v: $1"
	elif grep -q 'for a CPU.* which had it' "$tmp/headline"; then
		inconclusive "$v: $1" "$(sed -n 2p "$tmp/headline")"
	else
		not_ok "$v: $1" "$tmp/headline" "$tmp/err"
	fi
}

fault()
{
	mkfifo "$tmp/ready"
	# shellcheck disable=SC2086 # words
	$urgent "$python" tests/python/faults.py "$1" >"$tmp/ready" 2>"$tmp/err" &
	pid=$!
	read -r _ <"$tmp/ready"
	live explained "$1" "$2"
	kill $pid
	wait $pid 2>"$tmp/killed"
	rm "$tmp/ready"
}

each()
{
	fault gil 'interpreter.s lock \(GIL\).*: caused by [^:]*: __main__\.resize'
	fault loop '__main__\.encode_catalogue'
	fault convoy 'waited (for a lock|in a queue).*: caused by [^:]*: __main__\.sync_stock .*slept'
	fault fault '__main__\.fill_matrix'
}
with_each_python "planted faults in Python" each
