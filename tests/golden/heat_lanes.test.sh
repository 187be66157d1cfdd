#!/bin/sh
# Lanes below heat maps, which must not change: tests/golden/heat_lanes/NAME.folded with the lanes of tests/golden/lanes,
# drawn with the options below.  The lines of both can be read back from the picture, and both share one axis.  Also:
# what happens with damaged input.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/heat_lanes
lanes=tests/golden/lanes/made.folded

draw() { $render heat -q --script t.js --width 600 "$@"; }
lines() { $render folded "$@"; }

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if ! draw --lanes $lanes $options $data/$file.folded >"$tmp/$picture.svg" 2>"$tmp/err"; then
		not_ok "$picture" "$tmp/err"
		continue
	fi
	# The bytes of the image depend on the version of zlib; tests/unit has tests of the colour ramps.
	sed -e 's/base64,[^"]*"/base64,"/' -e '/^"ramps":/,/^"dimensions":/{/^"dimensions":/!d;}' "$tmp/$picture.svg" \
		>"$tmp/imageless.svg"
	same_picture "$picture" "$tmp/imageless.svg" $data/$picture.svg
	xmllint --noout "$tmp/$picture.svg" 2>"$tmp/err" && ok "$picture is XML" || not_ok "$picture is XML" "$tmp/err"
done 3<<'CASES'
samples offset --rows 10
samples zoned --rows 5 --span 250ms --tz Asia/Kolkata --theme dark --from +1s --to +3s
samples cpus --rows 5 --per thread --lane udp
waits latency --y value --log --rows 10 --span 100ms
CASES

# ---- one axis ----

# edges PICTURE: the left and right edges of the cells, and of the lanes (their first track)
edges()
{
	xmllint --xpath '//*[@data-map="0"]//*[local-name()="image"]' "$1" >"$tmp/image" 2>"$tmp/err"
	xmllint --xpath '//*[@id="lanes-rows"]//*[local-name()="rect"][1]' "$1" >"$tmp/track" 2>"$tmp/err"
	for file in image track; do
		sed -n 's/.* x="\([0-9.]*\)".* width="\([0-9.]*\)".*/\1 \2/p' "$tmp/$file" | head -1
	done
}
for picture in offset zoned latency; do
	edges "$tmp/$picture.svg" >"$tmp/edges"
	is "$picture: lanes are where the cells are" "$(sort -u "$tmp/edges" | grep -c .)" 1
done
texts() { sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' "$1"; }
texts "$tmp/latency.svg" >"$tmp/texts"
has "names and greatest values with their units" "$tmp/texts" "udp 0.0.0.0:5000 depth"
has "..." "$tmp/texts" "0 to 208 KiB, limit 208 KiB"
has "losses of the lanes" "$tmp/texts" "bad CSV lines 2"
texts "$tmp/cpus.svg" >"$tmp/texts"
is "--lane chooses" "$(grep -c -e 'memory free' -e 'csv naks' "$tmp/texts")" 0
# The map is of two seconds, without the minimum that comes after them.
draw --lanes $lanes --from +3s --to +4.5s --span 1s $data/samples.folded >"$tmp/part.svg"
texts "$tmp/part.svg" >"$tmp/texts"
has "the time of the map: the greatest value within" "$tmp/texts" "always 1.77 GiB"

# ---- lines come back ----

# SAMPLES PICTURE-OPTIONS
while read -r file options <&3; do
	# shellcheck disable=SC2086
	draw $options --lanes $lanes $data/$file.folded >"$tmp/a.svg"
	lines "$tmp/a.svg" >"$tmp/back"
	grep -v '^#' $lanes >"$tmp/wanted"
	grep '^@[0-9.]* lane;' "$tmp/back" >"$tmp/got"
	same "$file: all lines of lanes come back" "$tmp/got" "$tmp/wanted"
	grep -v '^#' $data/$file.folded >"$tmp/wanted"
	grep '^@' "$tmp/back" | grep -v ' lane;' >"$tmp/got"
	same "... and those of the map" "$tmp/got" "$tmp/wanted"
	# shellcheck disable=SC2086
	draw $options --lanes - <"$tmp/back" >"$tmp/b.svg"
	same "... and give the same picture: one input has both" "$tmp/b.svg" "$tmp/a.svg"
	# shellcheck disable=SC2086
	cat $data/$file.folded $lanes | draw $options --lanes - >"$tmp/b.svg"
	same "... as the two files do, one after the other" "$tmp/b.svg" "$tmp/a.svg"
	# shellcheck disable=SC2086
	cat $lanes $data/$file.folded >"$tmp/both"
	draw $options --lanes "$tmp/both" "$tmp/both" >"$tmp/b.svg"
	same "... in any order, and from a file" "$tmp/b.svg" "$tmp/a.svg"
done 3<<'CASES'
samples --rows 10
waits --y value --log
CASES
lines "$tmp/b.svg" | $render lanes -q --script l.js --include ' lane;' - >"$tmp/c.svg" && xmllint --noout "$tmp/c.svg" &&
	ok "render lanes draws them, too" || not_ok "render lanes draws them, too"
draw -f svgz --lanes $lanes $data/samples.folded | lines - | grep -c ' lane;' >"$tmp/count"
is "svgz too" "$(cat "$tmp/count")" "$(grep -vc '^#' $lanes)"

# A quantity of the user's own, without any header.
{ cat $data/samples.folded; printf '@1795342504.5 lane;parallelism;busy 3.5\n@1795342506 lane;parallelism;busy 2\n'; } |
	draw --lanes - >"$tmp/own.svg"
texts "$tmp/own.svg" >"$tmp/texts"
has "any line lane;... is a lane" "$tmp/texts" "parallelism busy"
has "... with its fractions" "$tmp/texts" "2 to 3.5"
is "... and no event" "$(grep -c '"events":100,' "$tmp/own.svg")" 1

# A file that has more than lanes.
{ cat $data/samples.folded $lanes; echo '@1795342504.5 lane 3'; } >"$tmp/more"
status "of another file only lanes are taken" 0 $render heat --script t.js --lanes "$tmp/more" -o "$tmp/x.svg" $data/waits.folded
has "... which is told" "$tmp/err" "left out 101 lines"
is "... and events only of the inputs" "$(grep -c '"events":41,' "$tmp/x.svg")" 1
{ cat $data/samples.folded; echo '@1795342504.5 lane;a;b 3'; } | draw --lanes $lanes - | lines - | grep ' lane;' | cut -d' ' -f2 | sort -u >"$tmp/names"
is "lanes of an input are drawn as well" "$(grep -c -x -e 'lane;a;b' -e 'lane;memory;free' "$tmp/names")" 2
sed 's/host=db1/host=db2/' $lanes >"$tmp/other"
draw --lanes "$tmp/other" $data/samples.folded >"$tmp/x.svg"
texts "$tmp/x.svg" >"$tmp/texts"
has "lanes of another host" "$tmp/texts" "of db2."
head -1 $data/samples.folded | draw --lanes $lanes - >"$tmp/x.svg" && lines "$tmp/x.svg" | grep -c ' lane;' >"$tmp/count"
is "a recording without a sample has lanes" "$(cat "$tmp/count")" "$(grep -vc '^#' $lanes)"

# ---- without the option nothing changes ----

grep 'udp.*depth' $lanes | draw --y value >"$tmp/values.svg" && is "lines of lanes are events without --lanes" \
	"$(grep -c '"events":5,' "$tmp/values.svg")" 1

# ---- maxima ----

# 100,000 values in 600 px, one of them large.
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "@%d.%09d lane;a;b %d\n", 1795342502 + int(i / 10000), i % 10000 * 100000, i == 43210 ? 1000 : 1 }' >"$tmp/many"
draw --lanes "$tmp/many" $data/samples.folded >"$tmp/many.svg"
texts "$tmp/many.svg" >"$tmp/texts"
has "the greatest of many values is told" "$tmp/texts" "0 to 1,000"
# The fill is the first shape after the track.  Its highest part is one column, at the beginning of the row.
is "... and drawn" "$(xmllint --xpath 'string(//*[@id="lanes-rows"]/*[local-name()="path"][2]/@d)' "$tmp/many.svg" | grep -oE 'v2[0-9.]*' | wc -l)" 1

# ---- many lanes ----

awk 'BEGIN { for (i = 0; i < 40; i++) for (s = 0; s < 2; s++) printf "@%d.0 lane;x;q%02d %d\n", 1795342502 + s, i, i % 2 ? s + i : 5 }' >"$tmp/many"
draw --lanes "$tmp/many" $data/samples.folded >"$tmp/many.svg"
texts "$tmp/many.svg" >"$tmp/texts"
is "of many lanes those that change are drawn" "$(grep -c '^x q.[13579]$' "$tmp/texts") $(grep -c '^x q.[02468]$' "$tmp/texts")" "16 0"
has "... and how many are not" "$tmp/texts" "24 more"
is "... which are in the file" "$(lines "$tmp/many.svg" | grep -c ' lane;')" 80

# ---- bad days ----

status "no such file" 1 $render heat -q --script t.js --lanes "$tmp/none" -o "$tmp/x.svg" $data/samples.folded
has "... is named" "$tmp/err" "$tmp/none"
status "a file without lanes" 1 $render heat -q --script t.js --lanes /dev/null -o "$tmp/x.svg" $data/samples.folded
has "... says what makes them" "$tmp/err" "collapse --lanes"
status "an input without lanes" 1 $render heat -q --script t.js --lanes $data/samples.folded -o "$tmp/x.svg" $data/samples.folded
status "lanes and nothing else" 2 $render heat -q --script t.js --lanes - -o "$tmp/x.svg" <$lanes
has "... is said" "$tmp/err" "only lanes"
for case in "of another clock:another clock" "of another time:none has values"; do
	case $case in
	*clock*) sed 's/event=lanes/event=lanes clock=monotonic/' $lanes ;;
	*) sed 's/^@17953425/@17953426/' $lanes ;;
	esac >"$tmp/other"
	status "lanes ${case%:*}" 0 $render heat --script t.js --lanes "$tmp/other" -o "$tmp/x.svg" $data/samples.folded
	has "... are told" "$tmp/err" "${case#*:}"
	texts "$tmp/x.svg" >"$tmp/texts"
	has "... in the picture as well" "$tmp/texts" "Without lanes"
done
status "no lane matches" 0 $render heat --script t.js --lanes $lanes --lane nothing -o "$tmp/x.svg" $data/samples.folded
has "... is told" "$tmp/err" "none matches"
status "--lane alone" 2 $render heat --lane udp $data/samples.folded
status "a table has no lanes" 2 $render heat -f tsv --lanes $lanes $data/samples.folded
{ cat $lanes; echo '@1795342503.0 lane;a x'; echo '@1795342503.0 lane;a 5 y'; } >"$tmp/bad"
status "bad lines are skipped" 0 $render heat --script t.js --lanes "$tmp/bad" -o "$tmp/x.svg" $data/samples.folded
has "... and counted" "$tmp/err" "skipped 2 bad lines"
sed '/clock=/d' tests/golden/lanes/hostile.folded >"$tmp/hostile"
printf '@1.0 a;b 1\n@3.0 a;b 1\n' | draw --lanes "$tmp/hostile" - >"$tmp/h.svg" 2>"$tmp/err" &&
	xmllint --noout "$tmp/h.svg" && ok "hostile names" || not_ok "hostile names" "$tmp/err"
is "... are no markup" "$(grep -c '<script>alert' "$tmp/h.svg")" 0

# ---- every format, damage ----

for format in png pdf; do
	draw -f $format --lanes $lanes $data/samples.folded >"$tmp/p" && [ -s "$tmp/p" ] && ok "$format" || not_ok "$format"
done
rsvg-convert "$tmp/a.svg" -o "$tmp/a.png" 2>"$tmp/err" && ok "librsvg" || not_ok "librsvg" "$tmp/err"
while read -r name edit <&3; do
	sed "$edit" "$tmp/a.svg" >"$tmp/d.svg"
	status "$name" 1 $render folded "$tmp/d.svg"
done 3<<'CASES'
no-start s/id="heat-lanes">{"start":"[0-9]*"/id="heat-lanes">{"start":"x"/
a-letter-among-numbers s/ 81920 / 8x920 /
CASES
