#!/bin/sh
# What flame graphs look like: colours, order, labels, attributes; every option of
# flamegraph.pl and inferno-flamegraph.
# slow: each look draws
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
flame=tests/golden/flame looks=tests/golden/looks
plain=$flame/plain.folded

# ---- pictures that must not change by a byte: FILE PICTURE OPTIONS... ----------

while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render flame -q --script flame.js $options "$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$looks/$picture"
		set -- "$@" "$tmp/$picture"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<CASES
$flame/java.folded rules.svg --rules $looks/rules.txt
$looks/chain.folded chain.svg --colors chain
$flame/java.folded safe.svg --colors safe --order width --stroke-color #ffffff --uicolor #3355aa --truncate left --width 500
$plain diffusion.svg --colordiffusion
$flame/java.folded attributes.svg --nameattr $looks/attributes.txt --colors mem
$looks/chain.folded arrival.svg --no-sort --base do_command --base idle --colors viridis
CASES
are_xml "$@"

# ---- options: TEXT | OPTIONS: the picture has the text; !TEXT: it does not have it --------

printf 'main;a b 60\nmain;std::io::f 60\n' >"$tmp/two"
while IFS='|' read -r text options <&3; do
	# shellcheck disable=SC2086
	$render flame -q --no-javascript $options "$tmp/two" >"$tmp/out" 2>"$tmp/err" ||
		not_ok "flame $options" "$tmp/err"
	case $text in
	!*) has_not "$options: no ${text#!}" "$tmp/out" "${text#!}" ;;
	*)  has "$options: $text" "$tmp/out" "$text" ;;
	esac
done 3<<'CASES'
<title>T</title>|--title T
<title>T</title>|-title T
<title>T</title>|-title=T
<title>T</title>|--tit=T
<title>T</title>|-tT
<title>Icicle Graph</title>|--inverted
"inverted":true|-i
"inverted":true|-inverted
<title>Flame Chart</title>|--flamechart
<title>Flame Chart</title>|--chart --inverted
"chart":true|-flamechart
"reversed":true|--reverse
<rect|--negate
>second</text>|--subtitle second
<desc>a&lt;--b</desc>|--notes a<--b
<svg xmlns="http://www.w3.org/2000/svg" width="700"|--width 700
<svg xmlns="http://www.w3.org/2000/svg" width="700"|--wid 700
"frameHeight":24|--height 24
!>a b</text>|--minwidth 99%
"frameHeight":32|--fontsize 24
"frameHeight":20|--fontsize 24 --height 20
class="title" fill="#ececec"|--bgcolors #123456
"theme":"dark"|--bgcolors #123456
class="title" fill="#1a1a1a"|--bgcolors #123456 --theme light
!"theme"|--bgcolors #bbbbbb
!.pyrograph |--no-javascript
font-family="Courier"|--fonttype Courier
font-size="14"|--fontsize 14
"advances":[590,590,|--fontwidth .59
>main (120 ticks, 100 %)<|--countname ticks
"nametype":"Frame:"|--nametype Frame:
>main (1,200 samples, 100 %)<|--factor 10
>main (120 samples, 50 %)<|--total 240
fill="#47db47"|--colors green --hash
stop-color="#e0e0ff"|--bgcolors blue
fill="#123456"|--bgcolors #123456
"uiColour":"#123456"|--uicolor #123456
class="title" fill="#123456"|--uicolor #123456
"searchColour":"#123456"|--search-color #123456
"strokeColour":"#123456"|--stroke-color #123456
stroke="#123456"><title>main|--stroke-color #123456
!stroke=|--stroke-color none
"truncate":"left"|--truncate left
!"truncate"|--truncate-text-right
"order":"width"|--order width
"order":"arrival"|--order arrival
"order":"arrival"|--no-sort
"theme":"dark"|--theme dark
"theme":"light"|--theme light
!"theme"|--theme auto
"diffusion":true|--colordiffusion
fill="#ff6464"><title>main (|--colordiffusion
encoding="UTF-8"|--encoding utf-8
encoding="UTF-8"|--encoding latin1
<rect|--pretty-xml
!<script|--no-javascript
<rect|-v
CASES
$render flame --encoding latin1 "$tmp/two" >"$tmp/out" 2>"$tmp/err"
has "another encoding: a warning" "$tmp/err" "written in UTF-8"
$render flame -v "$tmp/two" -o "$tmp/v.svg" 2>"$tmp/err"
has "-v says what was drawn" "$tmp/err" "2 lines, 4 frames"
# ---- lines that are too long are broken at blanks and between parts --------------------

heading() { sed -n '/<g id="heading">/,/<\/g>/s/.*>\(.*\)<\/text>/\1/p'; }
{
	echo '# pyrograph: host=db1 losses="stacks cut 8, short user stacks 294 of 5678, throttled 3"'
	echo 'main;work 5'
} >"$tmp/narrow"
$render flame -q -w 200 --title 'A title of many words that needs two lines' "$tmp/narrow" | heading >"$tmp/lines"
is "a long title and long losses lose nothing" "$(paste -sd ' ' "$tmp/lines")" \
	"A title of many words that needs two lines db1 · 5 samples 8 stacks cut short user stacks 294 of 5,678 Throttled 3 times"
is "... in lines that fit" "$(awk 'length > 30' "$tmp/lines")" ""
$render flame -q -w 200 --title "$(yes title | head -40 | paste -sd ' ')" "$tmp/narrow" | heading >"$tmp/lines"
is "... a title in three at most" "$(grep -c title "$tmp/lines")$(grep -c 'title ti\?t\?l\?\.\.$' "$tmp/lines")" 31
$render flame -q --diff "$tmp/two" -w 100 "$tmp/two" | sed -n '/<g id="legend">/,/<\/g>/p' >"$tmp/lines"
is "the two swatches of a colour stay together" \
	"$(sed -n 's/<rect.* y="\([0-9.]*\)".*/\1/p' "$tmp/lines" | uniq -c | awk '{ print $1 }' | paste -sd ' ')" "2 2 1 1 1"

$render flame -q --random "$tmp/two" >"$tmp/r1"
$render flame -q --random "$tmp/two" >"$tmp/r2"
same "--random: the same twice" "$tmp/r1" "$tmp/r2"
$render flame -q "$tmp/two" >"$tmp/r2"
cmp -s "$tmp/r1" "$tmp/r2" && not_ok "... but not as usual" || ok "... but not as usual"

# ---- every palette: the colours of "main" and of "core::f_[j]" --------------------

printf 'main;core::f_[j] 100\n' >"$tmp/names"
for palette in hot mem io red green blue yellow purple aqua orange wakeup chain java js perl python rust safe viridis wall; do
	for vector in name hash classic fnv random; do
		printf '%s %s' "$palette" "$vector"
		$render flame -q --colors "$palette" --vector "$vector" --no-javascript "$tmp/names" |
			sed -n 's/.*fill="\(#......\)"><title>\(main\|core\).*/ \1/p' | tr -d '\n'
		echo
	done
done >"$tmp/palettes.txt"
same "colours of all palettes and vectors" "$tmp/palettes.txt" "$looks/palettes.txt"
status "an unknown palette" 2 $render flame --colors nosuch "$tmp/two"
has "... lists those there are" "$tmp/err" "hot mem io red green blue yellow purple aqua orange wakeup chain java js perl python rust safe viridis"

# If flamegraph.pl can be found (FLAMEGRAPH_DIR, or PATH), its colours are compared directly.
pl=${FLAMEGRAPH_DIR:+$FLAMEGRAPH_DIR/flamegraph.pl}
[ -n "$pl" ] || pl=$(command -v flamegraph.pl)
colours() { sed -n 's/.*<title>\(.*\) (100 .*fill="\(rgb([0-9,]*)\).*/\1 \2/p' | sort; }
# As hue_readable(): lighter where black text could not be read.
readable() { awk -F '[(),]' 'function linear(v) { v /= 255; return v <= 0.04045 ? v / 12.92 : exp(2.4 * log((v + 0.055) / 1.055)) }
	function lighter(v, by) { return int(v + (255 - v) * by + 0.5) }
	{ r = $2; g = $3; b = $4
	  for (by = 0; g < 137; by = 0.02) {
		r = lighter(r, by); g = lighter(g, by); b = lighter(b, by)
		if (0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) >= 0.175) break
	  }
	  print $1 "(" r "," g "," b ")" }'; }
if [ -n "$pl" ] && [ -f "$pl" ]; then
	for name in main operator++ 'std::map' 'a/b.js:1' '日本語' 'x`y' run_[j] read_[k]; do
		echo "$name 100"
	done >"$tmp/names"
	for palette in hot mem io red green blue yellow purple aqua orange wakeup java js perl; do
		for mode in classic hash; do
			option=
			[ $mode = classic ] || option=--hash
			perl "$pl" $option --colors $palette "$tmp/names" 2>/dev/null | tr -d '\n' |
				sed 's/<g >/\n/g' | colours | readable >"$tmp/theirs"
			$render flame -q --vector $mode --colors $palette --no-javascript "$tmp/names" |
				sed -n 's/.*fill="#\(..\)\(..\)\(..\)"><title>\(.*\) (100 .*/\1 \2 \3 \4/p' |
				while read -r r g b name; do
					echo "$name rgb($((0x$r)),$((0x$g)),$((0x$b)))"
				done | sort >"$tmp/ours"
			is "flamegraph.pl's colours now: $palette $mode" "$(cat "$tmp/ours")" \
				"$(cat "$tmp/theirs")"
			[ "$(wc -l <"$tmp/theirs")" = 8 ] || not_ok "... of eight names" "$tmp/theirs"
		done
	done
fi # without it, the table above has the colours that it once gave

# ---- the legend: each kind that a palette has, in the palette's order, however many there are ----

while IFS='|' read -r palette labels <&3; do
	printf '%s 1\n' 'x.A.b_[j]' 'JS:b /srv/b.js:1_[j]' 'py::c:/srv/c.py_[j]' 'a_[j]' 'x.A.c_[1]' 'b_[1]' 'c_[0]' 'd_[i]' 'e_[?]' 'f::g' 'h_[k]' 'i_[w]' 'j' |
		$render flame -q --colors "$palette" - >"$tmp/kinds.svg"
	is "the legend of $palette has all kinds" \
		"$(sed -n '/id="legend"/,/<\/g>/s/.*<text[^>]*>\([^<]*\)<.*/\1/p' "$tmp/kinds.svg" | paste -sd '|')" "$labels"
done 3<<'END'
java|Java|JavaScript|Python|JIT|Java, C1|JIT, quick|interpreted|inlined|inlined, likely|C++|kernel|waker|native
safe|JIT|JIT, quick|interpreted|inlined|inlined, likely|C++|kernel|waker|native
END

# ---- colours that are kept: palette.map -----------------------------------------

render_path=$(pwd)/$started
mkdir "$tmp/cp"
printf 'main;operator-> 50\nmain;x 50\n' >"$tmp/cp/in"
(cd "$tmp/cp" && "$render_path" flame -q --cp in >1.svg)
is "--cp writes palette.map" "$(cut -d'(' -f1 "$tmp/cp/palette.map" | tr '\n' ' ')" "main->rgb operator->->rgb x->rgb "
sed -i 's/^x->.*/x->rgb(1,2,3)/; s/^operator->->.*/operator->->#040506/' "$tmp/cp/palette.map"
(cd "$tmp/cp" && ls -i palette.map >inode && "$render_path" flame -q --cp --colors mem in >2.svg)
has "... reads it" "$tmp/cp/2.svg" 'fill="#010203"><title>x ('
has "... names with arrows too" "$tmp/cp/2.svg" 'fill="#040506"><title>operator-&gt; ('
is "... writes it only when there is something new" "$(cd "$tmp/cp" && ls -i palette.map)" "$(cat "$tmp/cp/inode")"

# A default name is read only if it is a file; a name given by the user may be a pipe.
mkdir "$tmp/odd"
cp "$tmp/cp/in" "$tmp/odd"
for odd in "mkfifo palette.map" "ln -s /dev/zero palette.map" "mkdir palette.map"; do
	(cd "$tmp/odd" && $odd && timeout 10 "$render_path" flame -q --cp in >1.svg 2>err)
	is "--cp, $odd: is refused at once" "$? $(cat "$tmp/odd/err")" "1 pyrograph render flame: palette.map: is not a regular file"
	rm -rf "$tmp/odd/palette.map"
done
echo 'main;new 10' >>"$tmp/cp/in"
(cd "$tmp/cp" && "$render_path" flame -q --cp in >3.svg)
is "... adds what is new, in order" "$(sed 's/->rgb.*//' "$tmp/cp/palette.map" | tr '\n' ' ')" "main new operator-> x "
$render flame -q --palette-map "$tmp/map" "$tmp/two" >"$tmp/out"
is "--palette-map FILE" "$(wc -l <"$tmp/map")" 3
echo 'main' >"$tmp/map"
$render flame --palette-map "$tmp/map" "$tmp/two" >"$tmp/out" 2>"$tmp/err"
has "a bad line is told" "$tmp/err" "map:1: is not \"name->rgb(red,green,blue)\""
status "a map that cannot be written" 1 $render flame -q --palette-map "$tmp/no/map" "$tmp/two"
status "a map that cannot be read" 1 $render flame -q --palette-map "$tmp" "$tmp/two"

# ---- wrong files: MESSAGE | OPTION | CONTENT ------------------------------

while IFS='|' read -r message option content <&3; do
	printf "$content" >"$tmp/file"
	status "$option: $message" 2 $render flame "$option" "$tmp/file" "$tmp/two"
	has "... says so" "$tmp/err" "$message"
	is "... writes nothing" "$(cat "$tmp/out")" ""
done 3<<'CASES'
file:2: expected a regular expression|--rules|# x\nabc\n
file:1: 'pinkish' is not a colour|--rules|abc\tpinkish\n
file:1: 'a(', character 3|--rules|a(\tred\n
file:1: contains a NUL byte|--rules|a\000b\tred\n
file:1: contains a NUL byte|--nameattr|name\ttitle=a\0b\n
CASES
# Wrong or unsupported attributes are left out: MESSAGE | CONTENT
printf 'main\ttitle=kept\n' >"$tmp/file"
$render flame --nameattr "$tmp/file" "$tmp/two" >"$tmp/kept"
has "an attribute" "$tmp/kept" '"title":"kept"'
while IFS='|' read -r message content <&3; do
	printf "$content\nmain\ttitle=kept\n" >"$tmp/file"
	status "--nameattr: $message" 0 $render flame --nameattr "$tmp/file" "$tmp/two"
	has "... says so" "$tmp/err" "$message"
	is "... keeps what is good and nothing else" "$(cmp "$tmp/out" "$tmp/kept" 2>&1)" ""
	status "... --strict" 1 $render flame --strict --nameattr "$tmp/file" "$tmp/two"
done 3<<'CASES'
file:1: expected a name, a tab|name\n
file:1: 'x' is not of the form name=value|name\tx\n
file:1: unknown attribute 'onclick'|name\tonclick=x\n
file:2: 'javascript:alert(1)' is not accepted|\nname\thref=javascript:alert(1)\n
file:1: 'JaVaScript:x' is not accepted|name\thref=JaVaScript:x\n
file:1: ' javascript:x' is not accepted|name\thref= javascript:x\n
file:1: 'data:text/html,x' is not accepted|name\thref=data:text/html,x\n
file:1: 'vbscript:x' is not accepted|name\thref=vbscript:x\n
file:1: attribute 'onload' is not accepted|name\tg_extra=onload="x"\n
file:1: attribute 'ONLOAD' is not accepted|name\tg_extra=ONLOAD="x"\n
file:1: attribute 'style' is not accepted|name\ta_extra=style="x"\n
file:1: attribute 'href' is not accepted|name\ta_extra=href="x"\n
file:1: attribute 'stroke' is not accepted|name\tg_extra=stroke="url(http://x)"\n
file:1: attribute '><script' is not accepted|name\tg_extra=><script=1\n
file:1: no closing quote after the value|name\tg_extra=role="x\n
file:1: 'role' is not of the form name="value"|name\tg_extra=role\n
file:1: id 'frames' is taken|name\tid=frames\n
file:1: an id must be one word, not 'a b'|name\tid=a b\n
file:1: an id must be one word, not ''|name\tid=\n
file:1: class 'x flame-tree' is taken|name\tclass=x flame-tree\n
file:1: 'a b' is not a target|name\ttarget=a b\n
CASES
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "f$n"; done >"$tmp/file"
$render flame --nameattr "$tmp/file" "$tmp/two" 2>&1 >/dev/null | tail -1 >"$tmp/err"
has "many of them are counted" "$tmp/err" "file: 2 more like these"
status "a palette map in no directory" 1 $render flame --palette-map "$tmp/no/p.map" -o "$tmp/unmapped.svg" "$tmp/two"
is "... writes no picture" "$(ls "$tmp/unmapped.svg" 2>&1 | grep -c 'No such')" 1
# OPTIONS | what stderr says
while IFS='|' read -r options says <&3; do
	# shellcheck disable=SC2086
	$render flame $options "$tmp/two" >/dev/null 2>"$tmp/err"
	has "$options: says" "$tmp/err" "$says"
done 3<<CASES
--fon x|--fon is ambiguous: --fonttype, --fontsize, --fontwidth
--factor -1|--factor needs a positive number, not '-1'
--scale 2|warning: --scale has no effect without
--diff $tmp/two -c java|warning: --colors has no effect
CASES
$render flame --scale 2 -f png "$tmp/two" 2>"$tmp/err" >/dev/null
$render flame -c java "$tmp/two" 2>>"$tmp/err" >/dev/null
is "... and nothing where it has one" "$(cat "$tmp/err")" ""
status "no rules file" 1 $render flame --rules /nonexistent "$tmp/two"
status "no attributes file" 1 $render flame --nameattr /nonexistent "$tmp/two"

# ---- wrong usage: before anything is read or written --------------------------------

while read -r options <&3; do
	# shellcheck disable=SC2086
	status "wrong usage: $options" 2 $render flame --palette-map "$tmp/unwritten" $options "$tmp/nosuch"
	is "... writes nothing" "$(cat "$tmp/out"; ls "$tmp/unwritten" 2>/dev/null)" ""
done 3<<'CASES'
--script javascript:alert(1)
--script data:,x
--script ftp://x/y
--factor 1e300
--factor -1
--output=
--vector nosuch
--hash --random
--hash --vector name
--deterministic --hash
--colordiffusion --colors hot
--order sideways
--no-sort --order width
--chart --order name
--theme pink
--truncate end
--truncate-text-right --truncate left
--uicolor red
--search-color #12345
--stroke-color #1234567
--fontwidth 11
--fontwidth x
--hash=1
--t x
-nosuch
CASES

# ---- only stacks with a frame ---------------------------------------------------------

status "--base: nothing has it" 2 $render flame --base nosuch "$tmp/two"
has "... and the picture says so" "$tmp/out" "no line passes the filters"
$render flame -q --no-javascript --base 'a b' "$tmp/two" >"$tmp/out"
has "--base: a leaf" "$tmp/out" "<title>a b (60 samples, 100 %)"
has "... the picture says what was kept" "$tmp/out" "only --base a b"
$render flame -q --no-javascript --base main "$tmp/two" >"$tmp/out"
has "--base: the root" "$tmp/out" "<title>main (120 samples, 100 %)"

# ---- PNG -----------------------------------------------------------------------------

status "a PNG of it all" 0 $render flame -q --format png --rules $looks/rules.txt --nameattr $looks/attributes.txt \
	--stroke-color '#000000' --uicolor '#123456' --truncate left $plain
is "... is one" "$(head -c 4 "$tmp/out" | tail -c 3)" PNG
