#!/bin/sh
# Methods that were inlined where a program was interrupted: closer to the truth than JFR for the same run; and
# --jvm-inline.
# live: shares of inlined methods
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "inlined methods" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

# longer: each try has more samples.
longer() { case $try in 1) seconds=0.4 ;; 2) seconds=1.2 ;; *) seconds=2.4 ;; esac; }

# shares: the "truth" comes from JVMs with -XX:+DebugNonSafepoints, for programs that each JVM compiles alike
shares()
{
	longer
	SHARES_SECONDS=$seconds python3 tests/jvm/shares.py --tap "$pyrograph" "$classes" "$java" virtual pair nest 2>&1
}

# same_code: one JVM, whose code is judged as if it had less debug information
same_code()
{
	longer
	SHARES_SECONDS=$seconds python3 tests/jvm/shares.py --tap --same "${BUILD:-build}/tests/jvm-readers/near_truth" "$classes" "$java" \
		numbers arrays matrix strings 2>&1
}

# silent_loops: loops without debug information, because the serial collector does not poll in them; 99 points were
# wrong before
silent_loops()
{
	longer
	SHARES_SECONDS=$seconds SHARES_OPTIONS=-XX:+UseSerialGC python3 tests/jvm/shares.py --tap --most=10 --same \
		"${BUILD:-build}/tests/jvm-readers/near_truth" "$classes" "$java" phases pair 2>&1
}

# annotated WHAT HAS HAS_NOT [OPTION ...]: how collapse's lines show leafWork(), which is inlined into the loop that
# calls it
annotated()
{
	what=$1 has=$2 has_not=$3
	shift 3
	for_cpu_still 25 "$tmp/rec.data" "$pyrograph" collect cpu -q -F 999 --call-graph dwarf -p "$jvm" "$@" 2>"$tmp/err" ||
		not_ok "$what: recorded" "$tmp/err"
	"$pyrograph" collapse -q --all --threads '^main$' "$tmp/rec.data" >"$tmp/folded" 2>&1
	"$pyrograph" collapse -q --threads '^main$' "$tmp/rec.data" >"$tmp/plain" 2>&1
	if grep -q "$has" "$tmp/folded" && ! grep -q "$has_not" "$tmp/folded"; then ok "$what"; else not_ok "$what" "$tmp/folded"; fi
	if grep -q '_\[?\]' "$tmp/plain"; then not_ok "$what, without --all" "$tmp/plain"; else ok "$what, without --all"; fi
}

for java in $JAVAS; do
	v=java$(java_version "$java")
	if command -v jfr >/dev/null && [ "${v#java}" -ge 17 ]; then
		live shares
	else
		skip "$v: shares of inlined methods" "no JFR to compare with"
	fi
	if command -v perf >/dev/null && [ "${v#java}" -ge 17 ]; then
		live same_code
		live silent_loops
	else
		skip "$v: shares of inlined methods, of the same code" "no perf, or a JVM before 17"
	fi
	java_start Shares middle
	live annotated "$v: nearest" 'Shares.leafWork_\[?\] ' 'leafWork_\[i\]'
	has "$v: nearest, without --all an inlined frame" "$tmp/plain" 'Shares.leafWork_[i] '
	"$pyrograph" render flame --colors java "$tmp/folded" >"$tmp/x.svg" 2>"$tmp/err"
	has "$v: the legend tells" "$tmp/x.svg" 'inlined, likely'
	live annotated "$v: certain" 'Shares.turn' 'leafWork_' --jvm-inline certain
	java_stop
done

status "--jvm-inline wants one of two" 2 "$pyrograph" collect cpu --jvm-inline all -- true
