#!/bin/sh
# Pictures that must not change by a byte: tests/golden/flame/NAME.folded drawn
# with the options below.  The script is left out of them; see the end.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/flame

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render flame -q --script flame.js $options "$data/$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		set -- "$@" "$tmp/$picture"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
plain.folded plain.svg
plain.folded icicle.svg --icicle --bgcolors yellow --title Icicles --subtitle second --height 20
plain.folded reverse.svg --reverse --colors io --width 600 --fontsize 10 --notes remarks
plain.folded total.svg --total 100 --factor 10.5 --countname ms --nametype Frame: --bgcolors #f0f0f0
plain.folded minwidth.svg --minwidth 5% --colors mem --fonttype monospace
losses.folded losses.svg
java.folded java.svg --color=java
java.folded filtered.svg --colors java --include GC --include com/ --exclude handle_\[0\]
hostile.folded hostile.svg
chart.folded chart.svg --chart --width 600
chart.folded chart-reverse.svg --chart --width 600 --reverse --inverted
CASES
are_xml "$@"

# ---- the same data give the same picture, in whatever form they come -------------------

draw() { $render flame -q "$@"; }
draw $data/plain.folded >"$tmp/a.svg"
{ head -1 $data/plain.folded; grep -v '^#' $data/plain.folded | sort -r | sed 's/$/\r/'; } >"$tmp/shuffled"
draw "$tmp/shuffled" >"$tmp/b.svg"
same "CRLF, another order: the same bytes" "$tmp/b.svg" "$tmp/a.svg"
sed '/^#/!s/^/@12.5 /' "$tmp/shuffled" >"$tmp/timed"
draw "$tmp/timed" >"$tmp/t.svg"
for svg in a t; do # timed lines also tell what came first
	sed 's/,"arrival":true//; /class="flame-tree"/d' "$tmp/$svg.svg" >"$tmp/$svg.drawn"
done
same "timed lines: the same but for the order of arrival" "$tmp/t.drawn" "$tmp/a.drawn"
has "... which is there" "$tmp/t.svg" '"arrival":true'
head -4 $data/plain.folded >"$tmp/1"
tail -n +5 $data/plain.folded >"$tmp/2"
draw - "$tmp/2" <"$tmp/1" >"$tmp/b.svg"
same "stdin and a file: the same bytes" "$tmp/b.svg" "$tmp/a.svg"
draw -o "$tmp/o.svg" $data/plain.folded && same "-o: the same bytes" "$tmp/o.svg" "$tmp/a.svg"

# ---- what the file says about itself ------------------------------------------

head -c 16384 "$tmp/a.svg" >"$tmp/head"
has "metadata within 16 kB" "$tmp/head" '<metadata id="pyrograph">{"kind":"flame","title":"Flame Graph","unit":"samples","total":78,"host":"db1",'

# ---- data other than CPU time are not drawn as CPU time ------------------------------------------

while IFS='|' read -r event options title label <&3; do
	# shellcheck disable=SC2086
	printf '%s\n' "# pyrograph: event=$event unit=ns" 'main;read 5000000000' |
		$render flame -q --no-javascript $options >"$tmp/event.svg"
	has "$event $options: $title" "$tmp/event.svg" "<title>$title</title>"
	is "... in its colours" "$(grep -c ">$label</text>" "$tmp/event.svg")" 1
done 3<<'CASES'
offcpu||Off-CPU Flame Graph|off-CPU
offcpu|--icicle|Off-CPU Icicle Graph|off-CPU
offcpu|--title Mine|Mine|off-CPU
offcpu|--colors java|Off-CPU Flame Graph|native
wakeup||Waits for a CPU, Flame Graph|off-CPU
locks||Lock Flame Graph|off-CPU
CASES
for event in offcpu:"woken by" locks:"held by"; do
	printf '%s\n' "# pyrograph: event=${event%:*} unit=ns" 'main;wait;--;let_go_[w];keeper_[w] 5000000' | $render flame -q >"$tmp/event.svg"
	has "${event%:*}: the other thread is the one that it was ${event#*:}" "$tmp/event.svg" "<title>${event#*:} "
done
has "... also for the script" "$tmp/event.svg" '"chain":"held by"'
printf '%s\n' "# pyrograph: event=cpu-clock unit=ns" 'main;read 5' | $render flame -q --no-javascript >"$tmp/event.svg"
has "CPU time is as ever" "$tmp/event.svg" "<title>Flame Graph</title>"

awk '/^<script>/ { on = 1; next } /^\]\]><\/script>/ { on = 0 } on' "$tmp/a.svg" >"$tmp/script"
scripts() # CHART: attributes that all charts share, and its own, in order
{
	grep -oh '"[a-z/_]*\.js"' render/drawing/page.c "render/$1/$1_page.c" |
		sed 's|"\(.*\)"|render/browser/\1|; s|render/browser/core|core|'
}
scripts flame | xargs cat >"$tmp/both.js"
same "the script is embedded byte for byte" "$tmp/script" "$tmp/both.js"
$render script >"$tmp/script"
within() { sed '1,/^var pyrograph = self/d; /^pyrograph\.style = /,$d' "$1" >"$2"; }
within "$tmp/script" "$tmp/within"
same "render script: the same, in one function" "$tmp/within" "$tmp/both.js"
tail -2 "$tmp/script" | cut -c 1-30 >"$tmp/end"
is "... with the style" "$(cat "$tmp/end")" 'pyrograph.style = "/* Looks of
})();'
scripts bars | xargs cat >"$tmp/bars.js"
$render script states >"$tmp/states.js"
within "$tmp/states.js" "$tmp/within"
same "... of bars" "$tmp/within" "$tmp/bars.js"
has_not "... ends no CDATA section" "$tmp/states.js" ']]>'
status "scripts of two charts, under names that have their version" 0 $render script --into "$tmp/scripts" flame states
cp "$tmp/out" "$tmp/names"
is "... are printed, and written" "$(cat "$tmp/names")" "$(ls "$tmp/scripts")"
is "... names of charts" "$(sed -E 's/-[0-9a-f]{16}\.js$//' "$tmp/names" | xargs)" "flame states"
same "... the same script" "$tmp/scripts/$(head -1 "$tmp/names")" "$tmp/script"
before=$(stat -c '%i %Y' "$tmp"/scripts/*)
status "... again" 0 $render script --into "$tmp/scripts" flame states
is "... they stay" "$(stat -c '%i %Y' "$tmp"/scripts/*)" "$before"
echo 'alert(1)' >"$tmp/scripts/$(head -1 "$tmp/names")"
echo precious >"$tmp/precious"
ln -sf "$tmp/precious" "$tmp/scripts/$(tail -1 "$tmp/names")"
status "what somebody planted under such a name" 0 $render script --into "$tmp/scripts" flame states
same "... is replaced" "$tmp/scripts/$(head -1 "$tmp/names")" "$tmp/script"
is "... a link, too, and not followed" "$(cat "$tmp/precious")" precious
ln -s "$tmp" "$tmp/elsewhere"
status "a directory that is a link, from a report" 1 env PYROGRAPH_CALLER="pyrograph report" $started script --into "$tmp/elsewhere"
status "two kinds of output" 2 $render script --into "$tmp/scripts" -o x.js
status "a script of a chart that does not exist" 2 $render script --into "$tmp/scripts" pie
is "... nothing is written" "$(ls "$tmp/scripts" | wc -l)" 2
has_not "... they do not end a CDATA section either" "$tmp/bars.js" ']]>'
has_not "... nor does their style" render/browser/bars/bars.css ']]>'
status "a chart without a script" 2 $render script pie
if command -v node >/dev/null; then
	node --check "$tmp/both.js" 2>"$tmp/err" && ok "node --check" || not_ok "node --check" "$tmp/err"
else
	skip "node --check" "no node"
fi
has_not "the scripts do not end their CDATA section" "$tmp/both.js" ']]>'
has_not "nor does the style" render/browser/flame/flame.css ']]>'
has_not "... of every chart" render/browser/common/chart.css ']]>'

# ---- PNG -----------------------------------------------------------------------

status "a PNG by its name" 0 $render flame -q -o "$tmp/a.png" $data/plain.folded
is "... is one" "$(head -c 4 "$tmp/a.png" | tail -c 3)" PNG
status "a PNG of hostile names" 0 $render flame -q --format png $data/hostile.folded
cp "$tmp/out" "$tmp/h1.png"
draw --format png $data/hostile.folded >"$tmp/h2.png"
same "... the same twice" "$tmp/h1.png" "$tmp/h2.png"

# ---- one picture a thread (more in split.test.sh) -------------------------------------------------------

status "--split thread" 0 $render flame -q --split thread -o "$tmp/threads" --script s.js \
	$data/java.folded $data/hostile.folded
is "... file names are safe" "$(ls -A "$tmp/threads" | sort | tr '\n' ' ')" \
	"_._.._etc_x.svg ______.svg _________.svg _script_alert_1___script_.svg a_b.svg index.html java-8513_GC_Thread_0.svg java-8513_main.svg x_y.svg "
has "... the title has the full name" "$tmp/threads/java-8513_GC_Thread_0.svg" \
	'"title":"Flame Graph: java-8513/GC Thread#0","unit":"samples","total":9,"thread":"java-8513/GC Thread#0"'
for f in "$tmp/threads"/*; do
	xmllint --noout "$f" 2>>"$tmp/xml.err"
done
is "... all of them XML" "$(cat "$tmp/xml.err")" ""

# ---- bad input and bad days ------------------------------------------------------

printf 'a;b 1\nno number\na 1e2\nc 3\n' >"$tmp/bad"
status "bad lines are skipped" 0 $render flame "$tmp/bad" -o "$tmp/bad.svg"
has "... told by line" "$tmp/err" "bad:2:4: no number at the end: \"no number\""
has "... and counted" "$tmp/err" "skipped 2 bad lines of 4"
status "... an error with --strict" 1 $render flame --strict "$tmp/bad" -o "$tmp/strict.svg"
is "... that writes nothing" "$(ls "$tmp/strict.svg" 2>&1 | grep -c 'No such')" 1
printf 'a;b 1\nno number\n' >"$tmp/bad"
$render flame "$tmp/bad" 2>"$tmp/err" >/dev/null
has "... a single one too" "$tmp/err" "skipped 1 bad line of 2"
echo 'a;b 3 5' >"$tmp/diff"
status "two values: a differential" 0 $render flame "$tmp/diff"
has "... " "$tmp/out" "(before 3 samples, 100 %; after 5 samples, 100 %; +2 samples, within chance)"

printf '# pyrograph: columns=time,count,longest unit=ns\na;b 10 2 5\na;c 1 20 20\na 1 2\n' >"$tmp/columns"
status "columns: the first one counts" 0 $render flame "$tmp/columns"
has "... " "$tmp/out" "<title>all (11 ns, 100 %)</title>"
has "... a line that lacks one is bad" "$tmp/err" "columns:4:1: fewer values than columns"
{ echo "# pyrograph: columns=time,count unit=ns"; awk 'BEGIN { for (i = 0; i < 300000; i++) print "main;function_" i % 1000 " 3 1" }'; } >"$tmp/columns"
status "... also of a file that is read in parts" 0 $render flame "$tmp/columns"
has "... " "$tmp/out" "<title>all (900 µs, 100 %)</title>"

for empty in "" "# only 5" "a 0" "junk"; do
	echo "$empty" >"$tmp/empty"
	status "nothing usable ('$empty') is an error" 2 $render flame "$tmp/empty"
	xmllint --noout "$tmp/out" 2>"$tmp/err" && ok "... with a picture" || not_ok "... with a picture" "$tmp/err"
done
status "... as PNG" 2 $render flame --format png "$tmp/empty"
status "... split: no picture" 2 $render flame --split thread -o "$tmp/none" "$tmp/empty"
status "nothing passes the filter" 2 $render flame --include nosuch $data/plain.folded
has "... and says so" "$tmp/out" "no line passes the filters"

# Boxes are at least as wide as --minwidth; the whole has 1180 px.  OPTION | STACKS | names of the boxes
while IFS='|' read -r option stacks names <&3; do
	printf "$stacks\n" | $render flame -q --minwidth "$option" >"$tmp/out" 2>"$tmp/err"
	is "--minwidth $option of $stacks" "$(sed -n 's/.*<title>\([a-z]*\) (.*/\1/p' "$tmp/out" | sort | paste -sd' ')" "$names"
done 3<<'CASES'
50%|a 1\nb 2|all b
34%|a 1\nb 2|all b
33.33%|a 1\nb 2|a all b
0.5%|a 5\nb 995|a all b
0.5%|a 4\nb 996|all b
0.5%|a 4999999\nb 995000001|all b
5.9|a 4999999\nb 995000001|all b
5.9|a 5000000\nb 995000000|a all b
CASES

plain=$data/plain.folded
status "a missing file" 1 $render flame /nonexistent $plain
status "a directory for input" 1 $render flame /
status "no place on the device" 1 sh -c "$started flame $plain >/dev/full"
status "... for a PNG" 1 sh -c "$started flame --format png $plain >/dev/full"
status "no such directory" 1 $render flame -o "$tmp/no/x.svg" $plain
status "a file for a directory" 1 $render flame --split thread -o "$tmp/bad" $plain
while read -r options <&3; do
	# shellcheck disable=SC2086
	status "wrong usage: $options" 2 $render flame $options $plain
	is "... writes nothing" "$(cat "$tmp/out")" ""
done 3<<'CASES'
--colors nosuch
--bgcolors #12345
--minwidth abc
--minwidth 101%
--minwidth -1
--width 10
--height 0
--fontsize 0
--factor x
--format gif
--split cpu -o x
--split thread
--include (
--nosuch
CASES

# ---- what is left out at first ------------------------------------------------------

idle='swapper;do_idle_[k];default_idle_[k] 90'
{ echo '# pyrograph: root=comm unit=samples'; echo "$idle"; printf 'swapper;do_idle_[k];tick_[k] 4\nsh;main 6\n'; } >"$tmp/idle.folded"
boxes() { sed -n 's/.*<title>\([^(]*\) (\([^)]*\)).*/\1: \2/p' "$tmp/out"; }
status "idle CPUs" 0 $render flame --no-javascript "$tmp/idle.folded"
is "... are left out" "$(boxes | sort | tr '\n' '|')" "all: 10 samples, 100 %|do_idle: 4 samples, 40 %|main: 6 samples, 60 %|sh: 6 samples, 60 %|swapper: 4 samples, 40 %|tick: 4 samples, 40 %|"
has "... and told" "$tmp/out" '>Idle hidden: 90 samples of idle CPUs, 90 % of all (--idle shows them)<'
status "... with a script" 0 $render flame "$tmp/idle.folded"
has "... there is a key" "$tmp/out" '>Idle hidden: 90 samples of idle CPUs, 90 % of all (Shift+I shows them)<'
$render folded "$tmp/out" | sort >"$tmp/back"
sort "$tmp/idle.folded" >"$tmp/there"
same "... and all lines in the file" "$tmp/back" "$tmp/there"
status "--idle" 0 $render flame --idle "$tmp/idle.folded"
is "... shows them" "$(boxes | head -1)" "all: 100 samples, 100 %"
has_not "... without a word" "$tmp/out" '>Idle hidden:'
{ sed 1q "$tmp/idle.folded"; echo "$idle"; } >"$tmp/only.folded"
status "nothing but idle CPUs" 0 $render flame "$tmp/only.folded"
is "... is shown" "$(boxes | head -1)" "all: 90 samples, 100 %"
status "two profiles" 0 $render flame --diff "$tmp/idle.folded" "$tmp/idle.folded"
has "... without idle CPUs" "$tmp/out" 'Idle hidden: 180 samples of idle CPUs, 90 % of all (--idle shows them)<'
has_not "... in the data, too" "$tmp/out" "default_idle"
status "a picture for each process" 0 $render flame --split comm -o "$tmp/parts" "$tmp/idle.folded"
has "... the page tells what none of them shows" "$tmp/parts/index.html" '<p class="note">Idle hidden: 90 samples of idle CPUs, 90 % of all (--idle shows them)</p>'
has_not "... the pictures do not" "$tmp/parts/sh.svg" '>Idle hidden'
awk 'BEGIN { print "# pyrograph: root=comm unit=samples"; for (i = 0; i < 300000; i++)
	print i % 2 ? "swapper;do_idle_[k];default_idle_[k] 1" : "sh;main;a_function_of_a_long_name_" i % 1000 " 1" }' >"$tmp/large.folded"
status "a file that is read in parts" 0 $render flame --no-javascript "$tmp/large.folded"
has "... the same" "$tmp/out" 'Idle hidden: 150,000 samples of idle CPUs, 50 % of all'
printf '# pyrograph: event=offcpu root=comm,wait unit=ns\njava;[work];park 9000\njava;[lock];take 1000\n' >"$tmp/waits.folded"
status "waits for work" 0 $render flame "$tmp/waits.folded"
has "... are left out, too" "$tmp/out" '>Idle hidden: 9 µs of sleep and waits for work, 90 % of all (Shift+I shows them)<'
printf '# pyrograph: event=offcpu root=comm,wait left-out=3000/13000 unit=ns\njava;[sleep];usleep 9000\njava;[lock];take 1000\n' >"$tmp/sleeps.folded"
status "sleep" 0 $render flame "$tmp/sleeps.folded"
has "... is, too" "$tmp/out" '>Idle hidden: 9 µs of sleep and waits for work, 90 % of all (Shift+I shows them)<'
has "... is, too; and what collapse left out is told" "$tmp/out" \
	'>Waits for work: 3 µs, 23.1 % of all, left out by collapse (--waits all keeps them)<'
idle_chart()
{
	printf '%s\n' "$2" "$3" "$4" >"$tmp/idle_chart.folded"
	status "idle time of $1" 0 $render flame "$tmp/idle_chart.folded"
	has "... is hidden, and told" "$tmp/out" '>Idle hidden: 9 µs of sleep and waits for work, 90 % of all (Shift+I shows them)<'
	is "... the rest is drawn" "$(boxes | head -1)" "all: 1 µs, 100 %"
}
idle_chart locks '# pyrograph: event=locks root=comm,idle,lock unit=ns' 'java;[work];java-park;park 9000' 'java;mutex;take 1000'
idle_chart "system calls" '# pyrograph: event=syscalls root=comm,idle,syscall unit=ns' 'java;[sleep];nanosleep;nap;blocked 9000' 'java;nanosleep;nap;cpu 1000'
idle_chart "all the time" '# pyrograph: event=wall root=thread unit=ns' 'java-1/a;nap;[blocked: sleep] 9000' 'java-1/a;[work];take;[blocked: lock] 1000'

# ---- processes of two runs ------------------------------------------------------------

for run in 17 4711; do
	printf '# pyrograph: root=pid,thread,tid unit=samples\njava-%s;java-%s/dw-20;dw-20-%s/99%s;run-5 100\n' $run $run $run $run >"$tmp/run$run"
done
status "two runs" 0 $render flame --no-javascript --diff "$tmp/run17" "$tmp/run4711"
is "... have the same processes" "$(boxes | sed 's/:.*//' | tr '\n' ' ')" "all java java/dw-20 dw-20 run-5 "
status "... --pids" 0 $render flame --no-javascript --pids --diff "$tmp/run17" "$tmp/run4711"
is "... with other numbers" "$(boxes | grep -c '^java-17:\|^java-4711:')" 2

# ---- deep stacks ----------------------------------------------------------------------

awk 'BEGIN { for (i = 1; i < 300; i++) printf "f%d;", i; print "top 5" }' >"$tmp/deep.folded"
status "a picture without script of 301 levels" 0 $render flame --no-javascript "$tmp/deep.folded"
has "... is cut, and says so" "$tmp/out" '>51 frames deeper than 250 levels not drawn (--max-depth)<'
is "... at a height" "$(grep -c '<rect x="10" ' "$tmp/out")" 250
status "... with a script" 0 $render flame "$tmp/deep.folded"
has "... says who draws the rest" "$tmp/out" '>51 frames deeper than 250 levels: only the script draws them<'
status "--max-depth 0" 0 $render flame --no-javascript --max-depth 0 "$tmp/deep.folded"
is "... all of it" "$(grep -c '<rect x="10" ' "$tmp/out")" 301

# ---- kinds of waits -------------------------------------------------------------------

cat >"$tmp/off.folded" <<'END'
# pyrograph: event=offcpu root=comm,wait left-out=9000/15400 unit=ns
java;[lock];serve;lock_wait;--;wake_[w];rebuild_[w] 2100
java;[I/O];flush;io_schedule_[k] 900
java;[sleep];retry 800
java;[unknown wait];x 2600
END
fills() { sed -n 's/.*fill="\([^"]*\)"><title>\([^(]*\) (.*/\2 \1/p' "$tmp/out"; }
status "off-CPU" 0 $render flame --no-javascript --idle "$tmp/off.folded"
has "... says what collapse left out" "$tmp/out" '>Waits for work: 9 µs, 58.4 % of all, left out by collapse (--waits all keeps them)<'
for label in lock I/O 'sleep, timer' 'unknown wait' 'woken by'; do
	has "... the legend: $label" "$tmp/out" "class=\"note\" fill=\"#5c5c5c\">$label<"
done
has_not "... no other kind" "$tmp/out" '>page fault<'
is "... frames have the colours of their kind" "$(fills | grep -c '^\(\[lock\]\|serve\|lock_wait\) #[cd].[89a]')" 3
has "... what wakes is told in words" "$tmp/out" '<title>woken by (2.1 µs'
status "... --colors" 0 $render flame --no-javascript --colors chain "$tmp/off.folded"
has "... is as before" "$tmp/out" '>off-CPU<'
status "... with a script" 0 $render flame "$tmp/off.folded"
has "... has the kinds" "$tmp/out" '"waits":[["[lock]","lock","#c78bee"],'
is "... and lines as they were" "$($render folded "$tmp/out" | grep -c -- ';--;wake_\[w\];')" 1

# ---- names in narrow boxes --------------------------------------------------------------

printf 'a;com.example.Shop.rebuildIndex 10\na;com.example.Desk.rebuildCacheOfAll 10\na;Calls::call_helper 10\na;Clock.runs 6\nb 64\n' >"$tmp/narrow.folded"
status "narrow boxes" 0 $render flame --no-javascript --width 1000 "$tmp/narrow.folded"
is "... the method, in full or both of its ends; a short one has its class" "$(sed -n 's/.*<text[^>]*>\([^<]*\)<.*/\1/p' "$tmp/out" | grep -E '[a-z]{3}' |
	grep -v -e Graph -e samples -e all$ -e frames | paste -sd' ' -)" "call_helper Clo..uns rebuild..eOfAll rebuildIndex"

# ---- what measures --------------------------------------------------------------------

printf 'sh;main;work 90\nsh;main;write;bpf_prog_6_x_[k];bpf_ringbuf_output_[k] 7\npyrograph;drain 3\n' >"$tmp/measures.folded"
status "what measures" 0 $render flame --no-javascript "$tmp/measures.folded"
has "... is told" "$tmp/out" '>Profiler overhead: 10 samples, 10 %<'
is "... has a colour of its own" "$(fills | sed -n 's/ #b9b4d2//p' | sort | tr '\n' ' ')" "bpf_prog_6_x bpf_ringbuf_output pyrograph "
has "... which the legend has" "$tmp/out" '>profiler<'
status "... a key, with a script" 0 $render flame "$tmp/measures.folded"
has "... is told" "$tmp/out" '10 samples, 10 %. K hides it<'
{ echo '# pyrograph: event=faults root=comm unit=faults'; printf 'sh;main;work 60\nsh;main;write;bpf_prog_6_x_[k];grow_[k] 20\npyrograph-colle;drain;get_page 1\n'; } >"$tmp/ours.folded"
status "the profiler itself, more than a quarter of a chart" 0 $render flame "$tmp/ours.folded"
has "... is hidden, and told" "$tmp/out" '>Profiler hidden: 21 faults of the profiler itself, 25.9 % of all (Shift+I shows them)<'
is "... the rest is drawn" "$(boxes | sort | tr '\n' '|')" "all: 60 faults, 100 %|main: 60 faults, 100 %|sh: 60 faults, 100 %|work: 60 faults, 100 %|"
has_not "... it is told once" "$tmp/out" '>Profiler overhead'
$render folded "$tmp/out" | sort >"$tmp/back"
sort "$tmp/ours.folded" >"$tmp/there"
same "... all lines are in the file" "$tmp/back" "$tmp/there"
status "... a picture without a script" 0 $render flame --no-javascript "$tmp/ours.folded"
has "... says so, too" "$tmp/out" '25.9 % of all (--idle shows them)<'
status "... --idle" 0 $render flame --idle "$tmp/ours.folded"
has "... shows them" "$tmp/out" '>Profiler overhead: 21 faults, 25.9 %. K hides it<'
grep -v drain "$tmp/ours.folded" >"$tmp/quarter.folded"
status "... exactly a quarter" 0 $render flame "$tmp/quarter.folded"
has "... is shown" "$tmp/out" '>Profiler overhead: 20 faults, 25 %. K hides it<'
{ sed 1q "$tmp/idle.folded"; echo "$idle"; printf 'sh;main 2\npyrograph;drain 3\npyrograph 5\n'; } >"$tmp/both.folded"
status "idle CPUs, and the profiler itself" 0 $render flame "$tmp/both.folded"
has "... one line" "$tmp/out" '>Idle and profiler hidden: 98 samples of idle CPUs and the profiler itself, 98 % of all (Shift+I shows them)<'
printf 'pyrograph;drain 3\n' >"$tmp/all.folded"
status "nothing but the profiler" 0 $render flame "$tmp/all.folded"
is "... is shown" "$(boxes | head -1)" "all: 3 samples, 100 %"
