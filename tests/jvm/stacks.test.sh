# Stacks of unprepared JVMs, compared with programs that know their stacks: interpreted, compiled by C1 and C2, inlined,
# native, virtual threads.
# live: stacks
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "stacks" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

# check WHAT JVM_OPTION [PROGRAM_ARG ...]: live, like all checks here.  No frame that is certain may be wrong;
# inlined.test.sh judges frames that are only likely.
check()
{
	what="$(java_version "$java") $1" option=$2 rate=1999 cpu=30 # twice the time at half the rate: as many samples
	[ "$1" != shares ] || cpu=60 # must be many
	shift 2
	java_start $option $library Stacks "$@"
	for_cpu_still "$((${SECONDS_EACH:-1} * cpu))" "$tmp/stacks.data" "$pyrograph" collect cpu -q --call-graph dwarf --jvm-inline certain -F $rate -p "$jvm" \
		2>"$tmp/err" || not_ok "$what: recorded" "$tmp/err"
	java_stop
	"$pyrograph" collapse -q --root thread "$tmp/stacks.data" >"$tmp/folded" 2>"$tmp/err" ||
		not_ok "$what: collapsed" "$tmp/err"
	python3 tests/jvm/stacks.py "$what" "$tmp/folded" "$tmp/java.out"
}

# check_blocked: the callers of a virtual thread that has blocked are on the heap, so its stack does not count as whole.
check_blocked()
{
	what="$(java_version "$java") a virtual thread that blocks"
	java_start Blocks
	for_cpu_still "$((${SECONDS_EACH:-1} * 50))" "$tmp/stacks.data" "$pyrograph" collect cpu -q --call-graph dwarf -F 999 -p "$jvm" \
		2>"$tmp/err" || not_ok "$what: recorded" "$tmp/err"
	java_stop
	"$pyrograph" collapse -q "$tmp/stacks.data" >"$tmp/folded" 2>"$tmp/err" || not_ok "$what: collapsed" "$tmp/err"
	python3 tests/jvm/blocks.py "$what" "$tmp/folded"
	"$pyrograph" collapse --quality "$tmp/stacks.data" >"$tmp/quality" 2>&1
	grep -q ' other-stack ' "$tmp/quality" && ok "$what: its stacks are not whole" ||
		not_ok "$what: its stacks are not whole" "$tmp/quality"
}

# check_deoptimised: deoptimised frames have all their methods, including inlined ones.
check_deoptimised()
{
	what="$(java_version "$java") deoptimised frames"
	java_start Deoptimised
	for_cpu_still "$((${SECONDS_EACH:-1} * 75))" "$tmp/stacks.data" "$pyrograph" collect cpu -q --call-graph dwarf -F 999 -p "$jvm" \
		2>"$tmp/err" || not_ok "$what: recorded" "$tmp/err"
	java_stop
	"$pyrograph" collapse -q --all --threads '^main$' "$tmp/stacks.data" >"$tmp/folded" 2>"$tmp/err" ||
		not_ok "$what: collapsed" "$tmp/err"
	awk -v what="$what" '
	!/;Deoptimised\$Digger.burn/ { next }
	{
		all += $NF
		gsub(/_\[.\]/, "")
		if (!match($0, /;Deoptimised\$Digger.run(;Deoptimised\$Digger.dig;Deoptimised\$Digger.middle)+;/) ||
		    split(substr($0, RSTART, RLENGTH), frames, ";") != 85 || $0 !~ /middle;Deoptimised\$Digger\$End[012].end;[^;]*burn/)
			wrong[$0] = $NF
	}
	END {
		print (all > 100 ? "ok" : "not ok") " - " what ": " all " stacks"
		for (stack in wrong)
			n += wrong[stack]
		print (n ? "not ok" : "ok") " - " what ": no method is left out" (n ? " but in " n " of them" : "")
		for (stack in wrong)
			print "#   " wrong[stack] " " stack
	}' "$tmp/folded"
}

jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
library=
if [ -f "$jdk/include/jni.h" ] && ${CC:-cc} -O2 -fomit-frame-pointer -shared -fPIC -I"$jdk/include" -I"$jdk/include/linux" \
	-o "$tmp/libstacks.so" tests/jvm/jni/stacks.c 2>/dev/null; then
	library=-Dstacks.library=$tmp/libstacks.so
else
	skip "stacks of native code" "no jni.h"
fi

for java in $JAVAS; do
	live check "default" ""
	live check "shares" "" shares
	live check "interpreted" -Xint
	live check "C1" -XX:TieredStopAtLevel=1
	live check "C2" -XX:-TieredCompilation
	live check "frame pointers" -XX:+PreserveFramePointer
	live check "no inlining" -XX:-Inline
	live check_deoptimised
	if [ -n "$library" ]; then
		live check "native code" "" natives nest
		live check "native code, interpreted" -Xint natives
		live check "native code, C1" -XX:TieredStopAtLevel=1 natives
	fi
	if [ "$(java_version "$java")" -ge 21 ]; then
		live check "virtual threads" "" virtual-nest virtual-strings virtual-recursion nest
		live check "virtual threads, interpreted" -Xint virtual-nest virtual-strings nest
		live check_blocked
	fi
done

# Walk stacks from nonsensical registers and memory, while methods are compiled.  The JVM has a low priority, so that
# the program that reads it gets a CPU.
printf '#!/bin/sh\nexec nice -n 19 java "$@"\n' >"$tmp/nice"
chmod +x "$tmp/nice"
java=$tmp/nice
java_start Stacks
if "${BUILD:-build}/tests/jvm-readers/walk_anything" "$jvm" 20000 7 >"$tmp/steps" 2>"$tmp/err"; then
	ok "stacks that make no sense: $(cat "$tmp/steps")"
else
	not_ok "stacks that make no sense" "$tmp/err"
fi
kill -STOP "$jvm"
"${BUILD:-build}/tests/jvm-readers/walk_anything" "$jvm" 2000 11 >"$tmp/steps" 2>"$tmp/err" && ok "a JVM that is stopped" ||
	not_ok "a JVM that is stopped" "$tmp/err"
kill -CONT "$jvm"
java_stop
