# In a control group that allows less memory than BPF maps need, collect prints a message, and what it says is true.
# live: collectors with little memory
. tests/tap.sh
. tests/collect/common.sh
if ! "$pyrograph" collect usable sched 2>/dev/null | grep -q sched; then
	skip "little memory for maps" "no BPF here"
	exit 0
fi

# A control group of our own: where it is, and the file with its limit.
group=/sys/fs/cgroup/memory/pyrograph-test-$$ limit=memory.limit_in_bytes
if [ ! -d /sys/fs/cgroup/memory ]; then
	group=/sys/fs/cgroup/pyrograph-test-$$ limit=memory.max
fi
if ! mkdir "$group" 2>/dev/null; then
	skip "little memory for maps" "no control group can be made"
	exit 0
fi
trap 'rmdir "$group"' EXIT
if [ ! -w "$group/$limit" ] || ! echo 60000000 >"$group/$limit"; then
	skip "little memory for maps" "control groups have no limit of memory here"
	exit 0
fi

# confined COMMAND...: in that group
confined() { sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$@"; }

# maps COLLECTOR: the memory of its maps and rings according to the kernel, and the memory that we say they need, agree within
# 10 %.
maps()
{
	status "$1" 0 "$pyrograph" collect "$1" -a -d 0.1 -o "$tmp/$1.data"
	takes=$(sed -n 's/.* \([0-9.]*\) MiB of kernel memory.*/\1/p' "$tmp/err")
	echo 20000000 >"$group/$limit"
	allowed=$(awk '{ printf "%.1f", $1 / 1048576 }' "$group/$limit" | sed 's/0*$//')
	status "$1, with little memory" 1 confined "$pyrograph" collect "$1" -m 512k -a -d 0.1 -o "$tmp/none.data"
	has "... says what is allowed, and what helps" "$tmp/err" \
		"MiB of kernel memory, more than this control group has left of the $allowed MiB that it allows: raise its limit, or lower --max-threads"
	wants=$(sed -n 's/.* its maps need \([0-9.]*\) MiB.*/\1/p' "$tmp/err")
	is "... and what it wants: the kernel says $takes MiB, we $wants MiB" \
		"$(awk -v a="$takes" -v b="$wants" 'BEGIN { print (a && b > a * 0.9 && b < a * 1.1) ? "so" : "not so" }')" so
	is "... nothing is left" "$(ls "$tmp/none.data" 2>/dev/null)" ""
	echo 120000000 >"$group/$limit" # the program itself takes some, and so do copies of stacks, wakers' too
	status "... less does with --max-threads" 0 confined "$pyrograph" collect "$1" --max-threads 1000 -d 0.1 -o "$tmp/few.data" -- true
	[ "$1" = sched ] || # whose ring still has half of its size
		has "... and with small rings, which is said" "$tmp/err" \
		"MiB of memory that is free: bursts of events may be lost"
	few=$(sed -n 's/.* \([0-9.]*\) MiB of kernel memory.*/\1/p' "$tmp/err")
	is "... that take less: $few MiB, not $takes" \
		"$(awk -v a="$takes" -v b="$few" 'BEGIN { print (b > 0 && b < a / 2) ? "so" : "not so" }')" so
}

for collector in sched offcpu wakeup faults syscalls locks; do
	live maps $collector
done
