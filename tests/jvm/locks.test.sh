#!/bin/sh
# collect locks of a JVM: which threads wait for a monitor and for a ReentrantLock, and which ones have them, with Java
# stacks.
# slow: a JVM
# live: waits for locks of a JVM
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
. tests/jvm/java.sh
need_java
if ! "$pyrograph" collect usable locks 2>/dev/null | grep -q locks; then
	skip "locks of a JVM" "no BPF here"
	exit 0
fi

# has_waited: "wants lock" has been blocked that often since then
has_waited() { [ "$(sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "$waiter/status")" -ge "$enough" ]; }

# percent LOCK PATTERN: the matching percentage of the thread's waiting time for this lock.  HotSpot waits for a monitor
# in several steps, the first ones with a time limit; a thread that gets the monitor by spinning after such a step was
# not woken by another thread.
percent()
{
	awk -v begin="^$1;" -v pattern="$2" '$0 ~ begin { all += $NF; if ($0 ~ pattern) n += $NF }
		END { printf "%d", all ? 100 * n / all : 0 }' "$tmp/folded"
}

locked()
{
	java_start Locked
	waiter=$(dirname "$(grep -l '^wants lock$' "/proc/$jvm/task/"*/comm)")
	rm -f "$tmp/locks.data"
	"$pyrograph" collect locks -p "$jvm" --min 1ms -o "$tmp/locks.data" 9>&- 2>"$tmp/err" & recorder=$!
	before 60 begun "$tmp/locks.data"
	enough=$(($(sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "$waiter/status") + 80))
	before 60 has_waited
	kill -INT $recorder
	wait $recorder
	is "a JVM whose threads want locks" $? 0
	java_stop
	"$pyrograph" collapse -q --locks --root lock,thread,owner "$tmp/locks.data" >"$tmp/folded"
	some "... a monitor: somebody has it, in percent" "$(percent 'java-monitor;[^;]*.wants monitor' ';--;')" 60
	some "... who has it" "$(percent 'java-monitor;[^;]*.wants monitor;[^;]*/[^;]*' 'wants monitor;[^;]*/holds monitor;')" 95
	some "... the stack of the one who waits" "$(percent 'java-monitor;[^;]*.wants monitor' ';Locked.enterMonitor')" 95
	some "... that of the one who lets go" "$(percent 'java-monitor;[^;]*.wants monitor;[^;]*/[^;]*' \
		';--;.*Locked.*lambda.*java.lang.Thread.run_.w.;.*;holds monitor_')" 95
	some "a ReentrantLock: who has it" "$(percent 'java-park;[^;]*.wants lock' 'wants lock;[^;]*/holds lock;')" 95
	some "... the stack of the one who waits" "$(percent 'java-park;[^;]*.wants lock' \
		';Locked.takeLock.*ReentrantLock.lock.*LockSupport.park.*;--;')" 95
	some "... that of the one who lets go" "$(percent 'java-park;[^;]*.wants lock' \
		';--;.*ReentrantLock.unlock.*Locked.holdLock_.*java.lang.Thread.run_.w.;.*;holds lock_')" 95
}
each_java locked
