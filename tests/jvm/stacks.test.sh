# Stacks of JVMs that nobody prepared, against programs that know their own: interpreted, compiled by C1
# and C2, inlined, native, virtual threads.
. tests/tap.sh
. tests/jvm/java.sh
need_java

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "stacks" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

# check WHAT JVM_OPTION [PROGRAM_ARG ...]
check()
{
	what="$(java_version "$java") $1" option=$2
	shift 2
	java_start $option Stacks "$@"
	"$pyrograph" collect cpu -q --call-graph dwarf -F 499 -d "${SECONDS_EACH:-2}" -o "$tmp/stacks.data" -p "$jvm" \
		2>"$tmp/err" || not_ok "$what: recorded" "$tmp/err"
	java_stop
	"$pyrograph" collapse -q --root thread "$tmp/stacks.data" >"$tmp/folded" 2>"$tmp/err" ||
		not_ok "$what: collapsed" "$tmp/err"
	python3 tests/jvm/stacks.py "$what" "$tmp/folded" "$tmp/java.out"
}

for java in $JAVAS; do
	check "default" ""
	check "shares" "" shares
	check "interpreted" -Xint
	check "C1" -XX:TieredStopAtLevel=1
	check "C2" -XX:-TieredCompilation
	check "frame pointers" -XX:+PreserveFramePointer
	check "no inlining" -XX:-Inline
	if [ "$(java_version "$java")" -ge 21 ]; then
		check "virtual threads" "" virtual-nest virtual-strings virtual-recursion nest
		check "virtual threads, interpreted" -Xint virtual-nest virtual-strings nest
	fi
done
