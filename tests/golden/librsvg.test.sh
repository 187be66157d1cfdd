#!/bin/sh
# What a viewer without scripts shows: rsvg-convert, compared with an expected
# picture.  Fonts differ between machines, so only the frames' colours count.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/flame

for tool in rsvg-convert python3; do
	command -v $tool >/dev/null || { skip "pictures by librsvg" "no $tool"; exit; }
done
for picture in plain:hot java:java; do
	name=${picture%:*}
	svg=$tmp/$name.svg
	$render flame -q --width 600 --colors "${picture#*:}" $data/$name.folded >"$svg" 2>"$tmp/err"
	if ! rsvg-convert "$svg" -o "$tmp/$name.png" 2>"$tmp/err"; then
		not_ok "librsvg draws $name" "$tmp/err"
		continue
	fi
	[ -z "${BLESS:-}" ] || cp "$tmp/$name.png" "$data/$name-rsvg.png"
	python3 tests/golden/compare_png.py "$svg" "$tmp/$name.png" "$data/$name-rsvg.png" >"$tmp/seen" 2>&1 &&
		ok "$name by librsvg: $(cat "$tmp/seen")" || not_ok "$name by librsvg" "$tmp/seen"
	$render flame -q --width 600 --colors "${picture#*:}" -o "$tmp/$name-cairo.png" $data/$name.folded
	python3 tests/golden/compare_png.py "$svg" "$tmp/$name-cairo.png" "$data/$name-rsvg.png" >"$tmp/seen" 2>&1 &&
		ok "$name by cairo is the same picture: $(cat "$tmp/seen")" ||
		not_ok "$name by cairo is the same picture" "$tmp/seen"
done

# Text stays within its box, with the widest font that is likely.
$render flame -q $data/plain.folded | sed 's/font-family="[^"]*"/font-family="DejaVu Sans"/' >"$tmp/wide.svg"
rsvg-convert "$tmp/wide.svg" -o "$tmp/wide.png" && python3 tests/golden/compare_png.py --overflow "$tmp/wide.svg" "$tmp/wide.png" >"$tmp/seen" 2>&1 &&
	ok "no label leaves its frame" || not_ok "no label leaves its frame" "$tmp/seen"
