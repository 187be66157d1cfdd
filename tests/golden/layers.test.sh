#!/bin/sh
# Pictures of several layers: differentials, two metrics, windows of time, panels.
# slow: many layers
. tests/tap.sh
. tests/served.sh
# File names are in the pictures, so draw in the directory of the files.
started=$(cd "${BUILD:-build}" && pwd)/pyrograph-render
render="served $started"
data=tests/golden/layers
# The profiles are small; no difference counts as chance, unless a case says so.
draw()
{
	case " $*" in *" --chance"*) ;; *) set -- --chance 0 "$@" ;; esac
	(cd $data && $render flame -q --script flame.js "$@")
}

# PICTURE OPTIONS AND FILES...
while read -r picture options <&3; do
	# shellcheck disable=SC2086
	if draw $options >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		set -- "$@" "$tmp/$picture"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
diff.svg --diff before.folded after.folded
columns.svg columns.folded
self.svg --delta self --delta-colors orange-blue --threshold 5% --normalize duration --diff before.folded after.folded
elided.svg --elided --diff before.folded after.folded
multiples.svg --multiples before.folded after.folded third.folded
ratio.svg --width-by cycles --color-by instructions/cycles events.folded
share.svg --width-by cycles --color-by cache-misses events.folded --icicle
animate.svg --animate 2500ms timed.folded
hostile.svg hostile.folded --negate
chance.svg --chance 1 --diff before.folded after.folded
CASES
are_xml "$@"

# ---- truths by hand -----------------------------------------------------------

# tip NAME: the tip of a frame in $tmp/out
tip() { sed -n "s|.*<title>$1 (\(.*\))</title>.*|\1|p" "$tmp/out"; }
minus=$(printf '\342\210\222')
draws() { what=$1; shift; draw "$@" >"$tmp/out" 2>"$tmp/err" || not_ok "$what" "$tmp/err"; }

draws diff --diff before.folded after.folded
is "grown, by total"  "$(tip write)" "base 30 samples, 30 %; new 90 samples, 45 %; +15 points, +50 %"
is "shrunk, by total" "$(tip parse)" "base 30 samples, 30 %; new 40 samples, 20 %; ${minus}10 points, ${minus}33.3 %"
is "unchanged share"  "$(tip lex)" "base 10 samples, 10 %; new 20 samples, 10 %; 0 points, 0 %"
is "new"  "$(tip new_code)" "base 0 samples, 0 %; new 20 samples, 10 %; +10 points, new"
is "gone" "$(tip old_code)" "base 15 samples, 15 %; new 0 samples, 0 %; ${minus}15 points, gone"
has "raw totals" "$tmp/out" '"layers":[{"name":"before.folded","total":100},{"name":"after.folded","total":200}],"combine":"max"'
has "scales" "$tmp/out" '"scales":[[2,1],[1,1]]'
has "metadata of both" "$tmp/out" '"base_file":"before.folded","base_host":"db1"'
cp "$tmp/out" "$tmp/diff.svg"
draws negate --diff before.folded after.folded --negate
is "--negate: signs" "$(tip parse)" "base 30 samples, 30 %; new 40 samples, 20 %; +10 points, +33.3 %"
is "... both ways" "$(tip write)" "base 30 samples, 30 %; new 90 samples, 45 %; ${minus}15 points, ${minus}50 %"
is "... not what is new" "$(tip new_code)" "base 0 samples, 0 %; new 20 samples, 10 %; ${minus}10 points, new"
for name in parse write new_code old_code; do
	colour_of() { sed -n "s|.*fill=\"\([^\"]*\)\"><title>$name (.*|\1|p" "$1"; }
	echo "$name $(colour_of "$tmp/out") $(colour_of "$tmp/diff.svg")"
done >"$tmp/colours"
is "... and hues" "$(cut -d' ' -f2,3 "$tmp/colours" | tr '\n' ' ')" \
	"#ff8383 #8f8fff #6c6cff #ff5a5a #ffb52e #ffb52e #3fbfae #3fbfae "
has "... for the script, too" "$tmp/out" '"negate":true'
draws filtered --exclude idle --diff before.folded after.folded
is "filters apply to both, and are told for both" "$(grep -c 'only --exclude idle' "$tmp/out")" 2
draws none --diff before.folded after.folded --normalize none
is "not normalised" "$(tip lex)" "base 10 samples, 10 %; new 20 samples, 10 %; +10 samples, +100 %"
draws duration --diff before.folded after.folded --normalize duration
is "by duration: 10 s and 20 s" "$(tip lex)" "base 10 samples, 10 %; new 20 samples, 10 %; 0 points, 0 %"

# Profiles of different sizes are not compared in whole samples.
pair() { printf "$1" >"$tmp/1"; printf "$2" >"$tmp/2"; shift 2; draws "a pair" "$@" --diff "$tmp/1" "$tmp/2"; }
pair 'a 5\nb 5\n' 'a 4\nb 3\n'
is "ten against seven" "$(tip a)" "base 5 samples, 50 %; new 4 samples, 57.1 %; +7.14 points, +14.3 %"
has "... is a difference" "$tmp/out" 'fill="#ff5a5a"><title>a ('
pair 'x 30\na 1\nb 99\n' 'a 1\nb 99\n'
is "a sample each" "$(tip a)" "base 1 sample, 0.77 %; new 1 sample, 1 %; +0.23 points, +30 %"
has "... is wider by a third, too" "$tmp/out" 'width="9.58" height="15" fill="#ff'
pair 'a 333\nb 333\nc 334\n' 'a 1\nb 1\nc 1\n'
is "a sample that is many" "$(tip a)" "base 333 samples, 33.3 %; new 1 sample, 33.3 %; +0.03 points, +0.1 %"
pair 'a 1299\nb 1\n' 'a 775\nc 1\n'
is "one new sample" "$(tip c)" "base 0 samples, 0 %; new 1 sample, 0.13 %; +0.13 points, new"
has "... is not noise, nor the noise" "$tmp/out" 'fill="#ffb52e"><title>c ('

# How much two recordings of the same load may differ.
pair 'a 6\nb 994\n' 'a 10\nb 990\n' --chance 1
is "six against ten of a thousand" "$(tip a)" "base 6 samples, 0.6 %; new 10 samples, 1 %; +0.4 points, within chance"
has "... is grey" "$tmp/out" 'fill="#ececec"><title>a ('
has "... which the legend says" "$tmp/out" ">within chance, or unchanged (by less than 0.1 %)<"
pair 'a 6\nb 994\n' 'a 10\nb 990\n' --chance 50
has "... unless the level is higher" "$tmp/out" '+0.4 points, +66.7 %)'
pair 'a 60\nb 9940\n' 'a 100\nb 9900\n' --chance 1
is "ten times as many" "$(tip a)" "base 60 samples, 0.6 %; new 100 samples, 1 %; +0.4 points, +66.7 %"
pair 'a 1299\nb 1\n' 'a 775\nc 1\n' --chance 1
is "one new sample" "$(tip c)" "base 0 samples, 0 %; new 1 sample, 0.13 %; +0.13 points, within chance"
pair 'a;b 1000\n' 'a;b 990\na 10\n' --chance 1
is "what had all: the rest is tested" "$(tip b)" "base 1,000 samples, 100 %; new 990 samples, 99 %; ${minus}1 points, ${minus}1 %"
pair '# pyrograph: unit=ns\na 6\nb 994\n' '# pyrograph: unit=ns\na 10\nb 990\n' --chance 1
has "times are not counts" "$tmp/out" '+0.4 points, +66.7 %)'
pair 'a 6\nb 994\n' 'a 10\nb 990\n' --chance 1 --delta self
is "of frames themselves" "$(tip a)" "base 6 samples, 0.6 %; new 10 samples, 1 %; +0.4 points, within chance; self +0.4 points, within chance"
H='# pyrograph: start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:'
pair "${H}12.000000000Z\na 5\n" "${H}09.000000000Z\na 5\n" --normalize duration
is "five in 10 s, five in 7 s" "$(tip a)" "base 5 samples, 100 %; new 5 samples, 100 %; +30 % of all, +42.9 %"
is "counts are those of the input" "$($render folded "$tmp/out" | grep -v '^#')" "a 5 5"
pair '# pyrograph: unit=ns\na;b 20090858348\na 2345\n' '# pyrograph: unit=ns\na;b 23090858348\na;c 144200000\n' --normalize none
is "lengths of time" "$(tip b)" "base 20.1 s, over 99.9 %; new 23.1 s, 99.4 %; +3 s, +14.9 %"
is "... a new one" "$(tip c)" "base 0 ns, 0 %; new 144 ms, 0.62 %; +144 ms, new"
has "... in the heading" "$tmp/out" "new: $tmp/2 · 23.2 s<"
is "... the lines are exact" "$($render folded "$tmp/out" | grep '^a;b')" "a;b 20090858348 23090858348"

# A profile compared with itself gives the plain picture, in one colour.
boxes() { sed -n '/id="frames"/,/<\/g>/p' "$1" | grep -o '<rect x="[^>]*fill' | sed 's/ y="[^"]*"//'; }
draw before.folded >"$tmp/plain.svg"
draws itself --diff before.folded before.folded
boxes "$tmp/plain.svg" >"$tmp/a"
boxes "$tmp/out" >"$tmp/b"
same "nothing changed: the widths of the plain picture" "$tmp/b" "$tmp/a"
is "... and no colour" "$(sed -n '/id="frames"/,/<\/g>/p' "$tmp/out" | grep -o 'fill="[^"]*"' | sort -u | tr '\n' ' ')" 'fill="#dcdcdc" fill="#ececec" '

# The output of difffolded.pl gives the same as the two files.
{ sed -n 's/ [0-9]*$//p' $data/before.folded $data/after.folded | grep -v '^#' | sort -u; } | while read -r stack; do
	b=$(sed -n "s|^$(echo "$stack" | sed 's/[][]/\\&/g') ||p" $data/before.folded)
	a=$(sed -n "s|^$(echo "$stack" | sed 's/[][]/\\&/g') ||p" $data/after.folded)
	echo "$stack $((${b:-0} * 2)) ${a:-0}"
done >"$tmp/columns"
draw "$tmp/columns" | sed -n '/id="frames"/,/<\/g>/p' | grep -o 'fill="[^"]*"' >"$tmp/a"
sed -n '/id="frames"/,/<\/g>/p' "$tmp/diff.svg" | grep -o 'fill="[^"]*"' >"$tmp/b"
same "two columns, normalised before: the same colours" "$tmp/a" "$tmp/b"
status "the base from stdin" 0 sh -c "cd $data && $started flame -q --chance 0 --script flame.js --diff - after.folded <before.folded"
grep '<title>' "$tmp/out" >"$tmp/a"
grep '<title>' "$tmp/diff.svg" >"$tmp/b"
same "... the same" "$tmp/a" "$tmp/b"

$render folded "$tmp/diff.svg" >"$tmp/folded"
has "... as folded lines, how they were compared" "$tmp/folded" "normalize=total"
filled() { sed -n '/id="frames"/,/<\/g>/p' "$1" | grep -o '<rect x="[^>]*>' | sed 's/ y="[^"]*"//'; }
draw "$tmp/folded" >"$tmp/again.svg"
filled "$tmp/again.svg" >"$tmp/a"
filled "$tmp/diff.svg" >"$tmp/b"
same "... which make the same picture" "$tmp/a" "$tmp/b"
draws elided --elided --diff before.folded after.folded
is "elided: base's own counts" "$(tip helper)" "15 samples, 100 %"
has "... of how many" "$tmp/out" "15 samples of the base&#39;s 100 samples, 15 %"
has_not "... nothing that stayed" "$tmp/out" "parse"
printf 'a;b 5\n' >"$tmp/1"
printf 'a;b;c 5\n' >"$tmp/2"
status "elided: a path that is there has not gone" 2 $render flame -q --elided --diff "$tmp/1" "$tmp/2"
has "... and says so" "$tmp/out" "no stack is gone"

draws ratio --width-by cycles --color-by instructions/cycles events.folded
is "instructions per cycle" "$(tip read)" "20,000 cycles, 23.5 %; 10,000 instructions, 10 %; 100 cache-misses, 97.1 %; instructions/cycles 0.5"
is "... what has no width counts with its caller" "$(tip idle)" "25,000 cycles, 29.4 %; 5,000 instructions, 5 %; 0 cache-misses, 0 %; instructions/cycles 0.2"
is "... and what is no leaf" "$(tip serve)" "30,000 cycles, 35.3 %; 65,000 instructions, 65 %; 3 cache-misses, 2.91 %; instructions/cycles 2.167"
has "... the gradient's ends" "$tmp/out" '"low":0.20000000000000001,"high":2.1666666666666665'
draws "two files" --width-by cycles --color-by instructions/cycles instructions.folded cycles.folded
is "a file for each event" "$(tip serve)" "30,000 cycles, 35.3 %; 65,000 instructions, 65 %; instructions/cycles 2.167"
status "an unknown event" 2 $render flame --width-by nosuch --color-by cycles $data/events.folded
has "... names those there are" "$tmp/err" "the input has cycles, instructions, cache-misses"
status "an unknown event for the colour" 2 $render flame --width-by cycles --color-by cycles/nosuch $data/events.folded
has "... too" "$tmp/err" "--color-by: no event 'cycles/nosuch'"

draws animate --animate 2500ms timed.folded
has "windows: the empty ones too" "$tmp/out" '"layers":[{"name":"2026-11-21T10:15:02.000000000Z","total":7},{"name":"2026-11-21T10:15:04.500000000Z","total":0},{"name":"2026-11-21T10:15:07.000000000Z","total":0},{"name":"2026-11-21T10:15:09.500000000Z","total":3}],"combine":"sum"'
has "... their time" "$tmp/out" '"animate":{"start_ns":"1795256102000000000","step_ns":"2500000000"}'
is "... the static picture is all of it" "$(tip main)" "10 samples, 100 %"
status "too many windows" 2 $render flame --animate 1ms $data/timed.folded
has "... says which step would do" "$tmp/err" "choose a larger step, such as 10ms"
status "... it does" 0 $render flame --animate 10ms $data/timed.folded
printf '@1 a 1\n@1001.5 b 1\n@5000 c 1\n@9000 d 1\n@2 e 1\n@7000 f 1\n' >"$tmp/long"
status "... of a long time" 2 $render flame --animate 1ms "$tmp/long"
has "... too" "$tmp/err" "such as 10s"
is "... and nothing else" "$(grep -vc '^Try' "$tmp/err")" 1
status "... it does" 0 $render flame --animate 10s "$tmp/long"
status "... far too many" 2 $render flame --animate 1ns $data/timed.folded
status "no times" 1 $render flame --animate 1s $data/before.folded
has "... says where they come from" "$tmp/err" "collapse --timed"

draws multiples --multiples before.folded after.folded third.folded
is "panels" "$(grep -c '<title>main (' "$tmp/out")" 3
has "... their settings" "$tmp/out" '"panels":[{"layer":0,"top":'
has "... captions" "$tmp/out" "200 samples, +100 % against the first"
grep '<title>' "$tmp/out" >"$tmp/a"
draws "several bases" --diff before.folded --diff after.folded third.folded
grep '<title>' "$tmp/out" >"$tmp/b"
same "--diff twice: the same panels" "$tmp/b" "$tmp/a"

draws "factor" --factor 0.1 --width-by cycles --color-by instructions/cycles events.folded
is "--factor holds for all events" "$(tip read)" "2,000 cycles, 23.5 %; 1,000 instructions, 10 %; 10 cache-misses, 97.1 %; instructions/cycles 0.5"

# ---- options that go together, and options that do not ----------------------------------------------

draws "threshold" --threshold 12 --diff before.folded after.folded
has "--threshold is in percent" "$tmp/out" '"threshold":0.12,'
has "... says so" "$tmp/out" 'unchanged (by less than 12 %)'
while read -r option <&3; do
	# shellcheck disable=SC2086
	status "$option with one profile" 0 $render flame $option $data/before.folded
	has "... is said to do nothing" "$tmp/err" "warning: ${option%% *} has no effect without two profiles (--diff BASE)"
done 3<<'CASES'
--delta self
--threshold 5
--chance 5
--normalize total
--delta-colors orange-blue
--negate
CASES
status "... with two columns" 0 $render flame --delta self --threshold 5 "$tmp/columns"
is "... it does" "$(cat "$tmp/err")" ""
printf '# pyrograph: event=cycles unit=period\na 1\n' >"$tmp/cycles"
printf '# pyrograph: event=page-faults unit=samples\na 1\n' >"$tmp/faults"
status "different events" 0 $render flame "$tmp/cycles" "$tmp/faults"
has "... are not added up silently" "$tmp/err" "warning: adds up values with different events: cycles, page-faults"
has "... nor are units" "$tmp/err" "warning: adds up values with different units: period, samples"
status "... or compared" 0 $render flame --diff "$tmp/cycles" "$tmp/faults"
has "... silently" "$tmp/err" "warning: compares profiles with different events"
status "the same event" 0 $render flame "$tmp/cycles" "$tmp/cycles"
is "... says nothing" "$(cat "$tmp/err")" ""
cp $data/before.folded "$tmp/input"
ln -s input "$tmp/link"
for name in input link; do
	status "-o $name, which is read" 2 $render flame --diff "$tmp/input" -o "$tmp/$name" $data/after.folded
	has "... is refused" "$tmp/err" "-o $tmp/$name would overwrite an input"
done
same "... and stays" "$tmp/input" $data/before.folded
cp "$tmp/diff.svg" "$tmp/picture.svg"
status "folded -o" 2 $render folded -o "$tmp/picture.svg" "$tmp/picture.svg"
mkdir "$tmp/limited"
status "a file too large" 153 sh -c "ulimit -c 0; ulimit -f 8; $started flame -o '$tmp/limited/x.svg' $data/before.folded"
is "... leaves nothing" "$(ls -A "$tmp/limited")" ""

# ---- one side is missing ---------------------------------------------------------

: >"$tmp/empty"
echo 'a 0' >"$tmp/zero"
for none in empty zero; do
	status "--diff: the new side is $none" 2 $render flame --diff $data/before.folded "$tmp/$none"
	has "... says so" "$tmp/err" "nothing to draw: $tmp/$none is empty: there is nothing to compare"
	has "... in the picture" "$tmp/out" "nothing to compare"
	status "--diff: the base is $none" 2 $render flame --diff "$tmp/$none" $data/before.folded
	status "--multiples: one is $none" 2 $render flame --multiples $data/before.folded $data/after.folded "$tmp/$none"
done
status "both are empty" 2 $render flame --diff "$tmp/empty" "$tmp/empty"
has "... as a single one is" "$tmp/err" "nothing to draw: the input is empty"
status "a filter leaves nothing of one" 0 $render flame --include new_code --diff $data/before.folded $data/after.folded
has "... is told" "$tmp/err" "warning: no line of $data/before.folded passes the filters"

# ---- a picture for each thread ----------------------------------------------------------

H='# pyrograph: host=db1 root=thread unit=samples'
printf "$H\nt1;a 10\nt1;b 5\nt2;a 5\nt3;x 5\n" >"$tmp/before"
printf "$H\nt1;a 20\nt1;b 6\nt2;a 5\nt4;x 3\n" >"$tmp/after"
status "--split --diff" 0 $render flame --script s.js --split thread -o "$tmp/threads" --diff "$tmp/before" "$tmp/after"
page=$tmp/threads/index.html
has "... the page names both" "$page" "<p class=\"note\">base: $tmp/before · db1 · 25 samples</p>"
has "... says both" "$page" '>t1</a></th><td class="number">15 samples</td><td class="number">60 %</td><td class="number">26 samples</td><td class="number">76.5 %</td>'
has "... of what is new, too" "$page" '>t4</a></th><td class="number">0 samples</td><td class="number">0 %</td><td class="number">3 samples</td>'
has "... and all" "$page" '4 pictures</th><td class="number">25 samples</td><td class="number">100 %</td><td class="number">34 samples</td><td class="number">100 %</td>'
has "... so does each picture" "$tmp/threads/t1.svg" ">base: $tmp/before · db1 · 15 samples</text>"
is "... in which all changes are shares of one whole" "$(grep -c '<title>.*% of all' "$tmp/threads/t1.svg")" 3
printf "$H\nt1;a 10 12\nt2;a 5 3\n" >"$tmp/columns"
status "two columns" 0 $render flame --script s.js --split thread -o "$tmp/threads2" "$tmp/columns"
has "... the page names these" "$tmp/threads2/index.html" '<p class="note">db1 · before 15 samples, after 15 samples</p>'

# ---- what a viewer without scripts shows --------------------------------------------

# Fonts differ between machines, so only the colours of frames count.
if command -v rsvg-convert >/dev/null && command -v python3 >/dev/null; then
	while read -r name options <&3; do
		# shellcheck disable=SC2086
		draw --width 500 $options >"$tmp/$name.svg"
		rsvg-convert "$tmp/$name.svg" -o "$tmp/$name.png"
		[ -z "${BLESS:-}" ] || cp "$tmp/$name.png" "$data/$name-rsvg.png"
		# shellcheck disable=SC2086
		draw --width 500 --format png $options >"$tmp/$name-cairo.png"
		served python3 tests/golden/compare_png.py --tap "$tmp/$name.svg" "$data/$name-rsvg.png" \
			"$name by librsvg's picture" "$tmp/$name.png" "$name-cairo by librsvg's picture" "$tmp/$name-cairo.png" ||
			not_ok "$name by compare_png.py"
	done 3<<-'CASES'
	diff --diff before.folded after.folded
	multiples --multiples before.folded after.folded third.folded
	ratio --width-by cycles --color-by instructions/cycles events.folded
	CASES
else
	skip "pictures by librsvg" "no rsvg-convert or python3"
fi

# ---- other formats, bad days ------------------------------------------------------

for how in "--diff before.folded after.folded" "--multiples before.folded third.folded" \
	"--width-by cycles --color-by instructions/cycles events.folded" "--animate 1s timed.folded"; do
	# shellcheck disable=SC2086
	draw $how --format png >"$tmp/a.png" 2>"$tmp/err" && is "a PNG of $how" "$(head -c 4 "$tmp/a.png" | tail -c 3)" PNG ||
		not_ok "a PNG of $how" "$tmp/err"
	# shellcheck disable=SC2086
	draw $how >"$tmp/a.svg" && draw $how >"$tmp/b.svg" && same "... the same twice" "$tmp/a.svg" "$tmp/b.svg"
done
: >"$tmp/nothing"
status "both empty: nothing to draw" 2 $render flame -q --diff "$tmp/nothing" "$tmp/nothing"
status "... panels" 2 $render flame -q --multiples "$tmp/nothing" "$tmp/nothing"
status "no events" 2 $render flame -q --width-by a --color-by b "$tmp/nothing"
status "no times at all" 2 $render flame -q --animate 1s "$tmp/nothing"
status "fractions and large numbers" 0 $render flame -q --diff "$tmp/1" - <<'HUGE'
a;b 9000000000.123456789
a;c 0.000000001
HUGE
printf 'a\0b;x 1\na\0c;x 2\na;y 4\n' >"$tmp/nul"
status "a NUL in an event's name" 0 $render flame -q --width-by a --color-by a "$tmp/nul"
has "... ends it" "$tmp/out" '"layers":[{"name":"a","total":7}]'
status "duration unknown" 1 $render flame --normalize duration --diff "$tmp/1" $data/after.folded
has "... says what is missing" "$tmp/err" "has no start= and end="
status "a missing base" 1 $render flame --diff /nonexistent $data/after.folded
status "threads of a differential" 0 $render flame -q --split thread -o "$tmp/threads" --diff $data/before.folded $data/after.folded
has "... compared within the thread" "$tmp/threads/main.svg" "<title>lex (base 10 samples, 10 %;"

while read -r options <&3; do
	# shellcheck disable=SC2086
	status "wrong usage: $options" 2 $render flame $options $data/before.folded
	is "... writes nothing" "$(cat "$tmp/out")" ""
done 3<<'CASES'
--delta both
--normalize weight
--threshold 101
--threshold 5%%
--chance 101
--chance often
--elided
--animate 1ms tests/golden/layers/timed.folded
--width-by a --color-by b
--threshold x%
--delta-colors pink
--animate 0
--animate soon
--width-by cycles
--color-by cycles
--multiples
--multiples --animate 1s
--diff a --width-by b --color-by c
--diff - -
--multiples --split thread -o dir x
--diff a --total 5
--diff a --chart
CASES
