#!/bin/sh
# JVMs newer than Debian 12's, if tests/jvm/jdks.sh has fetched them: names of threads with each layout of headers, and
# stacks, compiled and inlined.
# live: names and stacks
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_sampling "JDK 26, 27, 28"
need_java
jdks=${JDKS:-/var/tmp/jdks}

# layout WHAT OPTION...: with that layout of headers, names are whole, and a loop without debug information has its
# method
layout()
{
	what="$version, $1"
	shift
	java_start -XX:+UnlockExperimentalVMOptions "$@" Shares phases
	for_cpu_still 40 "$tmp/rec.data" $pyrograph collect cpu -q -F 999 --call-graph dwarf -p "$jvm" 2>"$tmp/err" ||
		not_ok "$what: recorded" "$tmp/err"
	java_stop
	python3 tests/jvm/names.py list "$tmp/rec.data" >"$tmp/names"
	has "$what: whole names of threads" "$tmp/names" " CompilerThread0"
	$pyrograph collapse -q --threads '^main$' "$tmp/rec.data" >"$tmp/folded"
	for method in scramble generate roots; do
		has "$what: $method" "$tmp/folded" ";Shares.turnPhases_[i];Shares.$method"
	done
}

for version in 26 27 28; do
	java=$jdks/java$version
	if [ ! -x "$java" ] || ! "$java" -version >/dev/null 2>&1; then
		skip "JDK $version" "it is not there: sh tests/jvm/jdks.sh $jdks"
		continue
	fi
	live layout "compact headers" -XX:+UseCompactObjectHeaders -XX:+UseSerialGC
	live layout "headers of full size" -XX:-UseCompactObjectHeaders -XX:+UseParallelGC
done
