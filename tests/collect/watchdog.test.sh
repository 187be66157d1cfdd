#!/bin/sh
# A recording that does more harm than good ends by itself, and keeps what it has.  (The unit test checks the
# limits.)
# slow: two recordings of several seconds
# live: a recording that is stopped, and one that loses nearly all
. tests/tap.sh
. tests/collect/common.sh
need_sampling "watchdog"
talks=${BUILD:-build}/tests/workloads/talks

# Rings that hold only three samples, while there are tens of thousands a second; the collector gets at best a fifth of
# the CPUs.
losing()
{
	run_to "$tmp/out" "$tmp/said" $collect -e context-switches -c 1 -m 64k --call-graph dwarf,16376 -o "$tmp/losing.data" \
		-- timeout 20 sh -c 'for i in 1 2 3 4; do "$0" talk 100000000 & done; wait' "$talks"
	got=$?
	lost=$(sed -n 's/.* lost: \([0-9]*\) samples.*/\1/p' "$tmp/said")
	if [ $got = 0 ] && [ "${lost:-0}" -lt $(($(said "$tmp/said") * 2)) ]; then
		inconclusive "more is lost than kept" "the collector kept up: ${lost:-0} lost"
		return
	fi
	is "more is lost than kept: status" $got 4
	has "... said, with what to do" "$tmp/said" "to spare the machine: for 5 s, more samples were lost than kept"
	has "... and how to go on" "$tmp/said" "; --no-watchdog goes on"
	some "... what was recorded is kept" "$(samples "$tmp/losing.data")" "$(said "$tmp/said")"
}
live losing

stopped()
{
	rm -f "$tmp/off.data" "$tmp/on.data"
	"$spin" 60 1 >"$tmp/out" & spins=$!
	$collect -p $spins -d 120 -o "$tmp/on.data" 2>"$tmp/on.err" & watched=$!
	$collect -p $spins -d 120 -o "$tmp/off.data" --no-watchdog 2>"$tmp/off.err" & unwatched=$!
	grows "$tmp/on.data" 1000 || not_ok "it records" "$tmp/on.err"
	grows "$tmp/off.data" 1000 || not_ok "it records" "$tmp/off.err"
	rest $spins
	kill -STOP $watched $unwatched
	sleep 6 # five are too many
	kill -CONT $watched $unwatched
	finished $watched
	is "a collector that was stopped for six seconds: status" $? 4
	has "... said" "$tmp/on.err" "to spare the machine: the collector got no CPU for"
	is "... another one goes on" "$(gone $unwatched || echo yes)" yes
	kill -TERM $unwatched
	finished $unwatched
	is "... until it is told to end" $? 0
	end_spinners $spins
	has_not "... and says nothing of it" "$tmp/off.err" "spare the machine"
}
live stopped
