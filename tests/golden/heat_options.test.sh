#!/bin/sh
# The command line of "render heat", and the numbers of small heat maps, worked out by hand.
# slow: each option draws
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"

# 2026-11-21T12:00:00Z
noon=1795262400

header() { echo "# pyrograph: host=db1 event=${1:-cpu-clock} from=2026-11-21T12:00:0${2:-0}.000000000Z to=2026-11-21T12:00:${3:-02}.000000000Z ${4:-rate=997Hz} cpus=${5:-0-1} root=thread,cpu ${6:-unit=samples}"; }

# numbers OPTIONS... <LINES: the table, without the dates of times, and without gaps.
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

# Any order of lines gives the same numbers and the same bytes.
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

# The same numbers as in trace2heatmap.pl, except for the last column and the last row, whose numbers that program
# loses.
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
is "the longest of a cell" "$(numbers --span 1s --rows 1 --weights longest "$tmp/values.folded" | sed -n '/:01/p')" \
"12:00:01Z 0.000000000 2049 0"

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
while IFS='|' read -r options text <&3; do
	# shellcheck disable=SC2086
	status "$options" 2 $render heat $options -o "$tmp/none.svg" "$tmp/keys.folded"
	has "... is told" "$tmp/err" "$text"
	[ ! -e "$tmp/none.svg" ] && ok "... and nothing drawn" || not_ok "... and nothing drawn"
	rm -f "$tmp/none.svg"
done 3<<'END'
--y val|--y needs offset, value or utilization, not 'val'
--span 1x|--span needs a time from 1us to 400d such as
--span 0s|--span needs
--span 9999d|--span needs
--span 1ns|--span needs a time from 1us to 400d
--span 58w|--span needs
--format jpg|--format needs svg, svgz, png, pdf or tsv, not 'jpg'
--accstats|use --percentiles 50,90,99, which draws lines
--unitstime us|collapse --format points --unitstime us
--y utilization --by thread|--y utilization needs --by host or cpu
--y utilization --by-regexp x=y|--y utilization needs --by host or cpu
--y utilization --by cpu --isolate cpu0|--isolate and --without do not go with --y utilization
--y value --step 0.001|--step 0.001 is smaller than the values' last digit
--rows 0|--rows needs a number from 1 to 4096
--log|--log need --y value
--y value --log --step 3|--step makes rows of equal size
--y value --log --min 0|--log needs a --min above 0
--y value --min 10 --max 5|--min must be less than --max
--y value --min 1x|--min needs a number
--y value --max 100000 --step 1|more than 4096 rows
--y value --percentiles 50,,99|--percentiles needs numbers from 0 to 100
--y value --percentiles 1,2,3,4,5,6,7,8,9|--percentiles: at most 8
--percentiles 50|--percentiles needs --y value
--y utilization --weights value|do not go with --y utilization
--weights most|--weights needs count, value or longest, not 'most'
--paint --weights longest|--weights does not apply
--paint|--paint is for spans of time
--by tread|Did you mean 'thread'?
--by waker|which are
--per comm|--per: the lines have no 'comm'
--select a|need --by thread
--by thread --select a --isolate b|give only one of --select, --isolate
--by thread --select aa|no thread is called 'aa'
--by thread --select swapper-1|Did you mean 'swapper-0'?
--by thread --select zzzzzzz|the most frequent are 'a', 'b', 'swapper-0'
--by-regexp x|--by-regexp needs LABEL=REGEXP
--by-regexp x=(|missing closing parenthesis
--by thread --by-regexp x=y|exclude each other
--coloring rnk|--coloring needs linear, rank or log
--colors red|--colors needs ember
--tz Nowhere/City|--tz needs UTC, local
--tz ../../etc/passwd|--tz needs UTC, local
--from yesterday|--from needs a time
--theme blue|--theme needs
--script javascript:x|--script needs an address
--stepsek 3|Did you mean '--stepsec'?
END

# ---- nothing to draw --------------------------------------------------------------

# What comes in | why no map is drawn.
while IFS='|' read -r lines text <&3; do
	printf '%b' "$lines" >"$tmp/in"
	status "no picture of '$lines'" 2 $render heat -o "$tmp/empty.svg" "$tmp/in"
	has "... says why" "$tmp/err" "nothing to draw: $text"
	has "... in a picture too" "$tmp/empty.svg" "Nothing to draw"
	xmllint --noout "$tmp/empty.svg" 2>"$tmp/xml" && ok "... that is XML" || not_ok "... that is XML" "$tmp/xml"
	rm -f "$tmp/empty.svg"
done 3<<'END'
|the input is empty
a;b 1\n|the lines have no times: 'pyrograph collapse --heat' makes lines with times
@1.0 a;b x\n|no line of the input
END
status "filters that nothing passes" 2 $render heat -q --include zzz "$tmp/keys.folded"
has "... is said" "$tmp/err" "no line passes the filters"
status "--from behind the end" 2 $render heat -q --from 1h "$tmp/keys.folded"
has "... is said" "$tmp/err" "nothing was recorded in that time"
status "utilization without a rate" 2 sh -c "sed 's/rate=997Hz//' $tmp/keys.folded | $started heat -y utilization"
has "... is said" "$tmp/err" "has no sampling rate"
status "values that are all 0, logarithmic" 2 sh -c "echo '@$noon.5 a 0' | $started heat -y value --log"
has "... is said" "$tmp/err" "all values are zero"
status "a bad line, with --strict" 1 sh -c "(cat $tmp/keys.folded; echo '@1.5 a;b') | $started heat --strict -o $tmp/strict.svg"
[ ! -e "$tmp/strict.svg" ] && ok "... draws nothing" || not_ok "... draws nothing"
status "a bad line" 0 sh -c "(cat $tmp/keys.folded; echo '@1.5 a;b') | $started heat -o $tmp/bad.svg"
has "... is counted" "$tmp/err" "skipped 1 bad line of 7"
status "a line without a time" 0 sh -c "(cat $tmp/keys.folded; echo 'a;b 1') | $started heat -o $tmp/bad.svg"
has "... is counted" "$tmp/err" "skipped 1 line without a time of 7"
status "numbers to a full disk" 1 sh -c "$started heat -f tsv $tmp/keys.folded >/dev/full"
status "a recording in which nothing happened" 0 sh -c "head -1 $tmp/keys.folded | $started heat -o $tmp/quiet.svg"

# ---- words ------------------------------------------------------------------------

title() { $render heat -q "$@" | grep -o '"title":"[^"]*"' | head -1; }
is "the title" "$(title "$tmp/keys.folded")" '"title":"Subsecond-offset heat map: CPU activity within each second"'
is "... of minutes" "$(title --span 1m "$tmp/keys.folded")" '"title":"Offset heat map: CPU activity within each minute"'
is "... of any time" "$(title --span 600ms "$tmp/keys.folded")" '"title":"Offset heat map: CPU activity within each 600 ms"'
is "... of latencies" "$(title -y value "$tmp/values.folded")" '"title":"Latency Heat Map"'
is "... of other values" "$(title -y value "$tmp/keys.folded")" '"title":"Value Heat Map"'
is "... of CPUs" "$(title -y utilization "$tmp/keys.folded")" '"title":"CPU Utilization Heat Map"'
is "... of one's own" "$(title -t 'A <b> & c' "$tmp/keys.folded")" '"title":"A \u003cb\u003e \u0026 c"'
status "samples in step with timers" 0 sh -c "sed 's/rate=997Hz/rate=100Hz/' $tmp/keys.folded | $started heat -o $tmp/beat.svg"
has "... are told of" "$tmp/err" "record with -F 99"
has "... in the picture too" "$tmp/beat.svg" "record with -F 99"
sed 's/rate=997Hz/rate=99Hz/' "$tmp/keys.folded" >"$tmp/99.folded"
status "rows that make stripes" 0 $render heat --rows 50 -o "$tmp/beat.svg" "$tmp/99.folded"
has "... are told of" "$tmp/err" "--rows 3, 9, 11, 33 or 99 have none"
status "the usual rows" 0 $render heat -o "$tmp/beat.svg" "$tmp/99.folded"
is "... are not" "$(cat "$tmp/err")" ""
is "... since each has as many samples" "$(numbers "$tmp/99.folded")" "12:00:00Z 0.090909091 5 1"

# ---- columns of several periods ---------------------------------------------------

starts() { $render heat -q -f tsv "$@" | sed 1d | cut -f 2 | sort -u; }
{ header cpu-clock 1 01 | sed 's/to=[^ ]*/to=2026-11-21T12:00:09Z/'; for i in 1 2 3 4 5 6 7 8; do echo "@$((noon + i)).5 a;cpu0 1"; done; } >"$tmp/eight.folded"
is "--columns 1 is one, from the first period on" "$(starts --columns 1 "$tmp/eight.folded")" "2026-11-21T12:00:01.000000000Z"
is "--columns 3: each but the last of as many" "$(starts --columns 3 "$tmp/eight.folded")" \
"2026-11-21T12:00:01.000000000Z
2026-11-21T12:00:04.000000000Z
2026-11-21T12:00:07.000000000Z"
is "... in any zone" "$(starts --columns 3 --tz Asia/Kolkata "$tmp/eight.folded")" "$(starts --columns 3 "$tmp/eight.folded")"
for n in 1 2 3 5 7 8 9 40; do
	[ "$(starts --columns $n --span 250ms --tz Europe/Berlin --rows 4 "$tmp/eight.folded" | wc -l)" -le $n ] || echo "$n"
done >"$tmp/more"
is "never more columns than were asked for" "$(cat "$tmp/more")" ""
status "--columns, which was asked for" 0 $render heat --columns 3 --rows 33 -o "$tmp/eight.svg" "$tmp/eight.folded"
is "... is no news" "$(cat "$tmp/err")" ""
status "more than memory allows" 0 sh -c "$started heat -f tsv --span 100us --rows 4096 $tmp/eight.folded >$tmp/fine.tsv"
has "... is told" "$tmp/err" "80000 columns of 100 µs in 4096 rows are too many: 79 are combined into one"
is "... and every event is in a cell" "$(awk -F '\t' '{ sum += $4 } END { print sum }' "$tmp/fine.tsv")" 8

# ---- without a wall clock ---------------------------------------------------------

printf '# pyrograph: clock=monotonic unit=us\n@26807.560000000 a 120000\n@26807.570000000 a 2400\n@26808.600000000 a 80000\n' >"$tmp/kernel.folded"
is "times are seconds from the first event on" "$($render heat -q -f tsv --rows 10 "$tmp/kernel.folded" | sed -n 1,3p | cut -f 1-4 | tr '\t' ' ')" \
"map time_s offset_s events
all 0.000000000 0.000000000 2
all 1.000000000 0.000000000 1"
is "... all of the first column was seen" "$($render heat -q -f tsv --rows 10 "$tmp/kernel.folded" | sed -n 2p | cut -f 6)" 0.000

# ---- values and what they are -----------------------------------------------------

$render heat -q -y value -w 1200 "$tmp/kernel.folded" >"$tmp/us.svg"
has "values in us are lengths of time" "$tmp/us.svg" ">100 ms<"
has "... a row, too" "$tmp/us.svg" "1 row = 2.4 ms"
is "... with --min and --max in us still" "$(numbers -y value --rows 1 --min 2000 --max 3000 "$tmp/kernel.folded" | cut -d ' ' -f 2-3)" "2000 1"
printf '@1795262400.5 a 7\n@1795262401.5 a 3\n' | $render heat -q -y value >"$tmp/plain.svg"
has "numbers without a header are plain ones" "$tmp/plain.svg" '"unit":"","event":"events"'
has_not "... not samples" "$tmp/plain.svg" ">7 samples<"
status "values that are all the same" 0 $render heat -y value -o "$tmp/same.svg" "$tmp/keys.folded"
has "... are told of" "$tmp/err" "All values are equal"
has "... in the picture too" "$tmp/same.svg" "All values are equal"
status "two units in one map" 2 $render heat -o "$tmp/units.svg" "$tmp/keys.folded" "$tmp/spans.folded"
has "... is refused" "$tmp/err" "keys.folded has samples and $tmp/spans.folded has ns of time, which do not add up"
sed 's/event=cpu-clock/event=page-faults/' "$tmp/keys.folded" >"$tmp/faults.folded"
status "two events in one map" 0 $render heat -o "$tmp/kinds.svg" "$tmp/keys.folded" "$tmp/faults.folded"
has "... is told" "$tmp/err" "Events of several kinds are added up: cpu-clock, page-faults"
has "... in the picture too" "$tmp/kinds.svg" "Events of several kinds are added up"
status "a file twice" 0 $render heat -o "$tmp/kinds.svg" "$tmp/keys.folded" "$tmp/../$(basename "$tmp")/keys.folded"
has "... is told" "$tmp/err" "is given twice: its lines count twice"

# ---- how busy CPUs were -----------------------------------------------------------

{
	header | sed 's/997/49/'
	for i in 0 1; do for k in 02 22 42 62 82; do echo "@$((noon + i)).${k}0000000 a;cpu$i;main 1"; done; done
} >"$tmp/busy.folded"
status "utilization by default" 0 $render heat -y utilization -o "$tmp/use.svg" "$tmp/busy.folded"
is "... has no stripes" "$(cat "$tmp/err")" ""
has "... since rows are samples" "$tmp/use.svg" '"rows":49'
$render heat -q -y utilization --by cpu --select cpu0 "$tmp/busy.folded" >"$tmp/use.svg"
has "a CPU counts once: cpu0 in 2 columns" "$tmp/use.svg" ">cpu0 (2)<"
has "... and so does the rest" "$tmp/use.svg" ">everything else (2)<"
$render heat -q -y utilization --by cpu "$tmp/busy.folded" >"$tmp/use.svg"
has_not "no rest where there is none" "$tmp/use.svg" ">everything else"
sed 's/event=cpu-clock/event=sched/; s/rate=49Hz//; s/unit=samples/unit=ns/' "$tmp/busy.folded" >"$tmp/sums.folded"
status "utilization of sums" 2 $render heat -y utilization -o "$tmp/no.svg" "$tmp/sums.folded"
has "... says what to record" "$tmp/err" "collect sched --events"
status "sums, painted" 2 $render heat --paint -o "$tmp/no.svg" "$tmp/sums.folded"
has "... says so, too" "$tmp/err" "these lines are sums: 'pyrograph collect sched --events'"

# ---- what people give it ----------------------------------------------------------

printf '1475682078.014 100\n1475682078.114 200\n' >"$tmp/points"
status "what trace2heatmap.pl reads" 1 $render heat -o "$tmp/no.svg" "$tmp/points"
has "... is explained" "$tmp/err" "two columns of numbers? then: pyrograph collapse --format points $tmp/points | pyrograph render heat -y value"
is "... in one line" "$(wc -l <"$tmp/err")" 1
status "a negative time" 0 sh -c "(cat $tmp/keys.folded; echo '@-1.5 a;b 1') | $started heat -o $tmp/bad.svg"
has "... is one that is wrong" "$tmp/err" 'the time is not a plain number of seconds: "@-1.5 a;b 1"'
for zone in utc Z; do
	is "--tz $zone" "$($render heat -q --tz $zone "$tmp/keys.folded" | grep -o '"zone":[^]]*]')" '"zone":["UTC","UTC",0]'
done
is "--span 1w" "$($render heat -q --span 1w "$tmp/keys.folded" | grep -o '"period":"[0-9]*"')" '"period":"604800000000000"'
status "--detail that is too little" 0 $render heat --detail 1 -o "$tmp/detail.svg" "$tmp/keys.folded"
has "... is told" "$tmp/err" "--detail: the events need more than that"
status "a name that ends in no format" 2 $render heat -o "$tmp/a.jpg" "$tmp/keys.folded"
has "... is told what there is" "$tmp/err" "a.jpg: the name must end in svg, svgz, png, pdf or tsv"

# ---- windows that are too long ----------------------------------------------------

printf '@1 a 1\n@9999999999 a 2\n' >"$tmp/far.folded"
for options in "" "--span 1s" "--span 1us --rows 7" "--span 17s --columns 2" "-y value --span 1us"; do
	# shellcheck disable=SC2086
	is "300 years: $options: every event is in a cell" \
		"$($render heat -q -f tsv $options "$tmp/far.folded" | awk -F '\t' 'NR > 1 { sum += $4 } END { print sum }')" 2
done
