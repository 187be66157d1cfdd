#!/bin/sh
# Python functions in what other collectors record: waits, who ended them, page faults, system calls, memory, I/O.  Each stack
# must be the one that the program has by its own account.
# live: a program that waits, faults and calls in functions of its own
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# said FUNCTION: its stack, as the program says
said() { sed -n "s/^$1|//p" "$tmp/said"; }

# stacks_in WHAT FUNCTION OPTION ...: of what was recorded, are the stacks with this function as the program says?
stacks_in()
{
	what=$1 function=$2
	shift 2
	"$pyrograph" collapse --all "$@" "$rec" >"$tmp/folded" 2>"$tmp/err"
	grep ";__main__\.$function""_\[p\]" "$tmp/folded" | sed 's/;--;.*\( [0-9]*\)$/\1/' | python_frames >"$tmp/stacks"
	same=$(awk -v want="$(said "$function")" '{ n = $1; sub(/^[0-9]+ ?/, ""); all += n; if ($0 == want) same += n } END {
		printf "%d", all ? 100 * same / all : 0 }' "$tmp/stacks")
	[ "$same" -ge 99 ] && ok "$v: $what: $same % of the stacks of $function() are as the program says" ||
		not_ok "$v: $what: stacks of $function() are as the program says" "$same %" "$(said "$function")" "$tmp/stacks" "$tmp/err" "$tmp/collect"
}

# collected NAME: records the program
collected()
{
	rm -f "$rec"
	"$pyrograph" collect "$@" -p $pid -d 1 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
}

waits()
{
	collected offcpu
	stacks_in offcpu nap --waits all
	stacks_in offcpu take --waits all
	stacks_in "a wait that had begun before" stay --waits all
	collected syscalls
	stacks_in syscalls ask
	stacks_in "a call that had begun before" stay
	collected faults
	stacks_in faults touch
	collected locks
	stacks_in locks take
	collected wall -F 100
	stacks_in wall nap
	stacks_in wall take
	stacks_in wall stay
	collected alloc --native
	stacks_in alloc build
	collected io
	stacks_in io store
	collected wakeup
	"$pyrograph" collapse --all "$rec" >"$tmp/folded" 2>"$tmp/err"
	if grep -q ';__main__\.give_\[w\];.*[a-z]*\.py:<module>_\[w\]' "$tmp/folded"; then
		ok "$v: wakeup: who woke has its functions"
	else
		not_ok "$v: wakeup: who woke has its functions" "$tmp/folded" "$tmp/err" "$tmp/collect"
	fi
}

each()
{
	: >"$tmp/said"
	"$python" tests/python/waits.py "$tmp/file" >"$tmp/said" 2>"$tmp/err" &
	pid=$!
	while [ "$(wc -l <"$tmp/said")" -lt 8 ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
	live waits
	kill $pid
	wait $pid 2>"$tmp/killed"
}
with_each_python "Python functions in waits" each
