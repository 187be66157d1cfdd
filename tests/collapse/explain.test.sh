#!/bin/sh
# collapse --explain names the thread and the function of a planted fault (tests/workloads/faults.c).
# slow: records some programs
# live: explanations
. tests/tap.sh
faults=${BUILD:-build}/tests/workloads/faults

if ! "$pyrograph" collect cpu,sched,offcpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "explanations" "cannot record here: $(tail -1 "$tmp/err")"
	exit 0
fi
urgent= # so that what others do on this machine is seldom the reason
! nice -n -15 true 2>/dev/null || urgent="nice -n -15"

# fault NAME KINDS THREAD [FUNCTION [PREFIX]]: the first finding that has the program's requests as victims.  Where the
# guilty one did not get a CPU, that is true as well: no-cpu.  Long spans are recorded one by one, as report does it.
events=--events=1ms
fault()
{
	# shellcheck disable=SC2086 # words
	${5-$urgent} "$pyrograph" collect cpu,sched,offcpu -q $events --wakers --call-graph dwarf -o "$tmp/rec.data" -- \
		"$faults" "$1" 2 >"$tmp/out" 2>"$tmp/err" || not_ok "$1: recorded" "$tmp/err"
	"$pyrograph" collapse -q --explain=json --threads '^request' "$tmp/rec.data" >"$tmp/json" 2>"$tmp/err" ||
		not_ok "$1: explained" "$tmp/err"
	python3 - "$tmp/json" >"$tmp/found" <<-'EOF'
		import json, re, sys
		for found in json.load(open(sys.argv[1]))["findings"][:1]:
		    print(found["kind"], re.sub("-[0-9]$", "", found["guilty"]["thread"]), found.get("function"))
	EOF
	if [ ! -s "$tmp/found" ]; then
		inconclusive "$1" "nobody waited: the machine is too busy"
	elif grep -qE "^($2) $3 ${4:-}" "$tmp/found"; then
		ok "$1"
	else
		not_ok "$1" "$tmp/found"
	fi
}

live fault stall 'ran|no-cpu' cache-refresher 'with_the_book > rebuild_index'
events=--events
live fault stall 'ran|no-cpu' cache-refresher 'with_the_book > rebuild_index'
events=--events=1ms
live fault convoy 'ran|no-cpu' request 'with_the_book > price_order'
live fault stolen stolen batch-job 'neighbour > crunch_numbers'
live fault inversion no-cpu log-writer '' ''
live fault sleep 'slept|no-cpu' request 'back_off > sleep_ms'
