#!/bin/sh
# collapse --wall: the times of each thread, in one tree of stacks, add up to the times of sched.
. tests/tap.sh
. tests/served.sh

# judge WALL STATES: threads whose sums differ.  Where sched has no blocked time, offcpu's must be the same.
judge()
{
	awk '
	/^#/ { next }
	{
		split($0, frame, ";"); thread = frame[1]
		if (FNR == NR)
			kind = /;\[blocked: / ? "blocked" : /;\[runnable\]/ ? "runnable" : /;\[throttled\]/ ? "throttled" : "running"
		else
			kind = frame[2] ~ /^running/ ? "running" : frame[2] ~ /^(preempted|quantum-over|yielded|woken)/ ? "runnable" : frame[2] ~ /^throttled/ ? "throttled" : "blocked"
		if (FNR == NR) wall[thread, kind] += $NF; else { states[thread, kind] += $NF; threads[thread] = 1 }
	}
	END {
		if (!FNR)
			print "no states"
		for (thread in threads) for (i = split("running runnable throttled blocked", kinds, " "); i; i--) {
			kind = kinds[i]
			if (kind == "blocked" && !states[thread, kind])
				continue
			if (wall[thread, kind] != states[thread, kind])
				printf "%s %s: %.0f, not %.0f\n", thread, kind, wall[thread, kind], states[thread, kind]
		}
	}' "$1" "$2"
}

# Every golden recording that has states.
for text in tests/collapse/golden/*.txt; do
	name=${text##*/}
	run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" <"$text" || continue
	for part in "" "--from +0.4s" "--to +3.3s"; do
		# shellcheck disable=SC2086
		run_to "$tmp/states" "$tmp/err" "$pyrograph" collapse -q --states --weight time $part "$tmp/rec.data" || continue
		# shellcheck disable=SC2086
		run_to "$tmp/wall" "$tmp/err" "$pyrograph" collapse -q --wall $part "$tmp/rec.data" || not_ok "$name" "$tmp/err"
		is "$name $part: each thread's sums are those of its states, to the nanosecond" "$(judge "$tmp/wall" "$tmp/states")" ""
	done
done

run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/explain.txt || not_ok "make explain"
run_to "$tmp/wall" "$tmp/err" "$pyrograph" collapse --wall "$tmp/rec.data" || not_ok "explain" "$tmp/err"
has "a wait for a lock is below its stack" "$tmp/wall" 'futex_wait;[blocked: lock] '
for with in "--heat" "--timed" "--weight count" "--state running" "-e sched" "--min 1ms" "--waits lock"; do
	# shellcheck disable=SC2086
	status "not with $with" 2 "$pyrograph" collapse -q --wall $with "$tmp/rec.data"
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q --wall $with "$tmp/rec.data"
	has "... says so" "$tmp/err" "all the time of threads"
done
run_to "$tmp/none" "$tmp/err" "$pyrograph" render flame -q -o "$tmp/wall.svg" "$tmp/wall" || not_ok "draw" "$tmp/err"
has "its picture has the colours of blocked time without being asked" "$tmp/wall.svg" ">blocked<"

for root in wait state by doing thread,waker; do
	status "not with --root $root" 2 "$pyrograph" collapse -q --wall --root $root "$tmp/rec.data"
	has "... says where it is instead" "$tmp/err" "at the leaf"
done
status "as pprof, too" 0 "$pyrograph" collapse -q --wall --out pprof -o "$tmp/wall.pb.gz" "$tmp/rec.data"

# warns GOLDEN EVENTS TEXT: if the other events are missing, a warning says what is estimated or missing
warns()
{
	awk -v events="$2" '/^(span-)?event/ { keep = events ~ $2 } !/^(span|sample|(span-)?event) / || keep' \
		"tests/collapse/golden/$1" | run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" || not_ok "make"
	status "only $2" 0 "$pyrograph" collapse --wall "$tmp/rec.data"
	cp "$tmp/out" "$tmp/wall"
	has "... says so" "$tmp/err" "$3"
}
warns wall.txt "cpu-clock offcpu" "no scheduler states (pyrograph collect cpu,sched,offcpu): the time that threads ran is estimated from samples, and there are no waits for a CPU"
has "... what ran is as long as its samples" "$tmp/wall" "shop-10/exec-1;run;hot 20000000"
has "... what was blocked as offcpu says" "$tmp/wall" "shop-10/exec-1;run;lock;futex_wait;[blocked: sleeping] 599000000"
warns wall.txt "offcpu" "no scheduler states (pyrograph collect cpu,sched,offcpu): the time that threads ran is unknown"
warns wall.txt "cpu-clock sched" "no blocked time with stacks"
has "... it is below the thread" "$tmp/wall" "shop-10/exec-1;[blocked: sleeping] 799999999"
warns wall.txt "sched offcpu" "no samples of what ran"
has "... but exact" "$tmp/wall" "shop-10/exec-1;[running, not sampled] 1800000001"

# collect cpu,wall: states with stacks of their own; time that ran, or was interrupted in user code, has the stacks of
# samples
sed -n '/^span-event/q; p' tests/collapse/golden/wall.txt >"$tmp/sampled.txt"
cat >>"$tmp/sampled.txt" <<'END'
span-event wall
span 1000000000 2000000000 10 11 0 600000000 12 600000000 - state:running
span 1000000000 2000000000 10 11 0 300000000 6 300000000 - state:preempted by:20
span 1000000000 2000000000 10 11 0 100000000 2 100000000 - k: 0xffffffff81000110 state:preempted
span 2000000000 3000000000 10 11 0 1000000000 20 1000000000 - k: 0xffffffff81000110 state:sleeping
END
sed -n '/^symbol-module/,$p' tests/collapse/golden/wall.txt >>"$tmp/sampled.txt"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" <"$tmp/sampled.txt" || not_ok "make"
status "samples of what threads did" 0 "$pyrograph" collapse --wall "$tmp/rec.data"
has "... are estimates" "$tmp/err" "estimated from samples of what each thread did"
has_not "... without a warning" "$tmp/err" "warning"
is "... in one tree" "$(grep '^shop-10/exec-1' "$tmp/out")" "shop-10/exec-1;hrtimer_nanosleep;[blocked: sleep] 1000000000
shop-10/exec-1;hrtimer_nanosleep;[runnable] 100000000
shop-10/exec-1;run;cold 200000000
shop-10/exec-1;run;cold;[runnable];[by batch-20/batch] 100000000
shop-10/exec-1;run;hot 400000000
shop-10/exec-1;run;hot;[runnable];[by batch-20/batch] 200000000"
{ cat "$tmp/sampled.txt"; sed -n '/^span-event sched/,/^span-event offcpu/p' tests/collapse/golden/wall.txt | grep -v offcpu; } |
	run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" || not_ok "make"
run_to "$tmp/wall" "$tmp/err" "$pyrograph" collapse -q --wall "$tmp/rec.data" || not_ok "both" "$tmp/err"
is "with sched, they count no time" "$(awk '/^shop-10\/exec-1;/ { n += $NF } END { printf "%.0f", n }' "$tmp/wall")" 3000000000
