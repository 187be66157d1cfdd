# collect offcpu of JVMs: blocked time is under the Java method that blocks, and stacks reach the thread's start.
# live: times of waiting
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java
if ! $pyrograph collect offcpu -p $$ -d 0.1 -o "$tmp/rec.data" 2>/dev/null; then
	skip "collect offcpu of JVMs" "no right, or no BPF"
	exit 0
fi

# share THREAD REGEXP: per mille of the thread's blocked time whose stack matches, from "run" on.
share()
{
	awk -v thread="$1" -v regexp="$2" '{ ns = $NF; sub(/ [0-9]*$/, "") }
		index($0, thread ";") == 1 { all += ns; if ($0 ~ "Blocked[$]1[.]run(_[[].[]])?;.*" regexp) found += ns }
		END { printf "%d\n", all ? 1000 * found / all : -1 }' "$tmp/folded"
}

# rounds COUNT FILE COLLECT...: records $jvm into FILE until its thread "parks", which blocks for a millisecond each
# time, has done so COUNT times.  Returns the recorder's exit status.  The JVM is then stopped until the next recording,
# because its threads wake each other all the time, which would slow down the checks.
rounds()
{
	that_often=$1 recorded=$2
	shift 2
	rm -f "$recorded"
	kill -CONT "$jvm"
	"$@" -p "$jvm" -o "$recorded" 9>&- &
	recorder=$!
	before 60 is_recording
	parks=$(grep -l '^parks$' "/proc/$jvm/task/"*/comm)
	that_often=$((that_often + $(blocks)))
	before 60 has_blocked
	kill -INT "$recorder" 2>/dev/null
	wait "$recorder"
	rounds_status=$?
	kill -STOP "$jvm"
	return $rounds_status
}
blocks()      { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "${parks%comm}status"; }
has_blocked() { gone "$recorder" || [ "$(blocks)" -ge "$that_often" ]; }

# whole WHAT: were all stacks copied and walked?  A collector that gets no CPU for half a second cannot read so many,
# and from then on the frames of all threads end in libc.  If it gets no CPU for longer, the walker is late, and only
# leaves remain.  Less than ten may be under way at the end.
whole()
{
	missed=$(sed -n '1s/.*losses="\([^"]*stacks \(by frame pointers\|not taken [0-9][0-9]\)[^"]*\)".*/\1/p' "$tmp/folded")
	[ -z "$missed" ] || inconclusive "$1" "the collector got no CPU: $missed"
	[ -z "$missed" ]
}

# recorded NAME COLLECT_OPTIONS: records $jvm without a budget; each thread is under its method.
recorded()
{
	what=$1
	shift
	status "$what" 0 rounds 400 "$tmp/rec.data" $pyrograph collect "$@" --budget none
	$pyrograph collapse --offcpu "$tmp/rec.data" >"$tmp/folded" 2>/dev/null
	whole "... its stacks" || return 0
	some "... sleeps" "$(share sleeps 'Blocked[.]sleeps.*Thread[.]sleep')" 980
	some "... parks" "$(share parks 'Blocked[.]parks.*LockSupport[.]parkNanos.*Unsafe[.]park')" 980
	some "... waits" "$(share waits 'Blocked[.]waits.*Object[.]wait')" 980
	some "... waits as long as it lives" "$(share forever 'Blocked[.]waitsForever.*Object[.]wait')" 980
	some "... a lock" "$(share locks 'Blocked[.]locks.*(ReentrantLock[.]lock|Thread[.]sleep)')" 980
	some "... synchronized" "$(share contends 'Blocked[.]contends.*(monitorenter|ObjectMonitor::enter|Thread[.]sleep)')" 980
	some "... a socket" "$(share reads 'Blocked[.]reads.*[.]read')" 980
	is "... every thread was seen" "$(grep -cE '^(sleeps|parks|waits|forever|reads|answers);' "$tmp/folded" |
		awk '{ print ($1 >= 6) }')" 1
	is "... perf reads it" "$(perf script --symfs "$tmp" -i "$tmp/rec.data" 2>&1 >/dev/null | grep -v 'lost\|Check IO' | grep -ci 'warning\|error')" 0
}

java_start Blocked
live recorded "compiled" offcpu -q
live recorded "user stacks at the return, as before Linux 6.16" offcpu -q --user-stacks-at-return
live recorded "each block for itself" offcpu -q --events
live recorded "with wakers" offcpu -q --wakers
live recorded "--call-graph dwarf" cpu,offcpu -q --call-graph dwarf

# ---- with and without: the same time ----
# blocked THREAD: its blocked time in per mille of that of "forever", which was blocked all the time.
blocked()
{
	awk -v thread="$1" '{ ns = $NF } index($0, "forever;") == 1 { all += ns }
		index($0, thread ";") == 1 { own += ns } END { printf "%d\n", all ? 1000 * own / all : -1 }' "$tmp/folded"
}

all_of_them()
{
	status "cpu,sched,offcpu" 0 rounds 400 "$tmp/rec.data" $pyrograph collect cpu,sched,offcpu -q
	$pyrograph collapse --offcpu "$tmp/rec.data" >"$tmp/folded"
	whole "... its stacks" || return 0
	some "... under its method" "$(share parks 'Blocked[.]parks')" 980
	is "... nobody is blocked longer than there is time" "$(for t in parks waits sleeps reads; do
		blocked $t; done | awk '$1 > 1050 || $1 < 1')" "" # it is seen some ms after the others are
}
live all_of_them

# walked: the number of spans whose stack was walked
kill -CONT "$jvm"
walked() { python3 tests/collect/spans.py "$tmp/rec.data" | awk '$1 == "offcpu" && $10 >= 4' | wc -l; }
for how in "offcpu --jvm perfmap" "cpu,offcpu -g" "cpu,offcpu --call-graph no"; do
	status "$how" 0 $pyrograph collect $how -p "$jvm" -d 0.2 -o "$tmp/rec.data"
	is "... nothing is walked" "$(walked)" 0
done

# ---- threads that are still blocked ---- Both the printed lines and the recording have the Java method.
java_stack='StubRoutines::call_stub;Blocked$1[.]run;Blocked[.]again;Blocked$5[.]once;Blocked[.]waitsForever;.*Object[.]wait;'
timeout()
{
	: >"$tmp/timeout.err"
	$pyrograph collect offcpu --timeout 100ms -p "$jvm" -o "$tmp/rec.data" 2>"$tmp/timeout.err" 9>&- &
	recorder=$!
	before 60 grep -q " forever .* still blocked after .* clone3;start_thread;.*$java_stack" "$tmp/timeout.err"
	is "--timeout tells who is blocked, and in which method" "$?" 0
	kill -INT "$recorder" 2>/dev/null
	finished "$recorder"
	some "... and records it" "$($pyrograph collapse -q --event timeout "$tmp/rec.data" | grep -c "^forever;.*$java_stack")" 1
}
live timeout

# ---- their wakers ----
# waker THREAD REGEXP: per mille of THREAD's blocked time that another thread of the JVM ended, with a stack that
# matches.
waker()
{
	awk -v thread="$1" -v regexp="$2" '{ ns = $NF; sub(/ [0-9]*$/, "") }
		index($0, thread ";") == 1 && /;--;.*start_thread_.w.;/ {
			all += ns
			if (substr($0, index($0, ";--;") + 4) ~ "^[^-]*" regexp)
				found += ns
		}
		END { printf "%d\n", all ? 1000 * found / all : -1 }' "$tmp/folded"
}
# From the leaf on, which is the order in which a waker's stack is shown.
unlocks='pthread_cond_signal_.w.;.*Unsafe[.]unpark_.w.;.*ReentrantLock[.]unlock_.w.;.*Blocked[.]locks_.w.;.*Thread::call_run_.w.;'
writes='SocketDispatcher[.]write|SocketOutputStream[.]'
woken()
{
	what="wakers, $*"
	status "$what" 0 rounds 400 "$tmp/rec.data" $pyrograph collect offcpu -q "$@"
	$pyrograph collapse --offcpu "$tmp/rec.data" >"$tmp/folded" 2>/dev/null
	whole "... its stacks" || return 0
	some "... of a lock: by the Java method that unlocks" "$(waker locks "$unlocks")" 950
	some "... of a socket: that writes" "$(waker reads "($writes).*Blocked[.]answers_.w.;")" 950
	is "... perf reads it" "$(perf script --symfs "$tmp" -i "$tmp/rec.data" 2>&1 >/dev/null | grep -v 'lost\|Check IO' | grep -ci 'warning\|error')" 0
}
live woken --wakers
live woken --wakers=3
live woken --wakers --events
live woken --wakers --user-stacks-at-return

# ---- which thread they wait for when they are woken ----
woken_waits()
{
	what="wakeup, $*"
	status "$what" 0 rounds 400 "$tmp/rec.data" $pyrograph collect wakeup -q "$@"
	$pyrograph collapse --wakeup --root thread "$tmp/rec.data" 2>/dev/null | sed 's,^java-[0-9]*/,,; s,^\([^;]*\)-[0-9]*;,\1;,' \
		>"$tmp/folded"
	some "... of a lock: by the Java method that unlocks" "$(waker locks "$unlocks")" 950
	some "... of a socket: that writes" "$(waker reads "($writes).*Blocked[.]answers_.w.;")" 950
}
live woken_waits
live woken_waits --min 1ns
java_stop

java_start -Xint Blocked
live recorded "interpreted" offcpu -q
java_stop
