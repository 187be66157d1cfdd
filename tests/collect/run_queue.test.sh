# The CPU on whose run queue a thread waited, with two threads that never sleep and share one CPU.
# live: whose run queue
. tests/tap.sh
cpu=$(sed 's/[-,].*//' /sys/devices/system/cpu/online)

# waits_known WORD [OPTION ...]: the two threads wait for each other, and these waits are reported for their CPU.
waits_known()
{
	what=$1
	shift
	"$pyrograph" collect sched -q "$@" -o "$tmp/queue.data" -- taskset -c "$cpu" \
		timeout 1 sh -c 'while :; do :; done & while :; do :; done' 2>"$tmp/err"
	"$pyrograph" collapse -q --event sched --root thread,cpu --state woken,preempted,quantum-over --no-stack --columns time \
		"$tmp/queue.data" >"$tmp/queue.folded" 2>>"$tmp/err"
	awk -v on="cpu$cpu" '!/^#/ { all += $NF; if (index($0, ";" on)) here += $NF }
		END { exit !(all && here >= 0.9 * all) }' "$tmp/queue.folded" &&
		ok "$what: waiting is told with the CPU that was waited for" ||
		not_ok "$what: waiting is told with the CPU that was waited for" "$tmp/queue.folded" "$tmp/err"
}

live waits_known sums
live waits_known events --events
