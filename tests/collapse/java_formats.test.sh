# Thread dumps, flight recordings and logs of JVMs become folded lines: tests/collapse/formats/java.cases.
. tests/tap.sh
. tests/served.sh

formats=tests/collapse/formats
export TZ=UTC

# A row has a name, an input (or, after "=", damage for tests/collapse/make_jfr.py), and options.
grep -v '^#' $formats/java.cases >"$tmp/cases"
while read -r name input options; do
	file=$formats/$input
	case $input in
	=*)
		file=$tmp/$name.jfr
		# shellcheck disable=SC2046 # words
		python3 tests/collapse/make_jfr.py "$file" $(echo "${input#=}" | tr , ' ')
		;;
	esac
	# shellcheck disable=SC2086 # words
	run_to "$tmp/got" "$tmp/said" "$pyrograph" collapse $options "$file"
	sed "s|$formats/||; s|$tmp/||; s|^pyrograph[ a-z]*: |# said: |" "$tmp/said" >>"$tmp/got"
	same "$name: $input $options" "$tmp/got" "$formats/$name.folded"
done <"$tmp/cases"

# Repeated stacks are recognized by their bytes, whether in one block or in several that lines about locks separate.
awk 'BEGIN {
	for (i = 0; i < 60; i++) {
		print "3XMTHREADINFO      \"w-" i "\" J9VMThread:0x1, omrthread_t:0x0, java/lang/Thread:0x0, state:R, prio=5"
		print "3XMTHREADINFO3           Java callstack:"
		print "4XESTACKTRACE                at a/B.leaf(B.java:1)"
		if (i % 3 == 1) print "5XESTACKTRACE                   (entered lock: java/lang/Object@0x" i ", entry count: 1)"
		if (i % 3 == 2) print "4XESTACKTRACE                at no parentheses"
		print "4XESTACKTRACE                at a/B.main(B.java:2)"
		if (i % 4 == 3) { print "5XESTACKTRACE                   (x)"; print "4XESTACKTRACE                at a/B.run(B.java:3)" }
		print "NULL"
	}
}' >"$tmp/cores"
run_to "$tmp/got" "$tmp/err" "$pyrograph" collapse --root none "$tmp/cores"
is "javacores: equal stacks" "$(grep -v '^#' "$tmp/got" | paste -sd,)" "a.B.main;a.B.leaf 45,a.B.run;a.B.main;a.B.leaf 15"
has "... what is wrong in one is told each time" "$tmp/err" "skipped: 20"

# JSON on one line gives the same result.
tr -d '\n' <$formats/jdk25.threaddump.json >"$tmp/line"
run_to "$tmp/got" "$tmp/err" "$pyrograph" collapse --state all --root state,tid --timed "$tmp/line"
grep -v '^# said' $formats/threaddump-json.folded >"$tmp/wanted"
same "a dump of threads as JSON in one line" "$tmp/got" "$tmp/wanted"
has "... what is wrong, with its place" "$tmp/err" "line:1:$(($(grep -bo '"no method"' "$tmp/line" | cut -d: -f1) + 1)): not a method"

# A javacore may also have the time in UTC; that time is used rather than the local one, in whatever zone it was
# written.
utc() { sed 's|^1TIDATETIME .*|1TIDATETIMEUTC Date: 2026/11/24 at 09:15:02:'"$1"' (UTC)\n&|' $formats/j9.javacore; }
{ utc 123; utc 7; sed 's|^1TIDATETIME .*|1TIDATETIME    Date: 2026/11/24 at 10:15:03|' $formats/j9.javacore; } >"$tmp/cores"
is "javacores: UTC" "$(TZ=Asia/Tokyo "$pyrograph" collapse -q --timed --no-stack --root comm "$tmp/cores" | grep -v '^#' | paste -sd,)" \
	"@1795482903.000000000 main 1,@1795511702.000000000 main 1,@1795511702.123000000 main 1"
