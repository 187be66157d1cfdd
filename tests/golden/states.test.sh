#!/bin/sh
# render states: pictures that must not change by a byte, their look without scripts, sums, options, hostile names, bad
# input, and the way back to lines.
# slow: hundreds of charts
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/states
sorted() { LC_ALL=C sort "$1"; }

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render states -q --script bars.js $options -o "$tmp/$picture" "$data/$file" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		set -- "$@" "$tmp/$picture"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
starving.folded starving.svg
starving.folded safe.svg --colors safe --theme dark --width 700 --height 24 --sort io --title Waiting --subtitle second --notes remarks
starving.folded count.svg --count --sort running --top 3
pools.folded pools.svg --pools --min-share 1%
pools.folded comm.svg --row comm --fold worker
plain.folded plain.svg --sort name
hostile.folded hostile.svg
crowd.folded crowd.svg
noise.folded noise.svg
noise.folded noise_longest.svg --color-by longest
CASES
are_xml "$@"

# A full bar stands for the largest source of noise; what ran has far more, and must not make all others tiny.
$render states -q --no-script --width 1200 -o "$tmp/noise.svg" "$data/noise.folded"
most=$(sed -n 's/^[^#].*;\(softirq\|interrupt\|call\|timer\|work\);[^ ]* \([0-9]*\) .*/\2/p' "$data/noise.folded" | sort -n | tail -1)
has "noise: a full bar is the most of one source" "$tmp/noise.svg" "A full bar is $(awk "BEGIN { printf \"%.3g\", $most / 1e6 }") ms, the most of a source of noise"

# The bar of all rows shows noise alone, and what ran is cut.
$render states -q --no-script --width 1200 --color-by longest -o "$tmp/longest.svg" "$data/noise.folded"
is "... the bar of all rows is of noise" "$(grep -c '>all noise<' "$tmp/noise.svg") $(sed -n '/id="bars-totals"/,/<\/g>/p' "$tmp/noise.svg" | grep -c running)" "1 0"
is "... what has more is cut: two that ran, and all noise" "$(grep -c '<rect [^>]*width="4"' "$tmp/noise.svg")" 3
is "... as little as there is of a source, it is seen" "$(sed -n '/id="bars-rows"/,/id="bars-totals"/p' "$tmp/noise.svg" | grep -c '<rect [^>]*width="0[^"]*"')" 0
is "by longest: the longest of a row is its colour" "$(for name in rcu perf_swevent_hrtimer wb_workfn __perf_event_read virtio_transport_send_pkt_work solver-11545; do
	grep -A1 ">cpu1;$name<" "$tmp/longest.svg" | grep -o 'fill="#[0-9a-f]*"' | tail -1; done | tr '\n' ' ')" \
	'fill="#a6dba0" fill="#e3e47f" fill="#fbcb5c" fill="#93d3d3" fill="#a9c9ee" fill="#b0b0b0" '
has "... and the legend says how long that was" "$tmp/longest.svg" '>longest at once: under 1 µs<'
has "... from the least to the greatest there is" "$tmp/longest.svg" '>... 1 ms to 10 ms<'
has_not "... no further" "$tmp/longest.svg" '>... 10 ms to 100 ms<'
printf '%s\n' '# pyrograph: root=cpu,state,source columns=time,count,longest unit=ns' 'cpu0;thread;sh-71/sh 5 1 3' 'cpu0;thread;sh-72/sh 4 1 4' \
	'cpu0;thread;sh-72/helper-3 2 1 2' 'cpu0;thread;top-9/top 3 1 3' 'cpu1;thread;sh-73/sh 1 1 1' 'cpu1;softirq;rcu 1 1 1' >"$tmp/commands.folded"
noisy() { $render states -q --no-script "$@" "$tmp/commands.folded" | sed -n '/id="bars-rows"/,/id="bars-totals"/p' | grep -o '>cpu[^<&]*<' | tr -d '<>\n'; }
is "processes of one command are one source, on each CPU" "$(noisy)" "cpu0;sh-* ×3cpu0;top-9cpu1;rcucpu1;sh-73"
is "--row: each by itself" "$(noisy --row cpu,source)" "cpu0;sh-71cpu0;sh-72cpu0;top-9cpu0;sh-72/helper-3cpu1;rcucpu1;sh-73"
sed '1s/,longest//; s/ [0-9]*$//' "$data/noise.folded" >"$tmp/short.folded"
status "... lines without that column" 2 $render states --color-by longest -o "$tmp/short.svg" "$tmp/short.folded"
has "... are told" "$tmp/err" "no column named longest"
printf '%s\n' '# pyrograph: root=thread,state columns=time,count,longest unit=ns' 'a;preempted 5 1 3' 'b;blocked-io 4 1 4' 'c;running 9 1 9' \
	>"$tmp/waits.folded"
is "--sort longest: any wait, whatever ran longer" "$($render states -q --no-script --sort longest "$tmp/waits.folded" | sed -n '/id="bars-rows"/,/id="bars-totals"/p' |
	grep -o '>[abc]<' | tr -d '\n')" ">b<>a<>c<"
printf '# pyrograph: root=thread,state columns=time,count,longest unit=ns\na;running 5 1 3\nb;sleeping 4 1 2\n' >"$tmp/plain.folded"
$render states -o "$tmp/plain.svg" "$tmp/plain.folded"
status "... lines without a wait" 0 $render states --color-by longest -o "$tmp/grey.svg" "$tmp/plain.folded"
same "... are not all grey" "$tmp/grey.svg" "$tmp/plain.svg"
status "... unknown colours" 2 $render states --color-by colour "$data/noise.folded"
has "... are told, too" "$tmp/err" "--color-by needs state or longest, not 'colour'"
is "... and all of the picture says that to its script" "$($render states -q --script x.js "$data/noise.folded" | grep -o '"full":[0-9]*')" "\"full\":$most"

# ---- what viewers show --------------------------------------------------------------

while read -r file name options <&3; do
	svg=$tmp/$name.svg
	# shellcheck disable=SC2086
	draw() { $render states -q --no-script --width 500 $options "$@" "$data/$file"; }
	draw -o "$svg"
	if ! command -v rsvg-convert >/dev/null || ! rsvg-convert "$svg" -o "$tmp/$name.png" 2>"$tmp/err"; then
		skip "$name by librsvg" "no rsvg-convert"
		continue
	fi
	[ -z "${BLESS:-}" ] || cp "$tmp/$name.png" "$data/$name-rsvg.png"
	draw -o "$tmp/$name-cairo.png"
	draw -o "$tmp/$name.pdf"
	draw -o "$tmp/$name.svgz"
	rsvg-convert "$tmp/$name.svgz" -o "$tmp/$name-svgz.png"
	! command -v pdftoppm >/dev/null || pdftoppm -r 96 -png -singlefile "$tmp/$name.pdf" "$tmp/$name-pdf"
	set --
	for by in "" -cairo -svgz -pdf; do
		[ -f "$tmp/$name$by.png" ] || { skip "$name$by" "no pdftoppm"; continue; }
		set -- "$@" "$name${by:- by librsvg}" "$tmp/$name$by.png"
	done
	served python3 tests/golden/compare_png.py --tap "$svg" "$data/$name-rsvg.png" "$@" || not_ok "$name, by compare_png.py"
done 3<<'CASES'
starving.folded starving
starving.folded safe --colors safe --theme dark
CASES

# ---- what it says ---------------------------------------------------------------------

draw() { $render states -q --no-script "$@"; }
draw $data/starving.folded >"$tmp/a.svg"
has "who starves, and who starves it" "$tmp/a.svg" \
	'>spin-a-4711 waited 49.8 % of 10 s for a CPU, 99.8 % of it for spin-b-4712. 2 others waited 1 % or more.</text>'
has "... in the bar" "$tmp/a.svg" '>for spin-b-4712, 4.9 s</text>'
has "... beside it" "$tmp/a.svg" '>4.98 s: &gt;99 % spin-b-4712</text>'
has "of many, those with a share worth it" "$tmp/a.svg" '>300 ms: 67 % spin-b-4712, 30 % spin-a-4711</text>'
has "what could not be attributed to a thread is told" "$tmp/a.svg" \
	'class="doubt" fill="#5c5c5c">Details: 0.12 % of the waiting could not be attributed to a thread: the threads were too many to be told apart</text>'
draw $data/crowd.folded >"$tmp/crowd.svg"
has "a culprit in the crowd" "$tmp/crowd.svg" \
	'>starve-24296/victim waited 99.9 % of 3.02 s for a CPU, 92.9 % of it for starve-24296/bully. 2 others waited'
has "... of the same process, by its own name" "$tmp/crowd.svg" '>3.02 s: 93 % bully</text>'
has "... what could not be attributed to a thread is a detail, while a culprit has more" "$tmp/crowd.svg" \
	'>Details: 3.39 % of the waiting could not be attributed to a thread'
has "those who took little share a part" "$tmp/crowd.svg" '>6 more</text>'
has "... of each kind" "$tmp/crowd.svg" 'preempted: 105 ms, 9.16 % of this row&#10;2 more threads had the CPU: sh-916 54 ms, sh-919 51 ms&#10;95 times, longest 4 ms'
has "[others] in words" "$tmp/crowd.svg" '>threads not told apart</text>'
is "... everywhere" "$(grep -E '^<(text|rect|title|desc)' "$tmp/crowd.svg" | grep -cF '[others]')" 0
sed -n '1p; /^make-900/p' $data/crowd.folded | draw >"$tmp/none.svg"
has "nobody is called a culprit who is none" "$tmp/none.svg" \
	'>make-900 waited 65.1 % of 1.15 s for a CPU, no single thread is to blame: 12 ran, sh-910 most (8.04 %).</text>'
printf 'a-1/a;woken;[others] 900\na-1/a;woken;b-2/b 100\na-1/a;running 1000\n' | draw >"$tmp/others.svg"
has "... where most are not known" "$tmp/others.svg" \
	'>a-1 waited 50 % of 2,000 samples for a CPU, 90 % of it for threads not told apart; of those told apart, b-2 ran most (10 %).</text>'
grep -v -e running -e sleeping $data/crowd.folded | draw >"$tmp/waits.svg"
has "nothing but waits: of the recording's time" "$tmp/waits.svg" '>starve-24296/victim waited 100 % of 3.02 s for a CPU'
has "... the title says so" "$tmp/waits.svg" '<title>Waits for a CPU</title>'
has "... and a line" "$tmp/waits.svg" '>These lines have only waits for a CPU;'
grep -v -e running -e sleeping -e ^starve $data/crowd.folded | draw >"$tmp/waits.svg"
has "... not of what is there of a thread" "$tmp/waits.svg" '>make-900 waited 24.8 % of 3.01 s for a CPU'
sed -n '1s/start=[^ ]*//p; /^make-900.*;.*;/p' $data/crowd.folded | draw >"$tmp/waits.svg"
has "... nor of a time that is not known" "$tmp/waits.svg" '>make-900 waited 746 ms for a CPU, no single thread is to blame'
has "... in the tooltip" "$tmp/a.svg" '<title>spin-a-4711&#10;time slice used up: 4.9 s, 49 % of this row&#10;spin-b-4712 had the CPU&#10;1,203 times, longest 8 ms</title>'
has "wall clock, host, totals" "$tmp/a.svg" '>db1 · sched · 2026-11-21 10:15:02.000 – 10:15:12.000 UTC · 7 threads, 64.6 s in all</text>'
has "metadata" "$tmp/a.svg" '<metadata id="pyrograph">{"kind":"states","title":"Scheduler States","unit":"ns","total":64640000000,"longest":400000000,"host":"db1",'
has_not "a main thread has a short name" "$tmp/a.svg" '>spin-a-4711/spin-a'
draw $data/pools.folded >"$tmp/p.svg"
has "losses are alarming" "$tmp/p.svg" 'font-weight="bold">untracked threads 12</text>'
has "spans that were open are told" "$tmp/p.svg" '3 spans were unfinished: they count until the end of the recording.'
draw --pools $data/pools.folded >"$tmp/pools.svg"
has "pools are told with their members" "$tmp/pools.svg" '>java;java-8513/worker-* ×3</text>'
has "... those of one member are not" "$tmp/pools.svg" '>java;java-8513/GC Thread#0</text>'
has "... processes as well" "$tmp/pools.svg" '>sh;sh-20</text>'
printf 'sh-20/sh;running 5\nsh-21/sh;running 6\nx;woken;sh-21/sh 7\n' | draw --pools >"$tmp/sh.svg"
has_not "... the number of a process is none of a pool" "$tmp/sh.svg" '>sh-* ×2</text>'
printf 'd-1/w-1;running 5\nd-1/w-2;running 6\nx;woken;d-1/w-2 7\n' | draw --pools >"$tmp/sh.svg"
has "... that of a thread is" "$tmp/sh.svg" '>d-1/w-* ×2</text>'
has "... also as those who had the CPU" "$tmp/sh.svg" 'd-1/w-* had the CPU'
printf 'p-1/a;running 1000000\np-1/a;preempted;p-1/b 300\np-1/a;woken;p-1/c 200\n' | draw >"$tmp/narrow.svg"
has "narrow parts: how much, and who had the largest" "$tmp/narrow.svg" \
	'2 parts too narrow to be told apart: 500 samples, 0.05 % of this row'
has "... with its name" "$tmp/narrow.svg" 'the largest: preempted, p-1/b had the CPU'
printf 'p-1/a;running 6\np-1/a;preempted;p-1/b 5\n' | draw >"$tmp/near.svg"
has "who had the CPU, of the same process: without that" "$tmp/near.svg" '>for b, 5 samples</text>'
printf 'a;running 5\nb;sleeping 6\n' | draw >"$tmp/none.svg"
has "nobody waits" "$tmp/none.svg" '>Nobody waited for a CPU.</text>'
printf 'a;running 50000\na;woken;[idle] 3\n' | draw >"$tmp/none.svg"
has "nobody waits long" "$tmp/none.svg" \
	'>Nobody waited long for a CPU. The worst: a waited 0.01 % of 50,003 samples for a CPU, 100 % of it while the CPU came out of idleness.</text>'

# ---- the sums are those of the input --------------------------------------------------

# data EXPRESSION: evaluates it for d, the JSON on stdin
data() { python3 -c "
import json, re, sys
svg = sys.stdin.buffer.read().decode()
d = json.loads(re.search('<metadata id=\"bars\">(.*?)</metadata>', svg, re.S)[1].replace('<!---->', ''))
n = 3 + len(d['columns'])
s = [d['segments'][i:i + n] for i in range(0, len(d['segments']), n)]
r = $1
print(*r) if isinstance(r, tuple) else print(r)"; }
if command -v python3 >/dev/null; then
	for options in "" --pools "--row comm" "--count --top 1" "--fold worker --sort io"; do
		# shellcheck disable=SC2086
		is "sums: ${options:-as usual}" "$(draw $options $data/pools.folded | data 'sum(x[3] for x in s), sum(x[4] for x in s), max(x[5] for x in s)')" \
			"$(awk '!/^#/ { t += $(NF-2); c += $(NF-1); l = $NF > l ? $NF : l } END { printf "%.0f %d %d", t, c, l }' $data/pools.folded)"
	done
	is "most waiting first" "$(data '[d["names"][r["name"]] for r in d["rows"]][:3]' <"$tmp/a.svg")" \
		"['spin-a-4711/spin-a', 'spin-b-4712/spin-b', 'java-8513/http-nio-8080-exec-1']"
	is "--sort sleeping" "$(draw --sort sleeping $data/starving.folded | data '[d["names"][r["name"]] for r in d["rows"]][:2]')" \
		"['java-8513/http-nio-8080-exec-1', 'java-8513/http-nio-8080-exec-2']"
	is "--sort longest" "$(draw --sort longest $data/pools.folded | data 'd["names"][d["rows"][0]["name"]]')" "java;java-8513/GC Thread#0"
	is "--sort name: numbers are numbers" "$(draw --sort name $data/pools.folded | data '[d["names"][r["name"]] for r in d["rows"]][2:5]')" \
		"['java;java-8513/worker-1', 'java;java-8513/worker-2', 'java;java-8513/worker-10']"
	is "... small ones last" "$(draw --sort name --min-share 5% $data/pools.folded | data '[d["names"][r["name"]] for r in d["rows"]][-3:], d["layout"]["shown"]')" \
		"['sh;sh-20/sh', 'sh;sh-21/sh', 'sh;sh-22/sh'] 5"
	is "the window is the header's" "$(data 'd["window"]' <"$tmp/a.svg")" 10000000000
	printf '# pyrograph: start=2026-11-21T10:15:02Z end=2026-11-21T10:15:03Z unit=ns\na;running 1500000000\n' >"$tmp/longer"
	is "... or a thread's, if that is longer" "$(draw "$tmp/longer" | data 'd["window"]')" 1500000000
else
	skip "sums" "no python3"
fi

# ---- back to lines ---------------------------------------------------------------------

# A wait counts for the thread that had the CPU longest during it; other threads get a time, but no count.
draw >"$tmp/parts.svg" <<'LINES'
# pyrograph: host=db1 event=sched root=thread,state,by columns=time,count,longest unit=ns
a-1/a;preempted;b-2/b 4000000000 10 8000000
a-1/a;preempted;c-3/c 130000000 0 8000000
LINES
sed -n '/bars-contenders/,/<.g>/s/.*<text[^>]*>\([^<]*\)<.*/\1/p' "$tmp/parts.svg" >"$tmp/out"
is "a contender with a time and no count does not have 0 waits" "$(grep -cx 0 "$tmp/out")" 0
is "... but a dash" "$(grep -cx '–' "$tmp/out")" 1
has "... that is explained" "$tmp/out" "–: also ran during these waits, which count for the thread that ran longest"

for file in starving pools; do
	draw $data/$file.folded | $render folded >"$tmp/back"
	sorted "$tmp/back" >"$tmp/got"
	sorted $data/$file.folded >"$tmp/lines"
	same "$file.folded: back to its lines" "$tmp/got" "$tmp/lines"
done
draw $data/plain.folded | $render folded >"$tmp/back"
is "fractions, times, stacks: back to what is drawn" "$(cat "$tmp/back")" "# pyrograph: root=thread,state,by unit=samples
db;preempted;lbm 12.5
db;running 5
db;sleeping 2.25
lbm;running 15
lbm;sleeping 3"
draw $data/hostile.folded | $render folded >"$tmp/h1"
draw "$tmp/h1" | $render folded >"$tmp/h2"
same "hostile names: back, and back again" "$tmp/h2" "$tmp/h1"
draw -f svgz $data/starving.folded | $render folded | sorted - >"$tmp/got"
sorted $data/starving.folded >"$tmp/lines"
same "of an .svgz" "$tmp/got" "$tmp/lines"
printf '# pyrograph: root=thread,state,by columns=time,count,longest,migrations unit=ns\na-1/a;running 50 2 30 1\n' >"$tmp/m"
draw "$tmp/m" | $render folded >"$tmp/got"
same "migrations" "$tmp/got" "$tmp/m"
for cut in 200 2000 6000 7000 7100; do
	head -c $cut "$tmp/a.svg" >"$tmp/cut.svg"
	$render folded "$tmp/cut.svg" >"$tmp/out" 2>"$tmp/err"
	[ $? -le 1 ] && ok "a picture cut at $cut bytes" || not_ok "a picture cut at $cut bytes" "$tmp/err"
done

# ---- the order of lines does not change the picture ---------------------------------------------

{ head -1 $data/starving.folded; grep -v '^#' $data/starving.folded | LC_ALL=C sort -r | sed 's/$/\r/'; } >"$tmp/shuffled"
draw "$tmp/shuffled" >"$tmp/b.svg"
sed '/^"names"/d; /^"segments"/,/^"layout"/d; /^"rows"/d' "$tmp/b.svg" >"$tmp/b.drawn"
sed '/^"names"/d; /^"segments"/,/^"layout"/d; /^"rows"/d' "$tmp/a.svg" >"$tmp/a.drawn"
same "another order, CRLF: the same picture" "$tmp/b.drawn" "$tmp/a.drawn"
same "... and the same file" "$tmp/b.svg" "$tmp/a.svg"
{ head -1 $data/starving.folded; sed -n 2,9p $data/starving.folded; } >"$tmp/1"
{ head -1 $data/starving.folded; sed '1,9d' $data/starving.folded; } >"$tmp/2"
draw - "$tmp/2" <"$tmp/1" >"$tmp/b.svg"
same "stdin and a file" "$tmp/b.svg" "$tmp/a.svg"
sed '/^#/!s/^/@12.5 /' $data/starving.folded | draw >"$tmp/b.svg"
same "timed lines" "$tmp/b.svg" "$tmp/a.svg"

# ---- many ------------------------------------------------------------------------------

awk 'BEGIN {
	split("woken yielded preempted quantum-over", waits)
	split("blocked blocked-io stopped traced parked idle", others)
	print "# pyrograph: root=thread,state,by columns=time,count,longest unit=ns"
	for (i = 0; i < 520; i++) {
		printf "java-8513/t-%d;running %d 5 90\n", i, i * 1000
		printf "java-8513/t-%d;sleeping %d 5 90\n", i, 1000000 - i * 1100
		for (k = 0; k < 32; k++)
			printf "java-8513/t-%d;%s;java-8513/t-%d %d 1 90\n", i, waits[k % 4 + 1], int(k / 4) * 7, (i + k) * 50
		for (k = 1; k < 7; k++)
			printf "java-8513/t-%d;%s %d 5 90\n", i, others[k], (i + k) * 50
	}
}' >"$tmp/many"
status "520 threads" 0 $render states -q --no-script -o "$tmp/many.svg" "$tmp/many"
xmllint --noout "$tmp/many.svg" 2>"$tmp/err" && ok "... XML" || not_ok "... XML" "$tmp/err"
is "... 500 rows of them, and one for the others" "$(grep -c '<g class="row"' "$tmp/many.svg"):$(grep -c '>… 20 more threads</text>' "$tmp/many.svg")" 500:1
is "... all with --top 0" "$(draw --top 0 "$tmp/many" | grep -c '<g class="row"')" 520
is "... never one for one" "$(draw --top 519 "$tmp/many" | grep -c '<g class="row"')" 520
[ "$(grep -c '<rect' "$tmp/many.svg")" -lt 9000 ] && ok "... not too many elements" || not_ok "... not too many elements" "$(grep -c '<rect' "$tmp/many.svg")"
has "... which it says" "$tmp/many.svg" ">Parts narrower than "
has_not "... only there" "$tmp/a.svg" ">Parts narrower than "
$render folded "$tmp/many.svg" | sorted - >"$tmp/got"
sorted "$tmp/many" >"$tmp/lines"
same "... back to lines" "$tmp/got" "$tmp/lines"
awk 'BEGIN {
	print "# pyrograph: unit=ns"
	for (i = 0; i < 40000; i++)
		for (k = 0; k < 12; k++)
			printf "process-%d/thread-%d;woken;process-%d/thread-%d %d\n", i, i, k, k, 1000003 * i % 99991
}' >"$tmp/huge"
status "40,000 threads, 480,000 lines" 0 $render states -q --no-script -o "$tmp/huge.svg" "$tmp/huge"
xmllint --noout "$tmp/huge.svg" 2>"$tmp/err" && ok "... XML for a parser with limits" || not_ok "... XML for a parser with limits" "$tmp/err"
is "... back to lines" "$($render folded "$tmp/huge.svg" | grep -vc '^#')" 480000

# ---- bad input and bad days ------------------------------------------------------------

printf '# pyrograph: root=thread,state,by columns=time,count,longest unit=ns\na;running 1 2 3\na;running 1 2\na;nostate 1 2 3\na 1 2 3\nb;woken;c 1 2.5 3\nb;woken;a 1 -2 3\n' >"$tmp/bad"
status "bad lines are skipped" 2 $render states "$tmp/bad" -o "$tmp/bad.svg"
for said in "bad:3:1: fewer values than columns" "bad:4:3: unknown state" "bad:5: too few frames" \
	"bad:6: the count is not a whole number" "bad:7:13: fewer values than columns" "skipped 5 bad lines of 6"; do
	has "... told: $said" "$tmp/err" "$said"
done
printf 'a;running 7\nb;sleeping 8\na;junk 1\n' >"$tmp/bad"
status "a few are" 0 $render states "$tmp/bad" -o "$tmp/bad.svg"
status "... an error with --strict" 1 $render states --strict "$tmp/bad" -o "$tmp/strict.svg"
[ ! -e "$tmp/strict.svg" ] && ok "... that writes nothing" || not_ok "... that writes nothing"
for empty in "" "# only 5" "a;running 0" "junk" "main;read;copy 3"; do
	echo "$empty" >"$tmp/empty"
	status "nothing usable ('$empty')" 2 $render states "$tmp/empty"
	xmllint --noout "$tmp/out" 2>"$tmp/err" && ok "... with a picture" || not_ok "... with a picture" "$tmp/err"
done
status "a flame graph's lines" 2 $render states tests/golden/flame/plain.folded
has "... says what is needed" "$tmp/err" "pyrograph collapse --states"
printf '# pyrograph: root=pid,thread unit=ns\na;b 3\n' >"$tmp/roots"
status "other roots" 2 $render states "$tmp/roots"
has "... says which there are" "$tmp/err" "pid,thread, and state is not among them"
printf '# pyrograph: unit=ns\na;running 3\n# pyrograph: unit=samples\na;running 3\n' >"$tmp/units"
status "two units" 1 $render states "$tmp/units"
printf 'PERFILE2' >"$tmp/rec.data"
status "a recording" 1 $render states "$tmp/rec.data"
has "... says how" "$tmp/err" "pyrograph collapse --states $tmp/rec.data | pyrograph render states"
printf 'a;running 18446744073709551614\na;sleeping 1\nb;sleeping 1\n' >"$tmp/large"
status "too large a sum" 0 $render states "$tmp/large"
has "... is a bad line" "$tmp/err" "the sum of all values would be too large"
head -c 200000 /dev/urandom >"$tmp/random"
$render states -o "$tmp/random.svg" "$tmp/random" 2>"$tmp/err"
is "random bytes" "$?" 2
status "a missing file" 1 $render states /nonexistent
status "a full disk" 1 sh -c "$started states -q $data/starving.folded >/dev/full"
while read -r options <&3; do
	# shellcheck disable=SC2086
	status "wrong usage: $options" 2 $render states $options $data/starving.folded
	is "... writes nothing" "$(cat "$tmp/out")" ""
done 3<<'CASES'
--sort nosuch
--colors nosuch
--theme nosuch
--row comm
--row state
--min-share 5
--min-share x%
--height 13
--format gif
--fold (
--script javascript:x
CASES
for options in "--include spin-a" "--exclude running"; do
	# shellcheck disable=SC2086
	draw $options $data/starving.folded >"$tmp/f.svg"
	has "$options is told" "$tmp/f.svg" "only $options"
done
status "nothing passes" 2 $render states --include nosuch $data/starving.folded
status "--count without counts" 2 $render states --count $data/plain.folded
