# The last samples of a JVM are walked after its memory is gone: their stacks are right, or marked as cut.
# live: JVMs that end
. tests/tap.sh
. tests/jvm/java.sh
need_java

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "the end of a JVM" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

to_its_end()
{
	"$pyrograph" collect cpu -q --call-graph dwarf -F 1999 -o "$tmp/ends.data" -- "$java" -cp "$classes" Ends 1000 \
		>/dev/null 2>"$tmp/err" || not_ok "$java: recorded" "$tmp/err"
	"$pyrograph" collapse -q --all "$tmp/ends.data" >"$tmp/folded" 2>"$tmp/err" || not_ok "$java: collapsed" "$tmp/err"
	python3 tests/jvm/ends.py "$(java_version "$java")" "$tmp/folded"
}

for java in $JAVAS; do
	live to_its_end
done
