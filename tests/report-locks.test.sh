#!/bin/sh
# pyrograph report names the thread that holds a lock, or another cause of waits inside the process: for planted faults,
# and for a JVM that collects garbage.  Load on the CPUs does not matter here; report-faults.test.sh has cases where it
# does.
# slow: records some programs, and draws their charts
# live: explanations
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
. tests/faults.sh

lock='waited for a lock.*: caused by'
# price_order() asks for its CPU time, which takes most of its time if system calls are slow.
live fault -p convoy "$lock request-[1-4].*: (price_order \(called by with_the_book\)|cpu_ns \(called by price_order\))"
live fault -p disk 'journal-writer.* write_journal \(called by with_the_book\)'
live fault -p sleep "$lock request-1: sleep_ms \(called by back_off\).*, which slept meanwhile"

# collects: G1 stops the threads of a JVM that has other names for this work than the collectors of tests/jvm/pauses.
collects()
{
	java_start -Xmx80m -XX:+UseG1GC Collects
	report -p "$jvm"
	if grep -qE "request-|threads of java-.* were stopped by a GC pause" "$tmp/fact" &&
		grep -qE "caused by garbage collection, in VM Thread: ([^;]* .called by )?VM_G1Collect(ForAllocation|Full)::doit" "$tmp/fact"; then
		ok "report -p, garbage collection"
		everywhere
	else
		not_ok "report -p, garbage collection" "$tmp/fact" "$tmp/err"
	fi
	has "... and what to look at" "$(echo "$tmp"/charts/*-why.txt)" 'Look at: why the JVM needs '
	has "... and with what" "$(echo "$tmp"/charts/*-why.txt)" 'for garbage collection, who allocates (pyrograph collect alloc)'
	some "... a kind of wait of its own" "$(grep -c ';\[pause\];' "$tmp"/charts/*-offcpu.folded)" 1
	is "... idle threads are left out" "$(grep "ReferenceHandler.run;" "$tmp"/charts/*-offcpu.folded |
		grep -vc ";\\[work\\];")" 0
	java_stop
}

need_java
live collects
