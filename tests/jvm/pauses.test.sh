#!/bin/sh
# collapse --explain names the garbage collector that stops a JVM's threads, in its headline.
# slow: records JVMs
# live: pauses of JVMs
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java
if ! $pyrograph collect cpu,sched,offcpu -p $$ -d 0.1 -o "$tmp/rec.data" 2>/dev/null; then
	skip "pauses of JVMs" "no right, or no BPF"
	exit 0
fi

# collects COLLECTOR OPERATION
collects()
{
	java_start -Xmx80m "-XX:+Use$1GC" Collects
	status "$1: recorded" 0 for_cpu_still 100 "$tmp/rec.data" "$pyrograph" collect cpu,sched,offcpu -q --events --wakers \
		--call-graph dwarf -p "$jvm"
	"$pyrograph" collapse -q --explain=headline "$tmp/rec.data" >"$tmp/headline" 2>"$tmp/err" ||
		not_ok "$1: explained" "$tmp/err"
	sed -n 2p "$tmp/headline" >"$tmp/fact"
	if grep -qE "request-|threads of java-.* were stopped by a GC pause" "$tmp/fact" &&
		grep -qE "caused by garbage collection, in VM Thread: ([^;]* .called by )?$2" "$tmp/fact"; then
		ok "$1: the headline names it"
	else
		not_ok "$1: the headline names it" "$tmp/headline"
	fi
	"$pyrograph" collapse -q --offcpu "$tmp/rec.data" >"$tmp/folded"
	some "$1: a kind of wait of its own" "$(grep -c '^request-[123];\[pause\];' "$tmp/folded")" 1
	is "$1: idle threads are left out" "$(grep -c "ReferenceHandler.run;" "$tmp/folded")" 0
	java_stop
}

live collects Serial 'VM_GenCollect(ForAllocation|Full)::doit'
live collects Parallel 'VM_ParallelGC(FailedAllocation|SystemGC)::doit'
