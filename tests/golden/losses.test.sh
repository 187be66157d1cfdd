#!/bin/sh
# Losses in charts: red, and only once, if they change conclusions; otherwise grey, after "Details:".
. tests/tap.sh
. tests/served.sh

# said CHART HEADER LINE: prints "class: text" for the heading below its first line.
said()
{
	printf '# pyrograph: %s\n%s\n' "$2" "$3" >"$tmp/in.folded"
	# shellcheck disable=SC2086 # CHART is a verb and its options
	served "$pyrograph" render $1 -q --script t.js "$tmp/in.folded" 2>/dev/null |
		sed -n '/id="heading"/,/<\/g>/s/^<text [^>]*class="\([a-z]*\)"[^>]*>\(.*\)<\/text>/\1: \2/p' |
		grep -E '^(alarm|doubt): '
}

# LOST of 1,000 samples; LOSSES; WANTED
while IFS='|' read -r lost losses wanted <&3; do
	is "$lost lost, $losses" "$(said flame "host=h lost=$lost/1000 losses=\"$losses\" unit=samples" 'a 1000' | paste -sd '|')" \
		"$(echo "$wanted" | tr '/' '|')"
done 3<<'CASES'
0|late reads 1|doubt: Details: Buffer over half full once; nothing lost
0|late reads 12|doubt: Details: Buffer over half full 12 times; nothing lost
9|late reads 1|doubt: Details: Lost 9 of 1,000 samples (0.9 %) · Buffer over half full once
10|late reads 1|alarm: Lost 10 of 1,000 samples (1 %)/doubt: Details: Buffer over half full once
0|late reads 2, spans lost 1|doubt: Details: Buffer over half full 2 times · 1 span lost
0|spans lost 2, events missed 3|doubt: Details: 2 spans lost · 3 events missed
0|events missed 10|alarm: 10 events missed
0|throttled 9|doubt: Details: Throttled 9 times
0|throttled 10|alarm: Throttled 10 times
0|stacks cut 49|doubt: Details: 49 stacks cut
0|stacks cut 1|doubt: Details: 1 stack cut
0|stacks cut 50|alarm: 50 stacks cut
0|stacks by frame pointers 49|doubt: Details: 49 stacks by frame pointers
0|stacks by frame pointers 50|alarm: 50 stacks by frame pointers
0|broken user stacks 3 of 10|doubt: Details: 30 % of stacks are incomplete
0|broken user stacks 5 of 10|alarm: 50 % of stacks are incomplete
0|unwritten records 1|alarm: 1 record not written
0|file cut off, clock steps 1|alarm: File cut off/doubt: Details: The wall clock was set once
0|something new 1|doubt: Details: something new 1
0|something new 12|alarm: something new 12
0|something else|alarm: something else
CASES

is "frames without a name: some" "$(said flame 'unresolved=19/100 unit=samples' 'a 1')" "doubt: Details: 19 % of frames without a name"
is "... many" "$(said flame 'unresolved=20/100 unit=samples' 'a 1')" "alarm: 20 % of frames without a name"
is "without a number of samples, every loss is one" "$(said flame 'losses="spans lost 1"' 'a 1')" "alarm: 1 span lost"
for chart in "states" "tenancy --total"; do
	is "$chart" "$(said "$chart" 'root=thread,cpu,state losses="late reads 3" lost=0/10 unit=ns' 'a;cpu0;running 100')" \
		"doubt: Details: Buffer over half full 3 times; nothing lost"
done
is "heat" "$(said heat 'root=thread losses="late reads 3" lost=0/10' '@1795262400.5 a;x 1')" \
	"doubt: Details: Buffer over half full 3 times; nothing lost"
gap='# gap: start=1795262400.1 end=1795262400.2 lost=3 why=lost'
window='from=2026-11-21T12:00:00.000000000Z to=2026-11-21T12:00:05.000000000Z'
is "gaps of a heat map: red if they are much" "$(said heat "root=thread $window" "$gap
@1795262400.5 a;x 1")" "alarm: Not seen: 100 ms in 1 gap (lost 1), hatched"
is "... unless another line is red for the same loss" "$(said heat "root=thread $window lost=3/10" "$gap
@1795262400.5 a;x 1")" "alarm: Lost 3 of 10 samples (30 %)
doubt: Details: Not seen: 100 ms in 1 gap (lost 1), hatched"
is "... grey if they are little" "$(said heat "root=thread $window" "# gap: start=1795262400.1 end=1795262400.14 why=lost
@1795262400.5 a;x 1")" "doubt: Details: Not seen: 40 ms in 1 gap (lost 1), hatched"
