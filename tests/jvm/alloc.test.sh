# Allocations of JVMs: shares of classes, compared with programs that count their own; single allocations; limits.
# live: allocations
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_sampling "allocations of JVMs"
need_java
alloc="$pyrograph collect alloc"
if ! $pyrograph collect usable alloc 2>"$tmp/err" | grep -q alloc; then
	skip "allocations of JVMs" "$(cat "$tmp/err")"
	exit 0
fi

# fold: the bytes and objects of each stack, with the class as leaf.
fold() { $pyrograph collapse -q --columns bytes,objects "$tmp/rec.data" >"$tmp/folded"; }

# shares WHAT HUNDREDTHS JVM_OPTION... Allocates ARG...: checks the shares of classes after so much CPU time of the JVM;
# if that gives too few samples, the next try takes much longer.
shares()
{
	what=$1 cpu=$(($2 * try * try))
	shift 2
	java_start "$@"
	for_cpu_only $cpu "$tmp/rec.data" $alloc -q -p "$jvm" 2>"$tmp/err" || not_ok "$what" "$tmp/err"
	java_stop
	fold
	$pyrograph collapse -q --timed --columns bytes "$tmp/rec.data" >"$tmp/samples"
	python3 tests/jvm/alloc.py shares "$tmp/java.out" "$tmp/folded" "$tmp/samples" >"$tmp/judged"
	if grep -q '^ok' "$tmp/judged"; then
		ok "$what: shares of classes$(sed 's/^ok//' "$tmp/judged")"
	else
		not_ok "$what: shares of classes" "$tmp/judged"
	fi
}

# This case gives the fewest samples.  (All of these have a small heap, because touching new pages of a large one costs
# more than allocating, and TLABs are smaller, which gives more samples.)
small_ones()
{
	shares "small objects, one thread" 90 -Xmx64m Allocates 1 byte=64:0.5 Small=24:0.5
	perf script --symfs "$tmp" -i "$tmp/rec.data" >"$tmp/perf.out" 2>"$tmp/perf.err"
	grep -v '^Warning:$\|^Processed .* lost\|^Check IO\|^$' "$tmp/perf.err" >"$tmp/perf.other" # but for what was lost
	is "perf reads it without a warning" "$(cat "$tmp/perf.other")" ""
}

last_ones()
{
	shares "ZGC" 120 -XX:+UseZGC -Xmx256m Allocates 4 byte=64:0.3 int=8192:0.4 long=20000:0.3
	sed 's/_\[.\]//g' "$tmp/folded" >"$tmp/plain"
	has "the class follows the function that allocates" "$tmp/plain" "Allocates.make;byte[] "
	has_not "... what the JVM calls for it is left out" "$tmp/folded" "AllocTracer"
	has_not "... and its stubs" "$tmp/folded" "_new_array"
	$pyrograph collapse -q "$tmp/rec.data" >"$tmp/bytes"
	has "the unit is bytes" "$tmp/bytes" "unit=bytes"
}

each_java small_ones
each_java shares "small ones of many sizes, eight threads" 60 -Xmx256m Allocates 8 \
	byte=32:0.3 int=400:0.3 char=2000:0.2 Small=24:0.2
each_java shares "large ones among them, in small TLABs" 60 -Xmx64m Allocates 4 byte=64:0.3 Small=24:0.2 int=8192:0.3 long=20000:0.2
each_java shares "half in large ones" 60 -Xmx64m -XX:TLABSize=64k -XX:-ResizeTLAB Allocates 2 byte=64:0.5 int=8192:0.5
each_java shares "in short bursts" 60 -Xmx256m -Drow=5 Allocates 4 byte=2000:0.3 int=20000:0.3 long=4000:0.2 char=40000:0.2
each_java shares "in long ones" 60 -Xmx256m -Drow=30 Allocates 4 byte=2000:0.3 int=20000:0.3 long=4000:0.2 char=40000:0.2
each_java shares "without TLABs" 60 -Xmx256m -XX:-UseTLAB -XX:+UseG1GC Allocates 1 byte=30000:0.5 int=90000:0.5
each_java last_ones

# in_step JVM_OPTION...: a program whose rounds take as much as a TLAB, all of which have one size: shares are wrong, which is said
# before the recording, and after it.
in_step()
{
	java_start "$@" Allocates 1 byte=1024:0.3 int=8192:0.4 long=4096:0.3
	for_cpu_only 60 "$tmp/rec.data" $alloc -p "$jvm" 2>"$tmp/err" || not_ok "in step with TLABs: $*" "$tmp/err"
	java_stop
	fold
	$pyrograph collapse -q --timed --columns bytes "$tmp/rec.data" >"$tmp/samples"
	python3 tests/jvm/alloc.py shares "$tmp/java.out" "$tmp/folded" "$tmp/samples" >"$tmp/judged"
	if ! grep -q '^off by' "$tmp/judged"; then
		inconclusive "in step with TLABs: $*" "$(head -1 "$tmp/judged")"
		return
	fi
	has "in step with TLABs, $(head -1 "$tmp/judged"): $*" "$tmp/err" "TLABs of one size (ZGC, or -XX:-ResizeTLAB): shares of classes are off"
	if grep -qE 'in step with (them, and shares of classes are wrong|its TLABs: if one takes)' "$tmp/err"; then
		ok "... and so it is in the summary"
	else
		not_ok "... and so it is in the summary" "$tmp/err"
	fi
}
each_java in_step -XX:+UseZGC -Xmx256m -Dround=262144
each_java in_step -XX:TLABSize=64k -XX:-ResizeTLAB -Xmx64m -Dround=65536

# stripped: a JVM that does not show where it allocates, as Debian's 8.  The advice in the message works.
stripped()
{
	home=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
	cp -rs "$home" "$tmp/jre" && rm "$tmp/jre/bin/java" "$tmp/jre/lib/server/libjvm.so"
	cp "$home/bin/java" "$tmp/jre/bin/" && strip -o "$tmp/jre/lib/server/libjvm.so" "$home/lib/server/libjvm.so"
	java=$tmp/jre/bin/java
	java_start -XX:StartFlightRecording=settings=profile,filename="$tmp/rec.jfr" -Xmx64m Allocates 1 byte=64:1
	java=
	status "a stripped JVM is refused" 1 $alloc -p "$jvm" -d 0.1 -o "$tmp/rec.data"
	has "... with what is missing" "$tmp/err" "the allocations of process $jvm cannot be seen: its libjvm.so was stripped"
	has "... and what works" "$tmp/err" "collapse --event jdk.ObjectAllocationSample FILE"
	for_cpu_only 20 "$tmp/rec.data" $pyrograph collect cpu -q -F 499 -p "$jvm" 2>"$tmp/err" || not_ok "cpu reads it" "$tmp/err"
	$pyrograph collapse -q "$tmp/rec.data" >"$tmp/folded"
	has "collect cpu reads its methods" "$tmp/folded" "Allocates."
	java_stop
	$pyrograph collapse -q --event jdk.ObjectAllocationSample "$tmp/rec.jfr" >"$tmp/folded"
	has "a flight recording has the class" "$tmp/folded" "Allocates.make;byte[] "
}

live stripped

native_ones()
{
	java_start -Xmx64m -Dlibrary="$tmp/liballocates.so" Allocates 1 byte=64:1
	for_cpu_only 30 "$tmp/rec.data" $alloc -q -p "$jvm" 2>"$tmp/err" || not_ok "native code that allocates" "$tmp/err"
	java_stop
	fold
	has "native code that allocates stays" "$tmp/folded" \
		"Allocates.runNative;Allocates.makeNative;Java_Allocates_makeNative;byte[] "
}

jdk=$(dirname "$(dirname "$(readlink -f "$(command -v "${java:-java}")")")")
if ${CC:-cc} -O2 -shared -fPIC -I"$jdk/include" -I"$jdk/include/linux" -o "$tmp/liballocates.so" \
	tests/jvm/jni/allocates.c 2>/dev/null; then
	live native_ones
else
	skip "native code that allocates" "no jni.h"
fi

# ---- each single one ----

# record_all OPTION...: records while a program makes so many objects and then stops.
record_all()
{
	java_start -XX:+DTraceAllocProbes -Dcount=400 Allocates 2 byte=64:0.4 Small=24:0.2 int=8192:0.4
	rm -f "$tmp/rec.data"
	$alloc --every -p "$jvm" -o "$tmp/rec.data" "$@" 2>"$tmp/err" &
	collector=$!
	before 60 larger "$tmp/rec.data" 4000 || not_ok "--every begins" "$tmp/err"
	echo c >&9
	before 60 grep -q '^done' "$tmp/java.out" || not_ok "all are made" "$tmp/java.err"
	kill -INT "$collector"
	finished "$collector"
	java_stop
	fold
}

every_one()
{
	record_all
	is "--every: bytes and objects of each class are exact" \
		"$(python3 tests/jvm/alloc.py counts "$tmp/java.out" "$tmp/folded")" ""
}

some_classes()
{
	record_all -i '^(byte\[\]|int\[\]|Allocates\$Small)$' -e 'initPhase'
	is "-i: only those classes" "$(sed '/^#/d; s/.*;//; s/ .*//' "$tmp/folded" | sort -u | tr '\n' ' ')" \
		"Allocates\$Small byte[] int[] "
}

one_in_ten()
{
	record_all -i '^Allocates\.make$' -s 10
	made=$(awk 'NF == 3 { n += $3 } END { print n }' "$tmp/java.out")
	seen=$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/folded")
	is "-i: by frame; -s: one in ten, scaled back" "$((seen > made - 10 && seen <= made))" 1
}

none_of_those()
{
	record_all -e '^Allocates\.run$'
	has_not "-e: none of those" "$tmp/folded" "Allocates.run"
}

live every_one
live some_classes
live one_in_ten
live none_of_those

# ---- limits, for test suites ----

limits()
{
	$alloc -q -p "$jvm" -d 0.3 -o "$tmp/rec.data" --fail-above '^byte\[\]$=1k/s' --fail-above 'Small=1k' >"$tmp/out" 2>"$tmp/err"
	is "--fail-above: exit 3" $? 3
	has "... who it was" "$tmp/out" "byte[]"
	has_not "... and nobody else" "$tmp/out" "Small"
	$alloc -q -p "$jvm" -d 0.3 -o "$tmp/rec.data" --fail-above 'Allocates\.run=1000G/s' >"$tmp/out" 2>"$tmp/err"
	is "below it: exit 0" $? 0
	is "... nothing is printed" "$(cat "$tmp/out")" ""
	$alloc -q -p "$jvm" -d 0.3 -o "$tmp/rec.data" --fail-above '^byte=1k/s' >/dev/full 2>"$tmp/err"
	is "what cannot be printed is a failure" $? 1
}

nothing_to_judge()
{
	$alloc -p "$jvm" -d 0.3 --ring 16k -o "$tmp/rec.data" --fail-above 'byte=1000G/s' >"$tmp/out" 2>"$tmp/err"
	is "all was lost: no limit is kept" $? 1
	has "... it says so" "$tmp/err" "--fail-above 'byte=1000G/s' is undecided"
	has_not "... and speaks of no -F, which it does not have" "$tmp/err" "-F"
}

java_start -Xmx64m Allocates 1 byte=64:1
live limits
live nothing_to_judge
status "--every wants a flag at the start" 1 $alloc --every -p "$jvm" -d 0.1 -o "$tmp/rec.data"
has "... which it names" "$tmp/err" "-XX:+DTraceAllocProbes"
java_stop

# ---- threads that start while it looks, and JVMs that cannot be looked at ----

starting_threads()
{
	java_start Starts
	for_cpu 50 "$tmp/rec.data" $alloc -q -p "$jvm" 2>"$tmp/err"
	is "a JVM that starts threads all the time" $? 0
	java_stop
	has "... goes on doing so" "$tmp/java.out" "started "
	is "... and complains of nothing" "$(cat "$tmp/java.err")" ""
	fold
	has "... they are seen" "$tmp/folded" "Starts.run"
}
live starting_threads

# ---- --wait: JVMs that end before they can be recorded ----
waited=w$$ # nobody else is called so
mkdir "$tmp/other"
cp "$(command -v sleep)" "$tmp/other/$waited"
ln -s "$(command -v java)" "$tmp/$waited"
is_waiting() { grep -q 'epoll\|ep_poll' "/proc/$1/wchan"; } # epoll_wait(2)
has_library() { readlink /proc/$collector/fd/* | grep -q '/libjvm.so'; }

# next_is_recorded WHAT: the next JVM is recorded by $collector
next_is_recorded()
{
	java=$tmp/$waited java_start -Xmx64m Allocates 1 byte=64:1
	java_tell p
	before 30 ended_or begun "$tmp/wait.data"
	java_tell c
	before 30 ended_or ran "/proc/$jvm" $(($(ticks "/proc/$jvm") + 40))
	java_tell p
	kill -INT $collector 2>/dev/null
	finished $recorder
	is "$1: the waiting goes on" $? 0
	has "... which is said" "$tmp/err" "the target ended before it could be recorded: still waiting"
	java_stop
	some "... and the next one is recorded" "$(samples "$tmp/wait.data")" 5
}
no_jvm_yet()
{
	rm -f "$tmp/wait.data"
	"$tmp/other/$waited" 600 & first=$!
	before 30 grep -q "^$waited" /proc/$first/comm
	: >"$tmp/err"
	$alloc --name "^$waited\$" --wait -o "$tmp/wait.data" 2>"$tmp/err" & recorder=$! collector=$!
	before 30 ended_or is_waiting $collector
	kill $first
	wait $first 2>/dev/null
	before 30 ended_or grep -q 'still waiting' "$tmp/err"
	next_is_recorded "--wait, a process ends that was not a JVM yet"
}
live no_jvm_yet
# Opening the events is slow, so the JVM ends before that is done.
slowly() { strace -f --seccomp-bpf -qq -o "$tmp/strace" -e trace=perf_event_open -e inject=perf_event_open:delay_enter=200000 "$@"; }
ended_while_opened()
{
	rm -f "$tmp/wait.data" "$tmp/strace"
	java=$tmp/$waited java_start Spin
	: >"$tmp/err"
	slowly $alloc --name "^$waited\$" --wait -o "$tmp/wait.data" 2>"$tmp/err" 9>&- & recorder=$!
	before 30 test -s "$tmp/strace"
	collector=$(sed -n '1s/ .*//p' "$tmp/strace")
	before 30 ended_or has_library
	kill -KILL "$jvm"
	java_stop
	before 30 ended_or grep -q 'still waiting' "$tmp/err"
	next_is_recorded "--wait, a JVM ends while it is opened"
}
if slowly true 2>"$tmp/err"; then
	live ended_while_opened
else
	skip "--wait, a JVM ends while it is opened" "$(tail -1 "$tmp/err")"
fi
java=

if [ "$(java_version "${java:-java}")" -lt 20 ]; then
	java_start -Xmx64m -XX:-UseTLAB -XX:+UseSerialGC Allocates 1 byte=64:1
	status "a JVM that tells of few of its objects" 0 $alloc -p "$jvm" -d 0.1 -o "$tmp/rec.data"
	has "... is named" "$tmp/err" "process $jvm runs with -XX:-UseTLAB"
	java_stop
fi

java_start -XX:-ResizeTLAB Spin
status "a JVM that allocates nothing" 0 $alloc -p "$jvm" -d 0.1 -i 'Nobody' -o "$tmp/rec.data"
has "... whose TLABs have one size: it is said" "$tmp/err" "process $jvm has TLABs of one size (ZGC, or -XX:-ResizeTLAB)"
has "... gets a hint of its own" "$tmp/err" "did anything match --include"
has_not "... not that of CPU time" "$tmp/err" "use any CPU time"
java_stop

sleep 60 &
status "no JVM" 1 $alloc -p $! -d 0.1 -o "$tmp/none.data"
has "... is said to be none" "$tmp/err" "no libjvm.so"
kill $!
status "a command" 2 $alloc -- java -version
status "a limit without a rate" 2 $alloc -p 1 --fail-above 'String'
status "a limit that is no size" 2 $alloc -p 1 --fail-above 'String=much/s'
status "an expression that is none" 2 $alloc -p 1 -i '('
status "a stack of 7 bytes" 2 $alloc -p 1 --stack 7
