#!/bin/sh
# Kinds of files: which kind is made, what it contains, and that all kinds show the same picture.
# slow: cairo draws each picture at several scales
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/flame
draw() { $render flame -q "$@"; }

# ---- which one -------------------------------------------------------------------

kind() # of the file's first bytes
{
	case $(head -c 4 "$1" | od -An -tx1 | tr -d ' \n') in
	89504e47) echo png ;; 25504446) echo pdf ;; 1f8b0800) echo svgz ;; 3c3f786d) echo svg ;;
	*) echo "what?" ;;
	esac
}
while read -r name options wanted <&3; do
	# shellcheck disable=SC2086
	draw -o "$tmp/$name" $(echo "$options" | sed 's/^-$//' | tr , ' ') $data/plain.folded </dev/null 2>"$tmp/err" || not_ok "$name" "$tmp/err"
	is "$name $options" "$(kind "$tmp/$name")" "$wanted"
done 3<<'CASES'
a.svg - svg
a.svgz - svgz
a.png - png
a.pdf - pdf
a.PNG - png
plain - svg
a.2026-11-21 - svg
.png - svg
a.jpg --format=pdf pdf
b.svg -f,png png
CASES
mkdir "$tmp/dir.jpg"
status "only the last part's ending counts" 0 $render flame -q -o "$tmp/dir.jpg/x" $data/plain.folded
for name in a.jpg a.svg.gz x/a.html; do
	status "$name" 2 $render flame -o "$tmp/$name" $data/plain.folded
	has "... says what there is" "$tmp/err" "svg, svgz, png or pdf"
done
status "--format gif" 2 $render flame -f gif $data/plain.folded
has "... says what there is" "$tmp/err" "--format needs svg, svgz, png or pdf, not 'gif'"

# ---- the same bytes, the same picture ----------------------------------------------

for format in svgz png pdf; do
	draw -f $format $data/losses.folded >"$tmp/1"
	sleep 1.1 # a time would show
	draw -f $format $data/losses.folded >"$tmp/2"
	same "$format: the same bytes twice" "$tmp/1" "$tmp/2"
	status "$format on a full disk" 1 sh -c "$started flame -q -f $format $data/losses.folded >/dev/full"
	: >"$tmp/empty"
	status "$format of nothing" 2 $render flame -f $format -o "$tmp/nothing.$format" "$tmp/empty"
	is "... is one" "$(kind "$tmp/nothing.$format")" $format
done
draw $data/hostile.folded >"$tmp/h.svg"
draw -f svgz $data/hostile.folded | gzip -dc >"$tmp/hz.svg" &&
	same "svgz holds the SVG" "$tmp/hz.svg" "$tmp/h.svg"
is "... packed in reasonable time (RFC 1952, XFL: not the slowest)" \
	"$(draw -f svgz $data/hostile.folded | head -c 9 | tail -c 1 | od -An -tu1 | tr -d ' ')" 0
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "main;f%d;g%d 1\n", i % 700, i }' >"$tmp/big.folded"
draw "$tmp/big.folded" >"$tmp/big.svg"
draw -o "$tmp/big.svgz" "$tmp/big.folded"
gzip -dc <"$tmp/big.svgz" >"$tmp/bigz.svg" && same "... a big one" "$tmp/bigz.svg" "$tmp/big.svg"

# size FILE: of a PNG, in pixels
size() { python3 -c 'import struct, sys; print("%dx%d" % struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:]))' "$1"; }
draw --width 300 -o "$tmp/1.png" $data/plain.folded
draw --width 300 --scale 2.5 -o "$tmp/2.png" $data/plain.folded
is "--scale enlarges a PNG" "$(size "$tmp/2.png")" "$(size "$tmp/1.png" | awk -Fx '{ print $1 * 2.5 "x" $2 * 2.5 }')"
status "a PNG too large" 1 $render flame --scale 20 --width 2000 -o "$tmp/large.png" $data/plain.folded
has "... says what to do" "$tmp/err" "lower --scale or --width, or make an SVG or a PDF"
status "a PNG of too many pixels" 1 $render flame --scale 20 --width 1400 --height 150 -o "$tmp/large.png" $data/plain.folded
has "... says what to do" "$tmp/err" "500 million in all"
awk 'BEGIN { for (i = 1; i < 3000; i++) printf "f%d;", i; print "top 5" }' >"$tmp/high.folded"
status "a PNG too high" 1 $render flame --max-depth 0 --width 200 -o "$tmp/large.png" "$tmp/high.folded"
has "... says what to do" "$tmp/err" "lower --scale or --height, or"
is "... leaves no file" "$(ls "$tmp" | grep -c large)" 0
status "--scale 0" 2 $render flame --scale 0 $data/plain.folded
status "--scale 21" 2 $render flame --scale 21 $data/plain.folded

# ---- how many frames ----------------------------------------------------------------

awk 'BEGIN { for (i = 0; i < 9000; i++) printf "main;f%d;g%d 1\n", i, i }' >"$tmp/many.folded"
draw -w 9020 "$tmp/many.folded" >"$tmp/many.svg"
is "a wide SVG has more boxes" "$(grep -c '<title>[fg][0-9]* (' "$tmp/many.svg")" 18000
has_not "... and says of no runs" "$tmp/many.svg" "drawn in runs"
draw -w 4520 "$tmp/many.folded" >"$tmp/many.svg"
has "where they are too many, it says so" "$tmp/many.svg" ">Frames narrower than 1 px are drawn in runs before a zoom<"
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "f%d;g%d;h%d;k%d %d\n", i, i, i, i, i % 2 + 2 }' >"$tmp/mixed.folded"
draw -w 13520 "$tmp/mixed.folded" >"$tmp/many.svg"
has "... and no narrower one is a box" "$tmp/many.svg" ">Frames narrower than 1.5 px are drawn in runs"
is "... but all that are wide enough" "$(grep -c '<title>[fghk][0-9]* (3 ' "$tmp/many.svg"):$(grep -c '<title>[fghk][0-9]* (2 ' "$tmp/many.svg")" 18000:0
awk 'BEGIN { for (i = 0; i < 12; i++) { for (d = 0; d < 2040; d++) printf "%sf%d", d ? ";" : "", i; print " 1" } }' >"$tmp/tower.folded"
draw -w 13520 "$tmp/tower.folded" >"$tmp/many.svg"
has "... a tower as well" "$tmp/many.svg" ">Frames deeper than 1667 are drawn in runs"
if command -v pdftotext >/dev/null; then
	draw -w 4520 -o "$tmp/many.pdf" "$tmp/many.folded"
	pdftotext "$tmp/many.pdf" "$tmp/text"
	has "a PDF has room for them" "$tmp/text" "18,002 frames, 4 deep"
	has_not "... all" "$tmp/text" "drawn in runs"
fi

# ---- PDF ----------------------------------------------------------------------------

if command -v pdftotext >/dev/null && command -v pdfinfo >/dev/null; then
	draw --width 800 --title 'A <title> & more' --notes 'remarks' -o "$tmp/l.pdf" $data/losses.folded
	pdfinfo "$tmp/l.pdf" >"$tmp/info" 2>&1
	TZ=UTC pdfinfo -isodates "$tmp/l.pdf" >>"$tmp/info" 2>&1
	for text in 'A <title> & more' remarks "600 x" 2026-11-21T23:59:58; do
		has "pdfinfo: $text" "$tmp/info" "$text"
	done
	pdftotext -layout "$tmp/l.pdf" "$tmp/text"
	for text in 'A <title> & more' 'db1 · cpu-clock at 99Hz' 'Lost 1,234 of 23,456 samples' work main; do
		has "pdftotext: $text" "$tmp/text" "$text"
	done
	draw -o "$tmp/letters.pdf" $data/letters.folded
	pdftotext "$tmp/letters.pdf" "$tmp/text"
	for text in 日本語の関数名がとても長い emoji_😀😃_face кириллица_функция combine_; do
		has "pdftotext: $text" "$tmp/text" "$text"
	done
	draw --scale 2 --width 800 -o "$tmp/2.pdf" $data/losses.folded
	is "--scale enlarges a page" "$(pdfinfo "$tmp/2.pdf" | grep -c '1200 x')" 1
	awk 'BEGIN { for (i = 1; i < 3000; i++) printf "f%d;", i; print "top 5" }' >"$tmp/tall.folded"
	draw --max-depth 0 -o "$tmp/tall.pdf" "$tmp/tall.folded"
	pdfinfo "$tmp/tall.pdf" >"$tmp/info"
	has "a page is never longer than readers take" "$tmp/info" "x 14400 pts"
	draw -f pdf $data/hostile.folded >"$tmp/h.pdf"
	pdftotext "$tmp/h.pdf" "$tmp/text" 2>"$tmp/err"
	is "a PDF of hostile names is one" "$(cat "$tmp/err")" ""
	has "... and holds them" "$tmp/text" "<script>alert(1)</script>"
	status "... a title of any bytes" 0 $render flame -q -f pdf --title "$(printf 'a\377\001(b\\)')" \
		--notes "$(printf '\376)')" $data/plain.folded
	pdfinfo "$tmp/out" >"$tmp/info" 2>&1
	has "... is there" "$tmp/info" "$(printf 'a\357\277\275\357\277\275(b\\)')"
	draw --fonttype 'DejaVu Sans Mono' $data/letters.folded -f pdf >"$tmp/mono.pdf"
	pdffonts "$tmp/mono.pdf" >"$tmp/fonts" 2>/dev/null
	if grep -q DejaVuSansMono "$tmp/fonts"; then
		has "what a font lacks comes from another one" "$tmp/fonts" "+DejaVuSans "
	else
		skip "what a font lacks comes from another one" "no DejaVu Sans Mono"
	fi
else
	skip "text of a PDF" "no pdftotext"
fi
echo '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>' >"$tmp/none.conf"
for format in png pdf; do
	status "a $format where no font is installed" 0 env FONTCONFIG_FILE="$tmp/none.conf" \
		$started flame -q -f $format $data/letters.folded
	is "... is one" "$(kind "$tmp/out")" $format
done

# ---- labels stay in their frames, whichever program draws them -----------------------------------

within() # WHAT SVG PNG
{
	served python3 tests/golden/compare_png.py --overflow "$2" "$3" >"$tmp/seen" 2>&1 && ok "$1" || not_ok "$1" "$tmp/seen"
}
if command -v python3 >/dev/null; then
	for font in 'Verdana, DejaVu Sans' 'DejaVu Sans Mono' 'DejaVu Serif'; do
		for width in 400 531; do
			draw --width $width --fonttype "$font" -o "$tmp/w.svg" $data/letters.folded
			draw --width $width --fonttype "$font" -o "$tmp/w.png" $data/letters.folded
			within "PNG, $font, $width px" "$tmp/w.svg" "$tmp/w.png"
			command -v rsvg-convert >/dev/null && rsvg-convert "$tmp/w.svg" -o "$tmp/w.png" &&
				within "librsvg, $font, $width px" "$tmp/w.svg" "$tmp/w.png"
			command -v pdftoppm >/dev/null || continue
			draw --width $width --fonttype "$font" -o "$tmp/w.pdf" $data/letters.folded
			pdftoppm -r 96 -png -singlefile "$tmp/w.pdf" "$tmp/w" &&
				within "PDF, $font, $width px" "$tmp/w.svg" "$tmp/w.png"
		done
	done
else
	skip "labels stay in their frames" "no python3"
fi
