#!/bin/sh
# collapse --wall: the times of each thread in one tree of stacks add up to what sched says.
. tests/tap.sh

# sums FILE: the time of each thread in the states that sched has
sums()
{
	grep -v '^#' "$1" | awk '{ split($0, frame, ";"); all[frame[1]] += $NF }
		END { for (thread in all) printf "%s %.0f\n", thread, all[thread] }' | sort
}

# compare NAME [OPTION...]
compare()
{
	name=$1
	shift
	"$pyrograph" collapse -q --wall "$@" "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "$name" "$tmp/err"
	"$pyrograph" collapse -q --states --weight time "$@" "$tmp/rec.data" >"$tmp/states" 2>"$tmp/err" ||
		not_ok "$name" "$tmp/err"
	is "$name: each thread's sum is that of its states, to the nanosecond" "$(sums "$tmp/wall")" "$(sums "$tmp/states")"
}

python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/budget.txt || not_ok "make budget"
compare "sums"
python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/switches.txt || not_ok "make switches"
compare "switches"
python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/explain.txt || not_ok "make explain"
# here sched has no blocked time: it is as long as offcpu says, so it is compared without
"$pyrograph" collapse -q --wall -x '\[blocked: ' "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "explain" "$tmp/err"
"$pyrograph" collapse -q --states --weight time --state running,runnable "$tmp/rec.data" >"$tmp/states" 2>"$tmp/err"
is "single spans: the running and runnable time of each thread" "$(sums "$tmp/wall")" "$(sums "$tmp/states")"
"$pyrograph" collapse -q --wall -i '\[blocked: ' "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "explain" "$tmp/err"
has "... a wait for a lock is below its stack" "$tmp/wall" 'futex_wait;[blocked: lock] '
for with in "--heat" "--timed" "--weight count" "--state running" "-e sched" "--min 1ms" "--waits lock"; do
	# shellcheck disable=SC2086
	status "not with $with" 2 "$pyrograph" collapse -q --wall $with "$tmp/rec.data"
	"$pyrograph" collapse -q --wall $with "$tmp/rec.data" >"$tmp/out" 2>"$tmp/err"
	has "... says so" "$tmp/err" "all the time of threads"
done
"$pyrograph" render flame -q -o "$tmp/wall.svg" "$tmp/wall" 2>"$tmp/err" || not_ok "draw" "$tmp/err"
has "its picture has the colours of blocked time without being asked" "$tmp/wall.svg" ">blocked<"
