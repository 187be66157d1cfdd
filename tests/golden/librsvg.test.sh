#!/bin/sh
# What a viewer without scripts shows: rsvg-convert, compared with an expected
# picture.  Fonts differ between machines, so only the colours of frames count.
# slow: librsvg draws what we drew
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/flame

for tool in rsvg-convert python3; do
	command -v $tool >/dev/null || { skip "pictures by librsvg" "no $tool"; exit; }
done
# FILE NAME OPTIONS
while read -r file name options <&3; do
	svg=$tmp/$name.svg
	draw() { $render flame -q --width 600 $options "$@" $data/$file.folded; }
	draw >"$svg" 2>"$tmp/err"
	xmllint --noout "$svg" 2>"$tmp/err" && ok "$name is XML" || not_ok "$name is XML" "$tmp/err"
	if ! rsvg-convert "$svg" -o "$tmp/$name.png" 2>"$tmp/err"; then
		not_ok "librsvg draws $name" "$tmp/err"
		continue
	fi
	[ -z "${BLESS:-}" ] || cp "$tmp/$name.png" "$data/$name-rsvg.png"
	# The other formats, as pixels, are the same picture.
	draw -o "$tmp/$name-cairo.png"
	draw -o "$tmp/$name.svgz"
	rsvg-convert "$tmp/$name.svgz" -o "$tmp/$name-svgz.png" 2>"$tmp/err"
	draw -o "$tmp/$name.pdf"
	set -- "$name by librsvg" "$tmp/$name.png"
	for by in cairo svgz pdf; do
		[ $by != pdf ] || command -v pdftoppm >/dev/null || { skip "$name, pdf" "no pdftoppm"; continue; }
		[ $by != pdf ] || pdftoppm -r 96 -png -singlefile "$tmp/$name.pdf" "$tmp/$name-pdf"
		set -- "$@" "$name, $by is the same picture" "$tmp/$name-$by.png"
	done
	served python3 tests/golden/compare_png.py --tap "$svg" "$data/$name-rsvg.png" "$@" || not_ok "$name, by compare_png.py"
done 3<<'CASES'
plain plain --colors hot
java java --colors java
letters letters --icicle --colors mem --bgcolors blue --height 20 --fontsize 14
losses losses --colors io --subtitle second
CASES

# A picture that says why there is no chart, in a viewer without scripts.
$render flame -q -o "$tmp/nothing.svg" /dev/null 2>/dev/null
$render flame -q -o "$tmp/nothing.png" /dev/null 2>/dev/null
rsvg-convert "$tmp/nothing.svg" -o "$tmp/nothing-rsvg.png" 2>"$tmp/err" &&
	is "a picture of nothing, by librsvg and by cairo: alike in size" \
		"$(head -c 24 "$tmp/nothing-rsvg.png" | tail -c 8 | od -An -tx1)" \
		"$(head -c 24 "$tmp/nothing.png" | tail -c 8 | od -An -tx1)" ||
	not_ok "a picture of nothing by librsvg" "$tmp/err"

# Text stays within its box, even with the widest likely font.
$render flame -q $data/plain.folded | sed 's/font-family="[^"]*"/font-family="DejaVu Sans"/' >"$tmp/wide.svg"
rsvg-convert "$tmp/wide.svg" -o "$tmp/wide.png" && served python3 tests/golden/compare_png.py --overflow "$tmp/wide.svg" "$tmp/wide.png" >"$tmp/seen" 2>&1 &&
	ok "no label leaves its frame" || not_ok "no label leaves its frame" "$tmp/seen"
