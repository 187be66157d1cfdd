#!/bin/sh
# The command line of "render heat", and the numbers of small heat maps, worked out by hand.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

# 2026-11-21T12:00:00Z
noon=1795262400

header() { echo "# pyrograph: host=db1 event=${1:-cpu-clock} from=2026-11-21T12:00:0${2:-0}.000000000Z to=2026-11-21T12:00:${3:-02}.000000000Z ${4:-rate=997Hz} cpus=${5:-0-1} root=thread,cpu ${6:-unit=samples}"; }

# numbers OPTIONS... <LINES: the table without times' dates and what was not seen.
numbers() { $render heat -q -f tsv "$@" 2>"$tmp/err" | sed 1d | sed 's/2026-11-21T//; s/\.000000000Z/Z/' | cut -f 2-5 | tr '\t' ' '; }

# ---- offsets ----------------------------------------------------------------------

{
	header
	echo "@$noon.999900000 a;cpu0;main 1"
	echo "@$((noon + 1)).000000000 a;cpu0;main 1"
} >"$tmp/border.folded"
is "neighbouring columns, last and first row" "$(numbers "$tmp/border.folded")" \
"12:00:00Z 0.980000000 1 0
12:00:01Z 0.000000000 1 0"
is "inverted is a matter of drawing" "$(numbers -i "$tmp/border.folded")" "$(numbers "$tmp/border.folded")"
is "of half a second" "$(numbers --span 500ms --rows 5 "$tmp/border.folded")" \
"12:00:00.500000000Z 0.400000000 1 0
12:00:01Z 0.000000000 1 0"
is "two of them in a column" "$(numbers --span 500ms --rows 5 --columns 2 "$tmp/border.folded")" \
"12:00:00Z 0.400000000 1 0
12:00:01Z 0.000000000 1 0"
is "of a minute: rows of a second" "$(numbers --span 1m "$tmp/border.folded" | cut -d ' ' -f 2-3 | grep ' 1$')" \
"0.000000000 1
1.000000000 1"
is "of an hour: rows of a minute" "$(numbers --span 1h --tz +00:30 "$tmp/border.folded" | grep ' 2 0$')" \
"11:30:00Z 1800.000000000 2 0"
is "of a day: rows of a quarter" "$(numbers --span 1d "$tmp/border.folded" | grep ' 2 0$')" \
"00:00:00Z 43200.000000000 2 0"
is "in India a day has another beginning" "$(numbers --span 1d --tz +05:30 "$tmp/border.folded" | grep ' 2 0$')" \
"2026-11-20T18:30:00Z 63000.000000000 2 0"
is "from and to: half open" "$(numbers --to 12:00:01Z "$tmp/border.folded" | wc -l) $(numbers --to 2026-11-21T12:00:01Z "$tmp/border.folded")" \
"0 12:00:00Z 0.980000000 1 0"
is "... and after the start" "$(numbers --from 1s "$tmp/border.folded")" "12:00:01Z 0.000000000 1 0"
is "... and before the end" "$(numbers --to -1s "$tmp/border.folded")" "12:00:00Z 0.980000000 1 0"

# Any order of lines, the same numbers and the same bytes.
{ header; sed 1d "$tmp/border.folded" | tac; } >"$tmp/turned.folded"
is "lines in another order" "$(numbers "$tmp/turned.folded")" "$(numbers "$tmp/border.folded")"
$render heat -q "$tmp/border.folded" >"$tmp/a.svg"
$render heat -q "$tmp/turned.folded" >"$tmp/b.svg"
same "... the same picture" "$tmp/b.svg" "$tmp/a.svg"

# ---- idle, keys -------------------------------------------------------------------

{
	header
	for i in 1 2 3; do echo "@$noon.10000000$i a;cpu0;main 1"; done
	echo "@$noon.100000000 b;cpu1;main;gc 1"
	echo "@$noon.100000000 swapper-0;cpu1;do_idle_[k];default_idle_[k] 1"
	echo "@$noon.100000000 swapper-0;cpu1;do_idle_[k];asm_sysvec_apic_timer_interrupt_[k];__do_softirq_[k] 1"
} >"$tmp/keys.folded"
is "idle stands apart, softirqs on an idle CPU do not" "$(numbers "$tmp/keys.folded")" "12:00:00Z 0.100000000 5 1"
is "--idle: it counts" "$(numbers --idle "$tmp/keys.folded")" "12:00:00Z 0.100000000 6 0"
is "--include" "$(numbers --include 'gc$' "$tmp/keys.folded")" "12:00:00Z 0.100000000 1 0"
is "--exclude" "$(numbers --exclude main "$tmp/keys.folded")" "12:00:00Z 0.100000000 1 1"
is "--isolate" "$(numbers --by thread --isolate a --isolate b "$tmp/keys.folded" | cut -d ' ' -f 3)" 4
is "--without" "$(numbers --by thread --without a "$tmp/keys.folded" | cut -d ' ' -f 3)" 2
is "--by-regexp" "$(numbers --by-regexp 'collector=;gc' --isolate collector "$tmp/keys.folded" | cut -d ' ' -f 3)" 1
is "--per" "$($render heat -q -f tsv --per thread "$tmp/keys.folded" | cut -f 1,4 | tr '\t' ' ')" \
"map events
a 3
b 1
swapper-0 1"
is "--per, --maps" "$($render heat -q -f tsv --per thread --maps 1 "$tmp/keys.folded" | cut -f 1,4 | sed 1d | tr '\t' ' ')" "a 3"

# ---- values -----------------------------------------------------------------------

# As trace2heatmap.pl has them, which loses those of the last column, and of the last row.
{
	header io 0 02 event=io 0-1 unit=us
	for i in 0 1 2 3; do for v in 0 39 40 2039 2040 2049; do
		echo "@$((noon + i / 2)).${i}00000000 a;cpu0 $v"
	done; done
} | sed '1s/event=io event=io/event=io/' >"$tmp/values.folded"
numbers -y value --steplat 40 --maxlat 2049 --stepsec 1 "$tmp/values.folded" >"$tmp/steps"
is "steps that do not divide the range" "$(cat "$tmp/steps")" \
"12:00:00Z 0 4 0
12:00:00Z 40 2 0
12:00:00Z 2000 2 0
12:00:00Z 2040 4 0
12:00:01Z 0 4 0
12:00:01Z 40 2 0
12:00:01Z 2000 2 0
12:00:01Z 2040 4 0"
is "rows: the last one has the largest value" "$(numbers -y latency --span 1s --max 2049 --rows 50 "$tmp/values.folded" | sed -n '/12:00:01/p' | tail -1)" \
"12:00:01Z 2009 6 0"
is "the largest value that there is: a round one above it" "$(numbers -y value --span 1s --rows 5 "$tmp/values.folded" | sed -n '/:01/p')" \
"12:00:01Z 0 6 0
12:00:01Z 1760 6 0"
is "a range, in the unit or as time" "$(numbers -y value --span 1s --min 40 --max 2.04ms --step 1ms "$tmp/values.folded" | sed -n '/:01/p')" \
"12:00:01Z 40 2 0
12:00:01Z 1040 4 0"
is "a range of few numbers" "$(numbers -y value --span 1s --min 38 --max 41 "$tmp/values.folded" | sed -n '/:01/p')" \
"12:00:01Z 39 2 0
12:00:01Z 40 2 0"
is "factors" "$(numbers -y value --span 1s --log --min 1 --max 10000 --rows 4 "$tmp/values.folded" | sed -n '/:01/p')" \
"12:00:01Z 10 4 0
12:00:01Z 1000 6 0"
is "sums of values" "$(numbers -y value --span 1s --weights value --step 1000 "$tmp/values.folded" | sed -n '/:01/p')" \
"12:00:01Z 0 158 0
12:00:01Z 2000 12256 0"

# ---- spans ------------------------------------------------------------------------

{
	header tenancy 0 03 spans=start 0-1 unit=ns
	echo "@$noon.900000000 a;cpu0 300000000"
	echo "@$((noon + 2)).000000000 a;cpu1 500000000"
} >"$tmp/spans.folded"
is "spans are where they begin" "$(numbers --rows 10 "$tmp/spans.folded")" \
"12:00:00Z 0.900000000 1 0
12:00:02Z 0.000000000 1 0"
is "--paint: all of it, over the second" "$(numbers --rows 5 --paint "$tmp/spans.folded")" \
"12:00:00Z 0.800000000 100000000 0
12:00:01Z 0.000000000 200000000 0
12:00:02Z 0.000000000 200000000 0
12:00:02Z 0.200000000 200000000 0
12:00:02Z 0.400000000 100000000 0"
is "utilization: the share of time, of each CPU" "$(numbers -y utilization --rows 10 "$tmp/spans.folded")" \
"12:00:00Z 0.00 1 0
12:00:00Z 10.00 1 0
12:00:01Z 0.00 1 0
12:00:01Z 20.00 1 0
12:00:02Z 0.00 1 0
12:00:02Z 50.00 1 0"

# ---- what was not seen ------------------------------------------------------------

{
	header cpu-clock 1 02
	echo "# gap: start=$((noon + 1)).000000000 end=$((noon + 1)).500000000 cpu=1 why=throttled"
	echo "@$((noon + 1)).000000000 a;cpu0;main 1"
} >"$tmp/gaps.folded"
unseen() { $render heat -q -f tsv --span 2s --rows 4 "$@" "$tmp/gaps.folded" | sed 1d | cut -f 3,4,6 | tr '\t' ' '; }
is "before the beginning, and in a gap" "$(unseen)" \
"0.000000000 0 1.000
0.500000000 0 1.000
1.000000000 1 0.500"
is "a CPU's own map has its own gaps" "$(unseen --per cpu | tail -1)" "1.000000000 1 0.000"

# ---- wrong usage ------------------------------------------------------------------

# Options | what is said.
while IFS='|' read -r options text; do
	# shellcheck disable=SC2086
	status "$options" 2 $render heat $options -o "$tmp/none.svg" "$tmp/keys.folded"
	has "... is told" "$tmp/err" "$text"
	[ ! -e "$tmp/none.svg" ] && ok "... and nothing drawn" || not_ok "... and nothing drawn"
	rm -f "$tmp/none.svg"
done <<'END'
--y val|--y wants offset, value or utilization, not 'val'
--span 1x|--span wants a time from 1us to 400d such as
--span 0s|--span wants
--span 9999d|--span wants
--rows 0|--rows wants a number from 1 to 4096
--log|are for --y value
--y value --log --step 3|--step is for rows of one size
--y value --log --min 0|--log has no 0
--y value --min 10 --max 5|--min is not less than --max
--y value --min 1x|--min wants a number
--y value --max 100000 --step 1|more than 4096 rows
--y value --percentiles 50,,99|--percentiles wants numbers from 0 to 100
--y value --percentiles 1,2,3,4,5,6,7,8,9|there can be 8
--percentiles 50|are for --y value
--y utilization --weights value|are not for --y utilization
--paint|--paint is for spans of time
--by tread|Did you mean 'thread'?
--by waker|they have
--per comm|--per: the lines have no 'comm'
--select a|want --by thread
--by thread --select a --isolate b|one of --select, --isolate
--by thread --select aa|no thread is called 'aa'
--by thread --select swapper-1|Did you mean 'swapper-0'?
--by thread --select zzzzzzz|the most frequent are 'a', 'b', 'swapper-0'
--by-regexp x|--by-regexp wants LABEL=REGEXP
--by-regexp x=(|missing closing parenthesis
--by thread --by-regexp x=y|choose one
--coloring rnk|--coloring wants linear, rank or log
--colors red|--colors wants ember
--tz Nowhere/City|--tz wants UTC, local
--tz ../../etc/passwd|--tz wants UTC, local
--from yesterday|--from wants a time
--theme blue|--theme wants
--script javascript:x|--script wants an address
--stepsek 3|Did you mean '--stepsec'?
END

# ---- nothing to draw --------------------------------------------------------------

# What comes in | why there is nothing.
while IFS='|' read -r lines text; do
	printf '%b' "$lines" >"$tmp/in"
	status "no picture of '$lines'" 2 $render heat -o "$tmp/empty.svg" "$tmp/in"
	has "... says why" "$tmp/err" "nothing to draw: $text"
	has "... in a picture too" "$tmp/empty.svg" "Nothing to draw"
	xmllint --noout "$tmp/empty.svg" 2>"$tmp/xml" && ok "... that is XML" || not_ok "... that is XML" "$tmp/xml"
	rm -f "$tmp/empty.svg"
done <<'END'
|the input is empty
a;b 1\n|the lines have no times: 'pyrograph collapse --heat' makes lines that have
@1.0 a;b x\n|no line of the input
END
status "filters that nothing passes" 2 $render heat -q --include zzz "$tmp/keys.folded"
has "... is said" "$tmp/err" "no line passes the filters"
status "--from behind the end" 2 $render heat -q --from 1h "$tmp/keys.folded"
has "... is said" "$tmp/err" "nothing was recorded in that time"
status "utilization without a rate" 2 sh -c "sed 's/rate=997Hz//' $tmp/keys.folded | $render heat -y utilization"
has "... is said" "$tmp/err" "tells no sampling rate"
status "values that are all 0, logarithmic" 2 sh -c "echo '@$noon.5 a 0' | $render heat -y value --log"
has "... is said" "$tmp/err" "all values are zero"
status "a bad line, with --strict" 1 sh -c "(cat $tmp/keys.folded; echo '@1.5 a;b') | $render heat --strict -o $tmp/strict.svg"
[ ! -e "$tmp/strict.svg" ] && ok "... draws nothing" || not_ok "... draws nothing"
status "a bad line" 0 sh -c "(cat $tmp/keys.folded; echo '@1.5 a;b') | $render heat -o $tmp/bad.svg"
has "... is counted" "$tmp/err" "skipped 1 bad line of 7"
status "a line without a time" 0 sh -c "(cat $tmp/keys.folded; echo 'a;b 1') | $render heat -o $tmp/bad.svg"
has "... is counted" "$tmp/err" "skipped 1 line without a time of 7"
status "numbers to a full disk" 1 sh -c "$render heat -f tsv $tmp/keys.folded >/dev/full"
status "a recording in which nothing happened" 0 sh -c "head -1 $tmp/keys.folded | $render heat -o $tmp/quiet.svg"

# ---- words ------------------------------------------------------------------------

title() { $render heat -q "$@" | grep -o '"title":"[^"]*"' | head -1; }
is "the title" "$(title "$tmp/keys.folded")" '"title":"Subsecond Offset Heat Map"'
is "... of minutes" "$(title --span 1m "$tmp/keys.folded")" '"title":"Offset within 1 minute"'
is "... of any time" "$(title --span 600ms "$tmp/keys.folded")" '"title":"Offset within 600 ms"'
is "... of latencies" "$(title -y value "$tmp/values.folded")" '"title":"Latency Heat Map"'
is "... of other values" "$(title -y value "$tmp/keys.folded")" '"title":"Value Heat Map"'
is "... of CPUs" "$(title -y utilization "$tmp/keys.folded")" '"title":"CPU Utilization Heat Map"'
is "... of one's own" "$(title -t 'A <b> & c' "$tmp/keys.folded")" '"title":"A \u003cb\u003e \u0026 c"'
status "samples in step with timers" 0 sh -c "sed 's/rate=997Hz/rate=100Hz/' $tmp/keys.folded | $render heat -o $tmp/beat.svg"
has "... are told of" "$tmp/err" "record with -F 99"
has "... in the picture too" "$tmp/beat.svg" "record with -F 99"
sed 's/rate=997Hz/rate=99Hz/' "$tmp/keys.folded" >"$tmp/99.folded"
status "rows that make stripes" 0 $render heat --rows 50 -o "$tmp/beat.svg" "$tmp/99.folded"
has "... are told of" "$tmp/err" "--rows 33 or 99 have none"
status "the usual rows" 0 $render heat -o "$tmp/beat.svg" "$tmp/99.folded"
is "... are not" "$(cat "$tmp/err")" ""
is "... since each has as many samples" "$(numbers "$tmp/99.folded")" "12:00:00Z 0.090909091 5 1"

# ---- windows that are too long ----------------------------------------------------

printf '@1 a 1\n@9999999999 a 2\n' >"$tmp/far.folded"
for options in "" "--span 1s" "--span 1us --rows 7" "--span 17s --columns 2" "-y value --span 1us"; do
	# shellcheck disable=SC2086
	is "300 years: $options: every event is in a cell" \
		"$($render heat -q -f tsv $options "$tmp/far.folded" | awk -F '\t' 'NR > 1 { sum += $4 } END { print sum }')" 2
done
