# Thread dumps, flight recordings and logs of JVMs become folded lines: tests/collapse/formats/java.cases.
. tests/tap.sh

formats=tests/collapse/formats
export TZ=UTC

grep -v '^#' $formats/java.cases >"$tmp/cases"
while read -r name input options; do
	# shellcheck disable=SC2086 # words
	"$pyrograph" collapse $options "$formats/$input" >"$tmp/got" 2>"$tmp/said"
	sed "s|^pyrograph collapse: $formats/|# |; s|^pyrograph[ a-z]*: ||" "$tmp/said" >>"$tmp/got"
	same "$name: $input $options" "$tmp/got" "$formats/$name.folded"
done <"$tmp/cases"
