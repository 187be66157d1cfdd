#!/bin/sh
# Lanes that must not change by a byte: tests/golden/lanes/NAME.folded drawn with the options below.  Also: what the
# pictures contain, and what happens with damaged input.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/lanes

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render lanes -q --script l.js $options "$data/$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		xmllint --noout "$tmp/$picture" 2>"$tmp/err" && ok "$picture is XML" || not_ok "$picture is XML" "$tmp/err"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
made.folded made.svg
made.folded part.svg --from +1s --to +1.1s --include udp --height 60 --title Queue --width 700
hostile.folded hostile.svg --theme dark
CASES

# ---- the lines come back ----

draw() { $render lanes -q --script l.js "$@"; }
lines() { $render folded "$@"; }

draw $data/made.folded >"$tmp/a.svg"
lines "$tmp/a.svg" >"$tmp/back"
same "all lines come back, byte for byte" "$tmp/back" $data/made.folded
draw "$tmp/back" >"$tmp/b.svg"
same "... and give the same picture" "$tmp/b.svg" "$tmp/a.svg"
draw $data/hostile.folded | lines - >"$tmp/back"
draw "$tmp/back" | lines - >"$tmp/again"
same "what is no frame is cleaned once" "$tmp/again" "$tmp/back"
{ head -1 $data/made.folded; grep '^# lane' $data/made.folded; grep -v '^#' $data/made.folded | sort -r | sed 's/$/\r/'; } |
	draw - | lines - | grep -v '^#' >"$tmp/back"
grep -v '^#' $data/made.folded >"$tmp/wanted"
same "another order, CRLF: the same lines" "$tmp/back" "$tmp/wanted"
draw -f svgz $data/made.folded | lines - >"$tmp/again"
same "svgz too" "$tmp/again" $data/made.folded

# ---- what is drawn ----

texts() { sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' "$1"; }

draw $data/made.folded >"$tmp/a.svg"
texts "$tmp/a.svg" >"$tmp/texts"
has "the greatest value and the limit" "$tmp/texts" "0 to 208 KiB, limit 208 KiB"
has "fractions" "$tmp/texts" "0 to 12.3"
has "a limit has no row of its own" "$tmp/texts" "csv naks"
is "..." "$(grep -c ' limit$' "$tmp/texts")" 0
has "losses are told" "$tmp/a.svg" "bad CSV lines 2"
# The memory lane has no values for five seconds: nothing is drawn for unknown values.
is "a lane that is silent is not drawn as if it stayed" "$(draw --include 'memory;free' $data/made.folded >"$tmp/m.svg"
	lines "$tmp/m.svg" | grep -c '@')" 6

printf '@%d lane;a;b %d\n@%d lane;a;c %d\n@%d lane;a;d %d\n' 1 95 1 0 1 0 2 100 2 0 2 1 >"$tmp/flat"
draw "$tmp/flat" >"$tmp/flat.svg"
texts "$tmp/flat.svg" >"$tmp/texts"
has "what is 0 all the time is left out, and that is told" "$tmp/texts" "1 lane, 0 all the time, is left out: a filter shows it."
is "... others are not" "$(grep -x 'a [bcd]' "$tmp/texts" | tr '\n' ' ')" "a b a d "
has "... it is in the picture for the script" "$tmp/flat.svg" '"rows":[0,2],"flat":[1]'
has "values far above 0 have a floor, which is told" "$tmp/texts" "95 to 100, axis from 95"
grep 'a;c' "$tmp/flat" | draw - >"$tmp/flat.svg"
is "... unless nothing is left" "$(texts "$tmp/flat.svg" | grep -cx 'a c')" 1

# ---- bad days ----

status "nothing at all" 2 $render lanes -q --script l.js -o "$tmp/x.svg" /dev/null
status "lines without times" 2 $render lanes -q --script l.js -o "$tmp/x.svg" tests/golden/flame/plain.folded
has "... says what makes them" "$tmp/err" "collapse --lanes"
status "a time in which nothing was" 2 $render lanes -q --include memory --from +6s --to +7s -o "$tmp/x.svg" $data/made.folded
status "--from after --to" 2 $render lanes -q --from +3s --to +2s -o "$tmp/x.svg" $data/made.folded
printf '@1.0 lane;a 5\n@2.0 lane;a x\n@x lane;a 5\n' >"$tmp/bad"
status "bad lines are skipped" 0 $render lanes --script l.js -o "$tmp/x.svg" "$tmp/bad"
has "... and told" "$tmp/err" "bad"
status "... or an error" 1 $render lanes --strict --script l.js -o "$tmp/y.svg" "$tmp/bad"
printf '@1.0 lane;a 5\n' | draw - >"$tmp/one.svg" && xmllint --noout "$tmp/one.svg" 2>"$tmp/err" &&
	ok "a single value" || not_ok "a single value" "$tmp/err"
for format in png pdf; do
	draw -f $format $data/made.folded >"$tmp/p" && [ -s "$tmp/p" ] && ok "$format" || not_ok "$format"
done

# ---- damaged pictures ----

draw $data/made.folded >"$tmp/a.svg"
while read -r name edit <&3; do
	sed "$edit" "$tmp/a.svg" >"$tmp/d.svg"
	status "$name" 1 $render folded "$tmp/d.svg"
done 3<<'CASES'
no-start s/"start":"[0-9]*"/"start":"x"/
a-letter-among-numbers s/ 81920 / 8x920 /
a-number-too-large s/ 81920 / 99999999999999999999 /
a-value-missing s/ 10000000 212480 / 10000000 /
CASES
