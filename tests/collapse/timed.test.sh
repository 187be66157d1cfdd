# Timed output: ranges, input of heat maps, and gaps in the observation.
# slow: perf script beside it
. tests/tap.sh
make() { python3 tests/collapse/make_recording.py "$tmp/$1" <"$2"; }
lines() { grep -v '^#' "$1"; }

# ---- ranges are half-open: each sample is in exactly one ---- Samples at the borders, and a nanosecond before and
# after them.
{
	echo 'event cpu-clock'
	echo 'clock 1000000000 1795342502000000007'
	for border in 1100000000 1250000000 1400000000; do
		for sample in $((border - 1)) $border $border $((border + 1)); do
			echo "sample $sample 10 10 0 0x1100"
		done
	done
	echo 'sample 1000000000 10 10 0 0x1100'
	echo 'sample 1500000000 10 10 0 0x1100'
} >"$tmp/borders.txt"
make borders "$tmp/borders.txt"
"$pyrograph" collapse -q --timed "$tmp/borders" >"$tmp/whole"
lines "$tmp/whole" >"$tmp/wanted"
is "all samples" "$(wc -l <"$tmp/wanted")" 14

# ranges WHAT BORDER...: the parts between the borders, put together, give the whole.
ranges()
{
	what=$1 before=
	shift
	: >"$tmp/parts"
	for border in "$@" ''; do
		"$pyrograph" collapse -q --timed ${before:+--from "$before"} ${border:+--to "$border"} "$tmp/borders" >"$tmp/part"
		lines "$tmp/part" >>"$tmp/parts"
		wc -l <"$tmp/part" >>"$tmp/sizes.$#"
		before=$border
	done
	BLESS= same "$what: each sample in one range" "$tmp/parts" "$tmp/wanted"
}
ranges "since 1970" @1795342502.100000007 @1795342502.250000007 @1795342502.400000007
is "... the border is in the later one" "$(tr -s '\n ' ' ' <"$tmp/sizes.3")" "3 5 5 5 "
ranges "ISO" 2026-11-22T10:15:02.100000007Z 2026-11-22T10:15:02.250000007Z
ranges "from the start" +0.1 +0.25 +0.4
ranges "in ns" +100000000ns +250000001ns
ranges "back from the end" -0.4 -0.25
status "an empty range" 1 "$pyrograph" collapse --timed --from +0.1 --to +0.1 "$tmp/borders"
"$pyrograph" collapse -q --timed --from @1795342502.100000007 --to @1795342502.250000007 "$tmp/borders" >"$tmp/part"
has "the header says what was looked at" "$tmp/part" \
	"from=2026-11-22T10:15:02.100000007Z to=2026-11-22T10:15:02.250000007Z"
"$pyrograph" collapse -q --timed --from @1795342500 --to @1795342509 "$tmp/borders" >"$tmp/part"
has "... which is no more than was recorded" "$tmp/part" \
	"from=2026-11-22T10:15:02.000000007Z to=2026-11-22T10:15:02.500000008Z"
"$pyrograph" collapse -q "$tmp/borders" >"$tmp/part"
has_not "... and not said of lines without times" "$tmp/part" " from="

# ---- a cell of a heat map is such a range ----
sed 's/000000007$/000000000/' "$tmp/borders.txt" >"$tmp/cells.txt"
make cells.data "$tmp/cells.txt"
"$pyrograph" collapse -q --heat "$tmp/cells.data" |
	"$pyrograph" render heat -q --span 100ms --rows 2 --format tsv >"$tmp/cells.tsv" 2>"$tmp/err"
# For each cell: beginning and end (in ms, since mawk has no whole numbers of 64 bits), and the number of samples.
awk -F '\t' 'function at(ms) { return sprintf("@%d.%03d", 1795342500 + int(ms / 1000), ms % 1000) }
	NR > 1 && $4 { split(substr($2, 18), s, "Z"); ms = int((s[1] + $3) * 1000 + .5); print at(ms), at(ms + 50), $4 }' \
	"$tmp/cells.tsv" >"$tmp/cells"
is "cells with samples on their borders" "$(cut -d' ' -f3 "$tmp/cells" | tr '\n' ' ')" "1 1 3 1 3 1 3 1 "
while read -r from to events; do
	"$pyrograph" collapse -q --timed --from "$from" --to "$to" "$tmp/cells.data" >"$tmp/out"
	is "the cell $from is what is from then to $to" "$(grep -c '^@' "$tmp/out")" "$events"
done <"$tmp/cells"

# ---- several concatenated recordings ----
make gaps tests/collapse/golden/gaps.txt
{ "$pyrograph" collapse -q --timed "$tmp/borders" && "$pyrograph" collapse -q --timed "$tmp/gaps"; } >"$tmp/both"
is "each has its header" "$(grep -c '^# pyrograph: ' "$tmp/both")" 2
is "... gaps stand right behind theirs" "$(grep -n '^#' "$tmp/both" | cut -d: -f1 | tr '\n' ' ')" "1 16 17 18 19 20 21 "
if grep '^#' "$tmp/both" | grep -qE ' [0-9.]+$'; then not_ok "no comment ends in a number"; else ok "no comment ends in a number"; fi

# ---- --heat ----
for golden in sched offcpu wakers; do make $golden tests/collapse/golden/$golden.txt; done
# root WHAT WANTED OPTIONS...
root()
{
	what=$1 wanted=$2
	shift 2
	"$pyrograph" collapse -q "$@" >"$tmp/out" 2>"$tmp/err"
	is "$what: roots" "$(head -1 "$tmp/out" | grep -o 'root=[^ ]*')" "root=$wanted"
	is "$what: one value a line" "$(lines "$tmp/out" | grep -cE ' [0-9]+ [0-9]+$')" 0
	is "$what: timed" "$(lines "$tmp/out" | grep -cv '^@')" 0
	has_not "$what: no columns" "$tmp/out" "columns="
}
root "samples" comm,thread,cpu --heat "$tmp/gaps"
has "... kernel frames are told apart" "$tmp/out" "_[k] 1"
root "blocked time" comm,wait,thread,state --heat --offcpu "$tmp/offcpu"
root "... of other roots" comm --heat --offcpu --root comm "$tmp/offcpu"
root "states" comm,thread,state,by --heat --states "$tmp/sched"
root "... unasked" comm,thread,state,by --heat "$tmp/sched"
root "tenancy" comm,thread,cpu --heat --tenancy "$tmp/sched"
root "by process" pid --heat --pid "$tmp/gaps"
"$pyrograph" collapse --heat --tenancy --columns time,count "$tmp/sched" >"$tmp/out"
has "columns, if asked for" "$tmp/out" "columns=time,count"
status "an option that is nearly one" 2 "$pyrograph" collapse --haet "$tmp/gaps"
has "... is suggested" "$tmp/err" "Did you mean '--heat'?"

# ---- which CPUs ----
# cpus WHAT WANTED LINES: the CPUs of a recording with these lines.
cpus()
{
	printf 'event cpu-clock\n%s\nsample 1000 10 10 5 0x1100\n' "$3" >"$tmp/cpus.txt"
	make cpus "$tmp/cpus.txt"
	"$pyrograph" collapse -q --timed "$tmp/cpus" >"$tmp/out"
	is "CPUs: $1" "$(head -1 "$tmp/out" | grep -o 'cpus=[^ ]*')" "cpus=$2"
}
cpus "those with samples" 5 ''
cpus "a list" 0,2,4-6 'cpu-map 6 0 2 4'
cpus "threads: any" 5 'cpu-map 65535'
cpus "a mask" 0-2,5,64 'cpu-mask 0x7 0x1'
cpus "a range" 3-5 'cpu-range 3 4'
cpus "a damaged range" 5 'cpu-range 9 3'
cpus "a list that is cut" 1,3,5 'raw 4a000000 00001000 0000 0900 0100 0300'

# ---- clocks ----
# clock WHAT WANTED ANCHORS...: what the header says about the wall clock.
clock()
{
	what=$1 wanted=$2
	shift 2
	{ echo 'event cpu-clock'; printf 'clock %s\n' "$@"; echo 'sample 1000000000 10 10 0 0x1100'; } >"$tmp/clock.txt"
	make clock "$tmp/clock.txt"
	for timed in --timed ''; do
		"$pyrograph" collapse -q $timed "$tmp/clock" >"$tmp/out"
		is "clock: $what $timed" "$(head -1 "$tmp/out" | grep -o 'clock-error=[^ ]*')" "${wanted:+clock-error=$wanted}"
	done
}
clock "right" '' '1000000000 5000000000' '2000000000 6000000000'
clock "noise" '' '1000000000 5000000000' '2000000000 6000999999'
clock "ahead" +1.5ms '1000000000 5000000000' '2000000000 6001500000'
clock "set back" -3600s '1000000000 5000000000000' '2000000000 1401000000000'
clock "there and back" -250.125ms '1000000000 5000000000' '2000000000 5749875000' '3000000000 7000000000'

# state WHAT WANTED LINES...: how far the clock may differ from the right time.
state()
{
	what=$1 wanted=$2
	shift 2
	{ echo 'event cpu-clock'; echo 'clock 1000000000 5000000000'; printf 'clock-state %s\n' "$@"
	  echo 'sample 1000000000 10 10 0 0x1100'; } >"$tmp/state.txt"
	make state "$tmp/state.txt"
	"$pyrograph" collapse -q "$tmp/state" >"$tmp/out"
	is "clock state: $what" "$(head -1 "$tmp/out" | grep -o 'clock-within=[^ ]*')" "${wanted:+clock-within=$wanted}"
}
state "the kernel's" 12.5ms '1 kernel synchronized 12500000 31000'
state "rounded up" 0.001ms '1 kernel synchronized 1 1'
state "seconds" 16s '1 kernel synchronized 16000000000 1'
state "chrony knows better" 1.281ms '1 kernel unsynchronized 16000000000 1' '2 chrony synchronized 1280500 41000'
state "nobody keeps it right" unsynchronized '1 kernel unsynchronized 16000000000 16000000000'
state "nobody knows" '' '1 kernel synchronized 0 0'
state "damaged" '' '1 kernel' 'x' '1' '1 kernel synchronised 5 5' '1 kernel synchronized' '1 kernel synchronized x'
state "damaged after a good one" 2ms '1 kernel synchronized 2000000 1' '1 chrony synchronized -1'

# cost WHAT WANTED LINES...: what a continuous recording says about its own cost.
cost()
{
	what=$1 wanted=$2
	shift 2
	{ echo 'event cpu-clock'; printf 'watch %s\n' "$@"; echo 'sample 1000000000 10 10 0 0x1100'; } >"$tmp/watched.txt"
	make watched "$tmp/watched.txt"
	"$pyrograph" collapse -q "$tmp/watched" >"$tmp/out"
	is "own cost: $what" "$(head -1 "$tmp/out" | sed -n 's/.*own-cost=\("[^"]*"\|[^ ]*\).*/\1/p')" "$wanted"
}
cost "within the budget" 0.43%/1.00% 'window 3' 'budget 1.00' 'cost 0.43' 'level 0' 'rate 99'
cost "lowered" '"1.43%/1.00%, 49Hz"' 'budget 1.00' 'cost 1.43' 'level 1' 'rate 49'
cost "more" '"1.43%/1.00%, 19Hz without io,faults"' 'budget 1.00' 'cost 1.43' 'level 3' 'rate 19' 'off io,faults'
cost "no budget" 2.00% 'budget 0.00' 'cost 2.00' 'level 0' 'rate 99'
cost "damaged" '' 'cost' 'budget 1.00'

# said LINES...: what any recording says about its own cost.
said()
{
	{ echo 'event cpu-clock'; printf 'cost %s\n' "$@"; echo 'sample 1000000000 10 10 0 0x1100'; } >"$tmp/taken.txt"
	make taken "$tmp/taken.txt"
	"$pyrograph" collapse -q "$tmp/taken" >"$tmp/out"
}
said 'wall 10' 'cpus 2' 'says 0.3 % of the machine; the targets used 0.4 % more CPU time (estimated)'
has "its cost in words" "$tmp/out" ' recording-cost="0.3 % of the machine; the targets used 0.4 % more CPU time (estimated)" '
said "says 'a \"b\" c'"
has "... whatever they are" "$tmp/out" ' recording-cost="a \u0022b\u0022 c" '
said 'wall' 'say 5 %' 'says'
has_not "... and none of a damaged section" "$tmp/out" recording-cost

# ---- what BPF programs lost ----
{ cat tests/collapse/golden/spans.txt
  echo 'gap 1500000000 1600000000 17 sched'
  echo 'gap 1600000001 1700000000 3 sched'
  echo 'gap 1200000000 1300000000 5 offcpu'
  echo 'gap 1800000000 99999999999 0 sched'
  echo 'gap 99999999999 1 9 sched'; echo 'gap 1 x'; } >"$tmp/lost.txt"
make lost "$tmp/lost.txt"
"$pyrograph" collapse -q --states --timed "$tmp/lost" >"$tmp/out"
grep '^# gap' "$tmp/out" | sed 's/=17953425/=/g' >"$tmp/gaps"
cat >"$tmp/wanted" <<'END'
# gap: start=02.500000000 end=02.700000000 lost=20 why=lost
# gap: start=02.800000000 end=04.000000000 why=lost
END
BLESS= same "stretches in which a BPF program lost spans of this event" "$tmp/gaps" "$tmp/wanted"

# ---- impossible spans, because the clocks of two CPUs differed ----
{ cat tests/collapse/golden/spans.txt
  echo 'span 1500000017 1500000000 10 10 0 18446744073709551599 1 18446744073709551599 single state:sleeping'
  echo 'span 1000000000 2000000000 20 20 0 5 2 18446744073709551599 - state:sleeping'
  echo 'span 1000000000 2000000000 20 20 0 18446744073709551599 2 5 - state:sleeping'; } >"$tmp/backwards.txt"
make backwards "$tmp/backwards.txt"
make right tests/collapse/golden/spans.txt
for options in "--states --timed" "--states" "--offcpu --timed"; do
	# shellcheck disable=SC2086 # options are words
	"$pyrograph" collapse $options "$tmp/backwards" >"$tmp/out" 2>"$tmp/err"
	has "$options: spans that cannot be are said" "$tmp/err" "3 samples are malformed and are skipped"
	has "... and counted" "$tmp/out" 'losses="damaged 3'
	# shellcheck disable=SC2086 # options are words
	"$pyrograph" collapse -q $options "$tmp/right" >"$tmp/wanted"
	sed 's/ losses="damaged 3"//; s/damaged 3, //' "$tmp/out" >"$tmp/got"
	BLESS= same "... and change nothing else" "$tmp/got" "$tmp/wanted"
done

# ---- sums are no events ----
"$pyrograph" collapse --heat --states "$tmp/sched" >"$tmp/out" 2>"$tmp/err"
has "sums of a second are said" "$tmp/err" "sums of about 1s, shown at the time when they were written"
has "... and how to have events" "$tmp/err" "'pyrograph collect sched --events'"
has "... and counted in the header" "$tmp/out" "sums=16/16 sums-of=1s"
"$pyrograph" collapse --heat --states "$tmp/right" >"$tmp/out" 2>"$tmp/err"
has "spans are spans" "$tmp/out" "spans=start"
has_not "... and no sums" "$tmp/out" "sums"
is "... of which there is nothing to say" "$(cat "$tmp/err")" ""
{ cat tests/collapse/golden/spans.txt
  echo 'span 1700000000 2000000000 20 20 0 5 2 3 - state:sleeping'
  echo 'span 2000000000 2001000000 20 20 0 5 2 3 - state:sleeping'; } >"$tmp/mixed.txt"
make mixed "$tmp/mixed.txt"
"$pyrograph" collapse --heat --states "$tmp/mixed" >"$tmp/out" 2>"$tmp/err"
has "some of the lines are sums" "$tmp/out" "sums=2/8 sums-of=299ms"
has_not "... then not all are spans" "$tmp/out" "spans=start"
has "... which is said" "$tmp/err" "2 of 8 lines are sums of about 299ms"
"$pyrograph" collapse -q --states "$tmp/sched" >"$tmp/out"
has_not "lines without times are sums anyhow" "$tmp/out" "sums="
"$pyrograph" collapse --heat "$tmp/gaps" >"$tmp/out" 2>"$tmp/err"
has_not "samples are no sums" "$tmp/out" "sums="

# ---- losses of others ----
{ cat tests/collapse/golden/spans.txt; echo 'loss lost_stacks 3'; echo 'loss uncopied_stacks 4'; echo 'loss lost_spans 2'
	echo 'loss missed_events 5'; } >"$tmp/stacks.txt"
make stacks "$tmp/stacks.txt"
"$pyrograph" collapse -q --states "$tmp/stacks" >"$tmp/out"
has "states have no stacks to lose" "$tmp/out" 'losses="spans lost 2, events missed 5"'
sed 's/span-event sched/span-event offcpu/' "$tmp/stacks.txt" >"$tmp/blocks.txt"
make blocks "$tmp/blocks.txt"
"$pyrograph" collapse -q --offcpu "$tmp/blocks" >"$tmp/out"
has "off-CPU time has" "$tmp/out" 'losses="spans lost 2, events missed 5, stacks not taken 3, stacks by frame pointers 4"'

# No line has a place in time, so no heat map can be drawn.
python3 tests/collapse/make_recording.py "$tmp/sums.data" <tests/collapse/golden/onlysums.txt
status "only sums are left" 1 "$pyrograph" collapse -q --offcpu --heat "$tmp/sums.data"
has "... is said" "$tmp/err" "only sums are left, whose times are not known (collect --events records single spans)"
status "... and told to report" 3 "$pyrograph" collapse -q --offcpu --heat --if-any "$tmp/sums.data"
