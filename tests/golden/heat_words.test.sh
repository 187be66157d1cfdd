#!/bin/sh
# Texts of heat maps and their places: axes, legends, headings, notes; how columns fit a width.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"

# 2026-11-21T12:00:00Z
noon=1795262400

draw() { $render heat -q --no-script "$@" 2>"$tmp/err"; }
# texts CLASS: the texts of the SVG on stdin, one a line; without a class, those of the axes and the legend
texts() { grep -o "<text [^>]*class=\"${1:-note}\"[^>]*>[^<]*" | sed 's/.*>//'; }
has() { if grep -qF -- "$3" "$2"; then ok "$1"; else not_ok "$1" "$2"; fi; }
lacks() { if grep -qF -- "$3" "$2"; then not_ok "$1" "$2"; else ok "$1"; fi; }

# ---- more columns than pixels -----------------------------------------------------

# An hour with ten samples in each second, except for the middle of one second.
awk -v noon=$noon 'BEGIN { print "# pyrograph: host=db1 root=thread unit=samples from=2026-11-21T12:00:00.000000000Z to=2026-11-21T13:00:00.000000000Z"
	for (i = 0; i < 3600; i++) for (k = 0; k < 10; k++)
		if (i != 2000 || k < 3 || k > 7) printf "@%d.%d50000000 t;f 1\n", noon + i, k }' >"$tmp/stall.folded"
for width in 300 1200; do
	draw -w $width --rows 10 "$tmp/stall.folded" >"$tmp/stall.svg"
	served python3 tests/golden/heat_cells.py "$tmp/stall.svg" | grep '^[0-9A-Z.]\{50,\}$' >"$tmp/rows"
	is "$width px: a stall has another colour, in one cell of its rows" "$(awk 'NR == 1 { first = $0 }
		{ n = 0; for (i = 1; i <= length; i++) n += substr($0, i, 1) != substr(first, i, 1); printf "%d ", n }' "$tmp/rows")" \
		"0 0 1 1 1 1 1 0 0 0 "
	columns=$(head -1 "$tmp/rows" | wc -c)
	[ "$columns" -le "$width" ] && ok "$width px: a pixel has a column: $columns" || not_ok "$width px: a pixel has a column" "$columns"
done
has "the footer says how long a column is" "$tmp/stall.svg" "1 column = 4 s, 1 row = 100 ms of each 1 s"
has "... and the legend what a cell has" "$tmp/stall.svg" "4 samples in a cell"
has "... as a browser will" "$tmp/stall.svg" '"perColumn":4,'

# ---- few columns ------------------------------------------------------------------

wide() { grep -o '<image x=[^>]* width="[0-9.]*"' | sed 's/.*width="//; s/"//'; }
printf '# pyrograph: host=db1 root=thread,cpu rate=10Hz\n@%d.5 a;cpu1;x 1\n@%d.2 a;cpu0;x 1\n@%d.2 a;cpu1;x 1\n@%d.2 a;cpu10;x 1\n' $noon \
	$((noon + 1)) $((noon + 9)) $((noon + 9)) >"$tmp/ten.folded"
draw "$tmp/ten.folded" >"$tmp/ten.svg"
is "ten seconds fill a good part of the width" "$(wide <"$tmp/ten.svg")" 480
draw --from 0s --to 1s "$tmp/ten.folded" >"$tmp/two.svg"
is "short maps: their beginning and their end" "$(texts <"$tmp/two.svg" | grep '^12:00' | tr '\n' ' ')" "12:00:00 12:00:02 "
draw --per cpu "$tmp/ten.folded" >"$tmp/cpu.svg"
is "CPUs by number" "$(texts details <"$tmp/cpu.svg" | tr '\n' ',')" "cpu0 · 1 sample,cpu1 · 2 samples,cpu10 · 1 sample,"
is "... of which the busiest are drawn" "$(draw --per cpu --maps 1 "$tmp/ten.folded" | texts details)" "cpu1 · 2 samples"
is "... in the legend as well" "$(draw --by cpu "$tmp/ten.folded" | texts | grep -o '^cpu[0-9]* ' | tr -d '\n')" "cpu0 cpu1 cpu10 "

printf '@500000000.5 a 1\n@1795262400.5 b 1\n' >"$tmp/years.folded"
draw -w 600 --span 1d "$tmp/years.folded" >"$tmp/years.svg"
is "41 years: every fifth" "$(texts <"$tmp/years.svg" | grep -x '[12][0-9]*' | tr '\n' ' ')" "1990 1995 2000 2005 2010 2015 2020 2025 "
printf '@1790000000.5 a 1\n@1795262400.5 b 1\n' >"$tmp/months.folded"
draw -w 300 --span 1d "$tmp/months.folded" >"$tmp/months.svg"
is "two months: their beginnings" "$(texts <"$tmp/months.svg" | grep -x '2026-[0-9]*' | tr '\n' ' ')" "2026-10 2026-11 "

# ---- names ------------------------------------------------------------------------

printf '@%d.5 a-long-name-of-a-thread;x 1\n@%d.5 b;x 1\n@%d.5 c;x 1\n' $noon $noon $noon >"$tmp/names.folded"
draw -w 300 --per thread "$tmp/names.folded" | texts details >"$tmp/names.svg"
has "a narrow picture has whole names" "$tmp/names.svg" "a-long-name-of-a-thread"
printf '@%d.5 \342\200\256abc;x 1\n' $noon >"$tmp/turn.folded"
draw --by thread "$tmp/turn.folded" >"$tmp/turn.svg"
has "a name does not turn the writing" "$tmp/turn.svg" "$(printf '\357\277\275abc (1)')"

# ---- headings and notes -----------------------------------------------------------

for host in 1 2; do
	echo "# pyrograph: host=db$host root=thread lost=$host/100 losses=\"throttled 1, stacks cut 41, short user stacks 1 of 10\" unresolved=80/100"
	echo "@$noon.5 a;x 1"
done >"$tmp/losses.folded"
draw "$tmp/losses.folded" >"$tmp/losses.svg"
is "red: what touches cells, in sum" "$(texts alarm <"$tmp/losses.svg")" "Lost 3 of 200 samples (1.5 %) · Throttled 2 times"
is "grey: what touches stacks" "$(texts doubt <"$tmp/losses.svg")" "Details: 82 stacks cut · short user stacks 2 of 20 · 80 % of frames without a name"
for host in 1 2 3 4 5 6 7 8; do
	printf '# pyrograph: host=db%d root=thread\n@%d.5 a;x 1\n' $host $noon
done >"$tmp/hosts.folded"
draw "$tmp/hosts.folded" >"$tmp/hosts.svg"
has "many hosts are a number" "$tmp/hosts.svg" ">8 hosts · "

printf '@%d.5 a;x 0\n@%d.5 a;x 3\n' $noon $noon >"$tmp/zero.folded"
draw --weights value "$tmp/zero.folded" >"$tmp/zero.svg"
has "values of 0 are told" "$tmp/zero.svg" "1 event has the value 0, which no cell shows."
draw "$tmp/zero.folded" >"$tmp/zero.svg"
lacks "... but not where events count" "$tmp/zero.svg" "the value 0"
printf '# pyrograph: root=thread rate=99Hz\n@%d.5 swapper-0/swapper;cpu_startup_entry_[k];do_idle_[k];default_idle_call_[k] 1\n' $noon >"$tmp/idle.folded"
draw "$tmp/idle.folded" >"$tmp/idle.svg"
has "nothing but idle: how to see it" "$tmp/idle.svg" "Idle hidden: 1 sample of idle CPUs, 100 % of all (--idle shows them)"
printf '# pyrograph: event=locks root=thread,idle spans=start unit=ns\n@%d.5 a;[work];x 3000000\n@%d.6 a;y 1000000\n@%d.7 a;[sleep];z 4000000\n' \
	$noon $noon $noon >"$tmp/waits.folded"
draw --y value "$tmp/waits.folded" >"$tmp/waits.svg"
has "sleep and waits for work are idle" "$tmp/waits.svg" ">Idle hidden: 7 ms of sleep and waits for work, 87.5 % of all (--idle shows them)<"
has "... of which the map has none" "$tmp/waits.svg" " 1 wait<"
draw --y value --idle "$tmp/waits.folded" >"$tmp/waits.svg"
lacks "--idle: all of them" "$tmp/waits.svg" "Idle hidden"
grep -v y "$tmp/waits.folded" | draw --y value >"$tmp/waits.svg"
lacks "nothing but them: they are shown" "$tmp/waits.svg" "Idle hidden"
for i in 1 2 3; do printf '@%d.50%d a;x 1\n' $noon $i; done | { echo '# pyrograph: root=thread rate=99Hz'; cat; } >"$tmp/few.folded"
draw "$tmp/few.folded" >"$tmp/few.svg"
has "how samples fall" "$tmp/few.svg" "Differences of one sample are noise."
sed 's/ rate=99Hz//' "$tmp/few.folded" | draw >"$tmp/few.svg"
lacks "... but not points" "$tmp/few.svg" "Differences of one sample are noise."

is "its metadata say how much of it is idle" "$(draw "$tmp/idle.folded" | grep -o '"total":1,"idle":1,')" '"total":1,"idle":1,'
is "... unless it counts" "$(draw --idle "$tmp/idle.folded" | grep -c '"idle":')" 0
is "... a flame graph's, that they are not in its total" "$({ cat "$tmp/idle.folded"; echo "@$noon.6 sh-1/sh;main 2"; } | $render flame 2>/dev/null | grep -o '"total":2,"idle":0,')" '"total":2,"idle":0,'

# ---- values -----------------------------------------------------------------------

printf '# pyrograph: root=thread event=offcpu spans=start unit=ns\n@%d.5 a;x 1000\n@%d.6 a;x 9000\n' $noon $noon >"$tmp/waits.folded"
draw -y value "$tmp/waits.folded" >"$tmp/waits.svg"
has "latencies: logarithmic colours, and the legend says so" "$tmp/waits.svg" ">1 wait in a cell · logarithmic colours<"
has "... each where it begins" "$tmp/waits.svg" " · each wait at its start<"
is "... without percentiles" "$(texts <"$tmp/waits.svg" | grep -c '^p[0-9]')" 0
has "... which a browser can draw" "$tmp/waits.svg" '"percentiles":[50,99],"lines":false,'
draw -y value --percentiles 99 --coloring linear "$tmp/waits.folded" >"$tmp/waits.svg"
is "... unless they are asked for" "$(texts <"$tmp/waits.svg" | grep '^p[0-9]')" p99
has "... as are other colours" "$tmp/waits.svg" ">1 wait in a cell<"
draw --paint "$tmp/waits.folded" >"$tmp/waits.svg"
lacks "spans that are painted are not at their start" "$tmp/waits.svg" "at its start"

for i in 1 40 9000 14000; do printf '@%d.5 a;x %d\n' $noon $i; done | { echo '# pyrograph: root=thread unit=ns'; cat; } >"$tmp/values.folded"
draw -y value --max 15500 "$tmp/values.folded" >"$tmp/values.svg"
has "the upper end has a label" "$tmp/values.svg" ">15.5 µs<"
draw -y value --log --min 1 --max 16384 --rows 14 "$tmp/values.folded" >"$tmp/values.svg"
has "... of a logarithmic axis too" "$tmp/values.svg" ">16.4 µs<"
has "... which says what a row is" "$tmp/values.svg" "1 row = × 2"
draw -y value --max 10000 --percentiles 50,99 "$tmp/values.folded" >"$tmp/values.svg"
printf '%s\n' '# pyrograph: root=thread columns=time,count,longest unit=ns spans=start' "@$noon.5 a;x 1000 1 1000" \
	"@$noon.6 a;x 9000 1 9000" "@$noon.7 a;x 7000 1 7000" >"$tmp/lengths.folded"
for words in 'count|2 spans above 5 µs are in no row.' 'value|What is above 5 µs is in no row: 16 µs in all.' \
	'longest|What is above 5 µs is in no row: at most 9 µs.'; do
	draw -y value --max 5000 --weights "${words%%|*}" "$tmp/lengths.folded" >"$tmp/lengths.svg"
	has "what is in no row, --weights ${words%%|*}" "$tmp/lengths.svg" ">${words#*|}<"
done
is "a percentile that is in no row is not drawn" "$(texts <"$tmp/values.svg" | grep '^p[0-9]')" "p50"
