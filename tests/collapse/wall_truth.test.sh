#!/bin/sh
# collapse --wall, compared with threads that know how long they lived, ran and waited for a CPU.
# live: times of threads, beside what they say themselves
. tests/tap.sh

wall=${BUILD:-build}/tests/workloads/wall
if ! "$pyrograph" collect cpu,sched,offcpu -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "collect cpu,sched,offcpu" "$(tail -1 "$tmp/err")"
	exit 0
fi

# judge FOLDED LOG: errors in each thread's sums, apart from time that the recording itself calls guessed
judge()
{
	guessed=$(strings -n 8 "$tmp/rec.data" | sed -n 's/^missed_ns \([0-9]*\)$/\1/p')
	awk -v guessed="$guessed" '
	function near(what, got, least, most) {
		if (got < least || got > most)
			printf "%s: %s is %d, not %d to %d\n", thread, what, got, least, most
	}
	FNR == NR {
		if (/^#/)
			next
		split($0, frame, ";"); sub(/.*\//, "", frame[1])
		kind = /;\[blocked: / ? "blocked" : /;\[runnable\]/ ? "runnable" : "ran"
		sum[frame[1]] += $NF; part[frame[1] kind] += $NF
		next
	}
	{
		thread = $1; threads++
		# On a busy machine, an ended thread waits for a CPU once more before it is gone.
		near("the sum", sum[thread], $3 * 0.999, $4 * 1.001 + $6 * 0.02)
		# The CPU time of a thread does not include the time of interrupts and the hypervisor.  It does include the
		# work of tracers at each switch, up to 0.1 ms if there are several.
		near("the time that it ran", part[thread "ran"], $5 * 0.99 - 2e6 - $7 * 1e5 - guessed,
			$5 * 1.05 + 2e6 + guessed)
		near("the time that it was runnable", part[thread "runnable"], $6 * 0.98 - 3e6 - guessed,
			$6 * 1.02 + 3e6 + $4 - $3 + guessed)
	}
	END { if (threads != 7) print "not seven threads, but " threads }' "$1" "$2"
}

whole_lives()
{
	status "threads from beginning to end $1" 0 "$pyrograph" collect cpu,sched,offcpu -q $1 -o "$tmp/rec.data" -- "$wall" 2
	cp "$tmp/out" "$tmp/log"
	"$pyrograph" collapse -q --wall "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	is "... their sums are what they say themselves" "$(judge "$tmp/wall" "$tmp/log")" ""
	has "... a nap has the stack in which it was taken" "$tmp/wall" '/nap;'
	grep '/nap;.*wall_nap;.*\[blocked: sleep\] ' "$tmp/wall" >"$tmp/nap"
	is "... with the kind of its wait at the leaf" "$(awk '{ n += $NF } END { print (n > 2e8) }' "$tmp/nap")" 1
	grep '/want;.*wall_want;.*\[blocked: lock\] ' "$tmp/wall" >"$tmp/lock"
	is "... a wait for a lock, too" "$(awk '{ n += $NF } END { print (n > 2e8) }' "$tmp/lock")" 1
	grep '/crowd-[ab];.*wall_spin;.*\[runnable\];\[by ' "$tmp/wall" >"$tmp/crowd"
	is "... a wait for a CPU has the stack that it interrupted" "$(awk '{ n += $NF } END { print (n > 5e8) }' "$tmp/crowd")" 1
	grep '/quiet' "$tmp/wall" | grep -v '\[blocked\|\[runnable' >"$tmp/quiet"
	is "... a thread that was not sampled has its running time all the same" "$(awk '{ n += $NF } END { print (n > 0) }' "$tmp/quiet")" 1
}
live whole_lives ""
live whole_lives --events

# Threads that live before and after the recording: each has the time for which switches were recorded.  A thread that
# is first seen a time slice later, because others had the CPU, lacks that slice.
in_the_middle()
{
	"$wall" 6 >"$tmp/log" &
	pid=$!
	sleep 0.5
	status "threads that go on" 0 "$pyrograph" collect cpu,sched,offcpu -q -d 4 -p $pid -o "$tmp/rec.data"
	wait $pid
	"$pyrograph" collapse -q --wall "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	"$pyrograph" collapse -q --states "$tmp/rec.data" | head -1 >"$tmp/range"
	is "... each has its elapsed time" "$(awk '
		NR == FNR { split($0, f, /start=|end=|Z /); split(f[2], a, ":"); split(f[4], b, ":")
			all = ((b[1] ~ a[1]) ? 0 : 3600) + (b[2] - a[2]) * 60 + b[3] - a[3] }
		/^#/ { next }
		{ split($0, frame, ";"); sum[frame[1]] += $NF }
		END { for (t in sum) { threads++; right += sum[t] > all * 0.999e9
				if (sum[t] < all * 0.99e9 || sum[t] > all * 1.001e9) print t, sum[t], all }
			if (threads != 8 || right < 4) print "threads: " threads ", right: " right }' "$tmp/range" "$tmp/wall")" ""
}
live in_the_middle
