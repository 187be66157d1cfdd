#!/bin/sh
# collapse --timeline of a recording of a program that stalls (tests/workloads/faults.c): it shows who made the others
# wait, and no time of a thread is there twice.
# slow: records a program
# live: a timeline
. tests/tap.sh
faults=${BUILD:-build}/tests/workloads/faults

if ! "$pyrograph" collect cpu,sched,offcpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "timelines" "cannot record here: $(tail -1 "$tmp/err")"
	exit 0
fi

# timeline EVENTS: how spans are recorded
timeline()
{
	"$pyrograph" collect cpu,sched,offcpu -q "$1" --wakers --call-graph dwarf -o "$tmp/rec.data" -- "$faults" stall 2 \
		>"$tmp/out" 2>"$tmp/err" || not_ok "$1: recorded" "$tmp/err"
	"$pyrograph" collapse -q --timeline -o "$tmp/lines" "$tmp/rec.data" 2>"$tmp/err" || not_ok "$1: folded" "$tmp/err"
	if grep '^# stall:' "$tmp/lines" >"$tmp/stalls"; then
		has "$1: a stall by the one that holds the lock" "$tmp/stalls" '/cache-refresher '
	else
		inconclusive "$1: a stall by the one that holds the lock" "nobody waited: the machine is too busy"
	fi
	is "... no time twice" "$(python3 - "$tmp/lines" <<-'EOT'
		import re, sys
		rows = {}
		for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
		    if line[0] == "@" and ";sampled;" not in line:
		        at, rest = line[1:].split(" ", 1)
		        rows.setdefault(rest.split(";")[0], []).append((int(at.replace(".", "")), int(rest.split()[-3])))
		twice = everything = 0
		for spans in rows.values():
		    end = 0
		    for start, ns in sorted(spans):
		        twice += max(0, min(end, start + ns) - start)
		        everything += ns
		        end = max(end, start + ns)
		print(twice if twice * 1000 > everything else "less than a thousandth")
	EOT
	)" "less than a thousandth"
	status "... draws" 0 "$pyrograph" render timeline -q -o "$tmp/picture.svg" "$tmp/lines"
}

live timeline --events
live timeline --events=1ms
