#!/bin/sh
# What "render flame" makes of input: bad lines, large files, much more than fits.
# slow: large inputs
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

# ---- bad lines: one bad line between two good ones -------------

# INPUT (for printf) | COLUMN: the message about line 2
while IFS='|' read -r input says; do
	# shellcheck disable=SC2059
	{ echo "a;b 1"; printf "$input\n"; echo "c 2"; } >"$tmp/in"
	status "bad line ($says)" 0 $render flame "$tmp/in"
	has "... told" "$tmp/err" "in:2:$says"
	has "... the rest is drawn" "$tmp/out" '"total":3'
	xmllint --noout "$tmp/out" 2>"$tmp/xml" || not_ok "... XML" "$tmp/xml"
	status "... an error with --strict" 1 $render flame --strict "$tmp/in"
done <<'CASES'
no number|4: no number at the end: "no number"
a 1e3|3: the value is not a plain positive number: "a 1e3"
a 1e+3|3: the value is not a plain positive number
a 0x10|3: the value is not a plain positive number
a 1,000|3: the value is not a plain positive number
a 1.2.3|3: the value is not a plain positive number
a .5|3: the value is not a plain positive number
5|1: the value is not a plain positive number
a nan|3: no number at the end
a 18446744073709551616|3: the value is too large
a 18446744073709551615| the sum of all values would be too large
a;b|1: no number at the end
@1e12 b 1|1: the time is not a plain number of seconds
@12:30:00 a;b 1|1: the time is not a plain number of seconds
@-5 b|1: the time is not a plain number of seconds
@1.2.3 b 1|1: the time is not a plain number of seconds
esc\033[2J here|9: no number at the end: "esc?[2J here"
nul\0here|1: no number at the end: "nul?here"
CASES

# A line with a negative value is not bad: the sum of the others would be wrong without it.
for value in -5 -1.5 -.25; do
	printf 'a;b 10\na;b %s\na;c 1\n' "$value" >"$tmp/in"
	status "a negative value: $value" 1 $render flame "$tmp/in"
	has "... is told once, and what draws it" "$tmp/err" \
		"in:2: a negative value: pyrograph collapse $tmp/in | pyrograph render flame draws net sums, or a differential"
done
is "... as it says" "$("$pyrograph" collapse -q "$tmp/in" | $render flame | grep -c '<title>b (9.75 samples, 90.7 %)')" 1

# INPUT | a tooltip that the picture must have: strange, but accepted
while IFS='|' read -r input tip; do
	# shellcheck disable=SC2059
	printf "$input\n" >"$tmp/in"
	status "taken, though strange: $tip" 0 $render flame --strict "$tmp/in"
	has "... as it should be" "$tmp/out" "<title>$tip</title>"
	xmllint --noout "$tmp/out" 2>"$tmp/xml" || not_ok "... XML" "$tmp/xml"
done <<'CASES'
a;b 1\r\nc 2\r|b (1 sample, 33.3 %)
# foo 7\na 1|a (1 sample, 100 %)
#foo 7|#foo (7 samples, 100 %)
\n  \n\t\na 1|a (1 sample, 100 %)
\357\273\277a 1|a (1 sample, 100 %)
x\377y;\001 1|x�y (1 sample, 100 %)
a b c 1|a b c (1 sample, 100 %)
@1e12 3|@1e12 (3 samples, 100 %)
@1e12;b c 3|b c (3 samples, 100 %)
@plt b 3|@plt b (3 samples, 100 %)
libc-2.36 3|libc-2.36 (3 samples, 100 %)
frame 0x7f 3|frame 0x7f (3 samples, 100 %)
;;a;;b 2| (2 samples, 100 %)
a;b;  2|  (2 samples, 100 %)
a;;; 2\na 1|a (3 samples, 100 %)
a\t2|a (2 samples, 100 %)
a 2. |a (2 samples, 100 %)
a 0.5\na 0.25|a (0.75 samples, 100 %)
nul\0l 1|nul�l (1 sample, 100 %)
@2x.png;b 1\n@Override 3|@Override (3 samples, 75 %)
a;b 10\na;b.part.0;x 20\na;b;bar 30|b (40 samples, 66.7 %)
CASES

# ---- what is no folded text -------------------------------------------------------

printf 'a 1\nbad\nb 2\n' >"$tmp/in"
status "-q" 0 $render flame -q "$tmp/in"
is "... hides bad lines, and their number" "$(cat "$tmp/err")" ""
status "... not the error of --strict" 1 $render flame -q --strict "$tmp/in"
has "... it does not" "$tmp/err" "1 of 3 lines is bad"
printf 'a 1\nbad\nworse\n' >"$tmp/in"
status "most lines are bad" 2 $render flame "$tmp/in"
has "... nothing is drawn" "$tmp/out" "most lines of the input are not folded stacks"
head -c 20000 /dev/urandom >"$tmp/in"
status "noise" 2 $render flame -q "$tmp/in"
echo 'a;b 1' | gzip >"$tmp/x.gz"
for format in svg svgz pdf png; do echo 'a;b 1' | $render flame -f $format -o "$tmp/x.$format"; done
printf '<?xml version="1.0"?>\n<a>b 1</a>\n' >"$tmp/x.xml"
printf '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><title>a 1</title>\n</svg>\n' >"$tmp/other.svg"
printf '\050\265\057\375xyz' >"$tmp/x.zst"
printf 'PERFILE2\001\002' >"$tmp/x.data"
while read -r file says; do
	status "$file is drawn as what it is" 1 $render flame "$tmp/$file"
	has "... or not" "$tmp/err" "$file: $says"
	is "... with one message" "$(wc -l <"$tmp/err")$(head -c 1 "$tmp/out")" 1
	status "... from a pipe" 1 sh -c "$render flame <'$tmp/$file'"
done <<CASES
x.svg is a picture: pyrograph render folded $tmp/x.svg | pyrograph render flame
x.xml is XML, not folded text
other.svg is a picture that pyrograph did not make
x.pdf is a picture that does not contain its profile
x.png is a picture that does not contain its profile
x.gz is packed (a picture, .svgz: with "pyrograph render folded" instead of zcat): zcat $tmp/x.gz | pyrograph render flame
x.svgz is packed
x.zst is packed: zstdcat $tmp/x.zst |
x.data is a recording: pyrograph collapse $tmp/x.data | pyrograph render flame
CASES

# ---- two values -------------------------------------------------------------------

# All lines of a differential have two values; otherwise a number before the value belongs to a frame.
printf 'main;Thread 3 17\nfoo;bar 1\nz 2\n' >"$tmp/in"
status "a name that ends in a number" 0 $render flame "$tmp/in"
has "... is whole" "$tmp/out" "Thread 3"
has "... and has its value" "$tmp/out" '"total":20'
is "... nothing is said" "$(cat "$tmp/err")" ""
(printf '# pyrograph: columns=before,after unit=samples\n'; cat "$tmp/in") >"$tmp/said"
status "... of a differential" 0 $render flame "$tmp/said"
has "... is told" "$tmp/err" "$tmp/said:2: has two values, as 1 of 3 lines: drawn as a differential"
(cat "$tmp/in"; printf '# pyrograph: columns=before,after unit=samples\nn 1 2\n# pyrograph: columns=time,count unit=samples\nn 8 2\n') >"$tmp/mixed"
status "headers in the middle" 0 $render flame --multiples "$tmp/mixed" "$tmp/in"
has "... count for the lines below them" "$tmp/out" '"total":30'
grep -v one_value tests/golden/layers/columns.folded >"$tmp/columns"
status "a differential" 0 $render flame "$tmp/columns"
is "... is not" "$(cat "$tmp/err")" ""
status "... in another picture" 0 $render flame --multiples "$tmp/columns" "$tmp/columns"
has "... the second value counts" "$tmp/err" "$tmp/columns:2: has two values (a differential): only the second is drawn"
printf 'a 99999999999999999999999999999999 5\nb 1 2\n' >"$tmp/in"
status "the first of two values" 0 $render flame "$tmp/in"
has "... may be too large" "$tmp/err" "$tmp/in:1:3: the value is too large"

# ---- a large file is read in parts, with the same result as through a pipe --------------------

# Unsorted lines, fractions only in the second half, headers in the middle, empty frames.
awk 'BEGIN {
	print "# pyrograph: host=one lost=1/10 unit=samples"
	for (i = 0; i < 220000; i++) {
		n = (i * 7919) % 100003
		if (i == 150000) print "# pyrograph: host=two lost=2/20 unit=samples"
		printf "thread-%d;%s;function_number_%d;%s;leaf %d%s\n", n % 7, n % 3 ? "call" : "",
			n % 1013, n % 11 ? (n % 5 ? "common;deeper" : "--;deeper") : "call.part.0", n % 50 + 1, (i > 200000 && n % 2) ? ".25" : ""
	}
}' >"$tmp/large"
status "a large file" 0 $render flame --strict "$tmp/large"
mv "$tmp/out" "$tmp/parts.svg"
$render flame --strict <"$tmp/large" >"$tmp/whole.svg"
same "... is the same in parts" "$tmp/parts.svg" "$tmp/whole.svg"
has "... headers are joined" "$tmp/parts.svg" '"host":"one, two"'
$render flame --strict --reverse "$tmp/large" >"$tmp/parts.svg"
$render flame --strict --reverse - <"$tmp/large" >"$tmp/whole.svg"
same "... reversed, too" "$tmp/parts.svg" "$tmp/whole.svg"
# OPTIONS that concern each line
while read -r options; do
	rm -rf "$tmp/parts" "$tmp/whole"
	# shellcheck disable=SC2086
	$render flame --strict $options -o "$tmp/parts" "$tmp/large"
	# shellcheck disable=SC2086
	$render flame --strict $options -o "$tmp/whole" <"$tmp/large"
	diff -r "$tmp/parts" "$tmp/whole" >/dev/null && ok "... $options" || not_ok "... $options"
done <<'CASES'
--base common
--base call.part.0 --reverse
--split 1
--split 2 --base common
--colors chain
CASES
sed '/^#/d; s/;leaf /;other /' "$tmp/large" >"$tmp/second"
$render flame --strict "$tmp/large" "$tmp/second" >"$tmp/parts.svg"
cat "$tmp/large" "$tmp/second" | $render flame --strict >"$tmp/whole.svg"
same "... two large files" "$tmp/parts.svg" "$tmp/whole.svg"
# What options take from each line does not depend on how the file is read.
while read -r filter; do
	# shellcheck disable=SC2086
	$render flame --strict $filter "$tmp/large" >"$tmp/parts.svg"
	# shellcheck disable=SC2086
	$render flame --strict $filter - <"$tmp/large" >"$tmp/whole.svg"
	same "... $filter" "$tmp/parts.svg" "$tmp/whole.svg"
done <<'CASES'
--base common
--base function_number_5 --base call --reverse
--colors chain
--no-sort
--detail 20k
--include number_7 --exclude deeper
CASES
has "... which is about something" "$tmp/whole.svg" '"filter":'
# Deep stacks in no order, with times.
awk '/^#/ { print; next } { print "@1795256" 100 + NR % 900 ".5", substr($0, 1, index($0, ";")) "a;b;c;d;e;f;g;h;" $0 }' \
	"$tmp/large" >"$tmp/deep"
$render flame --strict "$tmp/deep" >"$tmp/parts.svg"
$render flame --strict - <"$tmp/deep" >"$tmp/whole.svg"
same "... deep ones, with times" "$tmp/parts.svg" "$tmp/whole.svg"
sed 's/;common;/;--;/; 1s/unit=/root=pid,thread unit=/' "$tmp/large" >"$tmp/roots"
$render flame --strict --colors chain "$tmp/roots" >"$tmp/parts.svg"
$render flame --strict --colors chain - <"$tmp/roots" >"$tmp/whole.svg"
same "... wakers" "$tmp/parts.svg" "$tmp/whole.svg"
for place in thread 3; do
	$render flame --split $place --script s.js -o "$tmp/parts.d" "$tmp/roots"
	$render flame --split $place --script s.js -o "$tmp/whole.d" - <"$tmp/roots"
	is "... --split $place" "$(diff -r "$tmp/parts.d" "$tmp/whole.d" | head -3)" ""
	rm -r "$tmp/parts.d" "$tmp/whole.d"
done
grep -v '^#' "$tmp/roots" >"$tmp/bare"
status "... --split 1 without a header" 0 $render flame --split 1 --script s.js -o "$tmp/parts.d" "$tmp/bare"
is "... its pictures" "$(ls "$tmp/parts.d" | wc -l)" 8
mkfifo "$tmp/pipe"
cat "$tmp/large" >"$tmp/pipe" &
$render flame --strict "$tmp/large" >"$tmp/parts.svg"
status "... and a named pipe" 0 timeout 300 $render flame --strict "$tmp/pipe"
same "... gives the same" "$tmp/out" "$tmp/parts.svg"
echo "bad line" >>"$tmp/large"
status "a bad line in it" 0 $render flame "$tmp/large"
has "... has its number" "$tmp/err" "large:220003:5: no number at the end"
has "... told once" "$tmp/err" "skipped 1 bad line of 220001"

# ---- more than fits: --detail -----------------------------------------------------

awk 'BEGIN {
	for (i = 0; i < 30000; i++) {
		printf "main;part_%d;", i % 30
		for (k = 0; k < 12; k++) printf "function_%d;", (i * (k + 1) * 31) % (k < 2 ? 40 : 4000)
		print "leaf", i % 100 ? 1 : 500
	}
}' >"$tmp/wide"
status "a profile of many frames" 0 $render flame --detail 0 -o "$tmp/all.svg" "$tmp/wide"
has_not "... --detail 0: everything" "$tmp/all.svg" '"folded":'
for size in 200k 500k; do
	status "... --detail $size" 0 $render flame --detail $size -o "$tmp/some.svg" "$tmp/wide"
	limit=$((${size%k} * 1024))
	bytes=$(sed -n '/class="flame-/,/^<script>/p' "$tmp/some.svg" | wc -c)
	[ "$bytes" -le "$limit" ] && [ "$bytes" -ge $((limit / 3)) ] && ok "... is about that" ||
		not_ok "... is about that" "$bytes bytes of data, $limit wanted"
	has "... the picture says so" "$tmp/some.svg" 'are folded into &quot;...&quot;'
done
has "... so do the frames" "$tmp/some.svg" '<title>... ('
# "1,234 frames, 16 deep; ...; 5,678 more, narrower than ...": together, all of them
frames() { grep -ao '[0-9,]* frames, [0-9]* deep' "$1" | head -1 | cut -d' ' -f1 | tr -d ,; }
more=$(grep -ao '[0-9,]* more, narrower' "$tmp/some.svg" | head -1 | cut -d' ' -f1 | tr -d ,)
is "... every frame is counted" $(($(frames "$tmp/some.svg") + more)) "$(frames "$tmp/all.svg")"
status "--detail wants a size" 2 $render flame --detail big "$tmp/wide"

# ---- in order of time ---------------------------------------------------------------

printf '@2 b 1\n@1 a 1\n@3 a;c 2\n' >"$tmp/timed"
status "--chart" 0 $render flame --chart --detail 0 "$tmp/timed"
has "... says so" "$tmp/out" '"chart":true'
has "... its title" "$tmp/out" '"title":"Flame Chart"'
is "... a, b, a by time" "$(grep -o '<title>[abc] ([^)]*' "$tmp/out" | tr '\n' ' ')" \
	"<title>a (1 sample, 25 % <title>b (1 sample, 25 % <title>a (2 samples, 50 % <title>c (2 samples, 50 % "
$render flame --flamechart "$tmp/timed" >"$tmp/b" && same "--flamechart is the same" "$tmp/b" "$tmp/out"
