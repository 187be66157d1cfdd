# Thread dumps, flight recordings and logs of JVMs become folded lines: tests/collapse/formats/java.cases.
. tests/tap.sh

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
	"$pyrograph" collapse $options "$file" >"$tmp/got" 2>"$tmp/said"
	sed "s|$formats/||; s|$tmp/||; s|^pyrograph[ a-z]*: |# said: |" "$tmp/said" >>"$tmp/got"
	same "$name: $input $options" "$tmp/got" "$formats/$name.folded"
done <"$tmp/cases"

# JSON in one line is the same JSON.
tr -d '\n' <$formats/jdk25.threaddump.json >"$tmp/line"
"$pyrograph" collapse --state all --root state,tid --timed "$tmp/line" 2>"$tmp/err" >"$tmp/got"
grep -v '^# said' $formats/threaddump-json.folded >"$tmp/wanted"
same "a dump of threads as JSON in one line" "$tmp/got" "$tmp/wanted"
has "... what is wrong, with its place" "$tmp/err" "line:1:$(($(grep -bo '"no method"' "$tmp/line" | cut -d: -f1) + 1)): not a method"
