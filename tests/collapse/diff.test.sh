#!/bin/sh
# collapse --diff: two inputs in lines with two values.
. tests/tap.sh

printf 'a;b+0x12 4\na;b 1\na;c 6\n' >"$tmp/a"
printf '# pyrograph: host=h event=x lost=2/9 unit=samples\na;b+0x99f 1.5\nz 2\na;b 1\n' >"$tmp/b"
diff_() { "$pyrograph" collapse -q --diff "$@" "$tmp/a" "$tmp/b" | sed "s|$tmp/||"; }

is "the union of both" "$(diff_)" '# pyrograph: event=x losses="after: lost 2 of 9 samples" columns=before,after unit=samples
# before: a: without a header
# after: b: host=h event=x lost=2/9 unit=samples
a;b 1 1
a;b+0x12 4 0
a;b+0x99f 0 1.5
a;c 6 0
z 0 2'
is "--strip-hex" "$(diff_ --strip-hex | grep -v '^#')" 'a;b 1 1
a;b+0x... 4 1.5
a;c 6 0
z 0 2'
is "--normalize total: the smaller one is scaled up" "$(diff_ --normalize total --strip-hex | sed 1,3d)" 'a;b 1 2.444444
a;b+0x... 4 3.666667
a;c 6 0
z 0 4.888889'
has "... and the header says so" "$(diff_ --normalize total >"$tmp/out"; echo "$tmp/out")" " normalize=total columns=before,after unit=samples"
is "--include" "$(diff_ --include 'a;b$' | grep -v '^#')" 'a;b 1 1'
sed '2,$s/ 6$/ 6000000000000000000/' "$tmp/a" >"$tmp/large"
is "large values" "$("$pyrograph" collapse -q --diff --normalize total "$tmp/large" "$tmp/a" | grep '^a;c')" \
	'a;c 6000000000000000000 3272727272727272730'
for args in '' --normalize=total; do
	# shellcheck disable=SC2086 # perhaps none
	diff_ $args >"$tmp/1"
	# shellcheck disable=SC2086
	"$pyrograph" collapse -q --diff $args "$tmp/a" "$tmp/b" | "$pyrograph" render flame >"$tmp/d.svg" 2>"$tmp/err"
	status "render flame draws it $args" 0 grep -q '</svg>' "$tmp/d.svg"
done

# Recordings, and a recording beside folded text.
python3 tests/collapse/make_recording.py "$tmp/r.data" <tests/collapse/golden/basics.txt
"$pyrograph" collapse -q "$tmp/r.data" >"$tmp/r.folded"
"$pyrograph" collapse -q --diff "$tmp/r.data" "$tmp/r.data" | grep -v '^#' >"$tmp/got"
sed -n 's/^\([^#].*\) \([0-9]*\)$/\1 \2 \2/p' "$tmp/r.folded" >"$tmp/wanted"
same "a recording and itself" "$tmp/got" "$tmp/wanted"
"$pyrograph" collapse -q --diff "$tmp/r.data" "$tmp/r.folded" | grep -v '^#' >"$tmp/got"
same "a recording and its folded text" "$tmp/got" "$tmp/wanted"
printf '# pyrograph: start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:04.000000000Z unit=samples\na 4\n' >"$tmp/2s"
printf '# pyrograph: start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:10.000000000Z unit=samples\na 4\n' >"$tmp/8s"
is "--normalize duration" "$("$pyrograph" collapse -q --diff --normalize duration "$tmp/2s" "$tmp/8s" | grep -v '^#')" 'a 16 4'

status "--normalize duration without times" 1 "$pyrograph" collapse --diff --normalize duration "$tmp/a" "$tmp/b"
has "... is an error" "$tmp/err" "--normalize duration: the header of $tmp/a has no start= and end="
printf '# pyrograph: unit=ns\na 1\n' >"$tmp/ns"
status "other units" 1 "$pyrograph" collapse --diff "$tmp/a" "$tmp/ns"
has "... are an error" "$tmp/err" "has samples, and $tmp/ns has ns"
# An input with two values a stack has no single value to compare; if the values have names, the first one is the
# weight.
printf 'a 1 2\nb 3 4\n' >"$tmp/two"
printf '# pyrograph: columns=before,after unit=samples\na 1 2\n' >"$tmp/compared"
printf 'a -1\nb 3\n' >"$tmp/minus"
for side in two compared minus; do
	status "--diff of a differential: $side" 1 "$pyrograph" collapse --diff "$tmp/a" "$tmp/$side"
	has "... is an error" "$tmp/err" "--diff: $tmp/$side has 2 values for each stack, as a differential has, and not one"
done
printf '# pyrograph: columns=time,count unit=samples\na;b 4 1\n' >"$tmp/named"
is "--diff of named values" "$("$pyrograph" collapse -q --diff "$tmp/named" "$tmp/named" | grep -v '^#')" 'a;b 4 4'
for wrong in "--diff $tmp/a" "--diff --timed $tmp/a $tmp/b" "--diff --out csv $tmp/a $tmp/b" "--strip-hex $tmp/a" "--normalize total $tmp/a" \
	"--diff --normalize half $tmp/a $tmp/b" "--diff -o $tmp/b $tmp/a $tmp/b"; do
	# shellcheck disable=SC2086 # words
	status "wrong usage: $wrong" 2 "$pyrograph" collapse $wrong
done
is "a filter may leave nothing of one" "$(diff_ --include z 2>/dev/null)" '# pyrograph: event=x losses="after: lost 2 of 9 samples" columns=before,after unit=samples
# before: a: nothing is left
# after: b: host=h event=x lost=2/9 filter="--include z" unit=samples
z 0 2'
is "... of the other" "$("$pyrograph" collapse -q --diff --focus c "$tmp/a" "$tmp/b" | grep -v '^#')" 'c 6 0'
status "... which is told" 0 "$pyrograph" collapse --diff --focus c "$tmp/a" "$tmp/b"
has "... with its file" "$tmp/err" "$tmp/b: no frame matches --focus"
status "... but not of both" 1 "$pyrograph" collapse --diff --focus nosuch "$tmp/a" "$tmp/b"
status "stdin twice" 2 "$pyrograph" collapse --diff - - <"$tmp/a"
status "a file that is not there" 1 "$pyrograph" collapse --diff "$tmp/a" "$tmp/none"
