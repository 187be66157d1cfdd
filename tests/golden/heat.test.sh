#!/bin/sh
# Heat maps that must not change: tests/golden/heat/NAME.folded drawn with the options below,
# compared as a file without its image (NAME.svg), and as the image's cells (NAME.cells); all viewers and formats show
# the same.  Also: what happens with damaged input.
# slow: many heat maps
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/heat

cells() { served python3 tests/golden/heat_cells.py "$@"; }

# FILE NAME OPTIONS...
while read -r file name options <&3; do
	# shellcheck disable=SC2086
	if ! $render heat -q --script t.js --width 600 $options $data/$file.folded >"$tmp/$name.svg" 2>"$tmp/err"; then
		not_ok "$name" "$tmp/err"
		continue
	fi
	# The bytes of the image depend on the version of zlib; tests/unit has tests of the colour ramps.
	sed -e 's/base64,[^"]*"/base64,"/' -e '/^"ramps":/,/^"dimensions":/{/^"dimensions":/!d;}' "$tmp/$name.svg" \
		>"$tmp/imageless.svg"
	same_picture "$name" "$tmp/imageless.svg" $data/$name.svg
	set -- "$@" "$tmp/$name.svg"
	cells "$tmp/$name.svg" >"$tmp/cells" 2>&1
	same "$name: its cells" "$tmp/cells" $data/$name.cells
done 3<<'CASES'
plain plain --rows 10
plain rank --rows 10 --coloring rank --tz Europe/Berlin --inverted
plain hues --rows 10 --by thread --select java-8513/dw-20 --select cron-77/tick
plain isolate --rows 5 --by thread --isolate java-8513/dw-20 --theme dark
plain without --rows 5 --by thread --without nginx-9/nginx --boxsize 12 --grid
plain long --rows 6 --span 3s --subtitle second --notes remarks
plain busy --rows 5 --y utilization --percentiles 50,100
plain cpus --rows 5 --per cpu
spans value --y value --min 0 --max 100ms --step 10ms --span 1s
spans log --y value --log --min 1us --max 1s --rows 6 --span 1s --percentiles 50
spans painted --paint --rows 10 --span 1s
hosts hosts --rows 5 --per host
hosts most --rows 5 --per comm --maps 1
hosts sum --rows 5 --colors flamescope --coloring log
hostile hostile --rows 5 --per thread
CASES
xml_suffix=.svg
are_xml "$@"

# ---- every viewer and format ------------------------------------------------------

for tool in rsvg-convert pdftoppm; do
	command -v $tool >/dev/null || { skip "pictures as pixels" "no $tool"; exit; }
done
# FILE NAME OPTIONS...
while read -r file name options <&3; do
	# shellcheck disable=SC2086
	draw() { $render heat -q --script t.js --width 600 $options "$@" $data/$file.folded; }
	draw >"$tmp/$name.svg"
	rsvg-convert "$tmp/$name.svg" -o "$tmp/$name-rsvg.png" 2>"$tmp/err" || not_ok "librsvg draws $name" "$tmp/err"
	draw -o "$tmp/$name-cairo.png"
	draw -o "$tmp/$name.pdf"
	pdftoppm -r 96 -png -singlefile "$tmp/$name.pdf" "$tmp/$name-pdf"
	cells "$tmp/$name.svg" "$name by rsvg" "$tmp/$name-rsvg.png" "$name by cairo" "$tmp/$name-cairo.png" \
		"$name by pdf" "$tmp/$name-pdf.png" || not_ok "$name by rsvg, cairo and pdf"
done 3<<'CASES'
plain plain --rows 10
plain hues --rows 7 --by thread --select java-8513/dw-20 --theme dark
plain many --rows 100 --span 100ms
hosts hosts --rows 5 --per host
spans painted --paint --rows 10
CASES

# ---- size -------------------------------------------------------------------------

# An hour of columns: the drawing stays small.
awk 'BEGIN { print "# pyrograph: host=db1 root=thread rate=99Hz unit=samples"
	for (i = 0; i < 3600; i++) for (k = 0; k < 8; k++)
		printf "@%d.%09d t;f%d 1\n", 1795256102 + i, (i * 7919 + k * 124000003) % 1000000000, k }' >"$tmp/hour.folded"
$render heat -q --no-script --span 1s --columns 3600 "$tmp/hour.folded" >"$tmp/hour.svg"
size=$(python3 -c 'import re, sys
print(len(re.sub("(?s)<metadata.*?</metadata>", "", open(sys.argv[1]).read())))' "$tmp/hour.svg")
[ "$size" -lt 100000 ] && ok "the picture of an hour is small: $size bytes" || not_ok "the picture of an hour is small" "$size"
grep -q '1 column = 4 s' "$tmp/hour.svg" && ok "... and says how long a column is" || not_ok "... and says how long a column is"
$render heat -q --script t.js $data/plain.folded >"$tmp/a.svg"
{ grep '^#' $data/plain.folded; grep -v '^#' $data/plain.folded | sort -r; } | $render heat -q --script t.js >"$tmp/b.svg"
same "another order, the same bytes" "$tmp/b.svg" "$tmp/a.svg"
