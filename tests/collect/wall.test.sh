#!/bin/sh
# collect wall, which looks at threads now and then, compared with threads that know how long they ran, waited and
# slept.
# live: states of threads, and their shares
. tests/tap.sh
. tests/collect/common.sh
wall="$pyrograph collect wall"
program=${BUILD:-build}/tests/workloads/wall
states=${BUILD:-build}/tests/workloads/states

if ! $wall -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect wall works here" "$tmp/err"
	else
		skip "collect wall" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# sums FILE: "thread running runnable blocked", in ns
sums()
{
	awk '!/^#/ {
		split($0, frame, ";"); sub(/.*\//, "", frame[1]); names[frame[1]] = 1
		part[frame[1], /;\[blocked: / ? "blocked" : /;\[runnable\]/ ? "runnable" : "ran"] += $NF
	}
	END { for (n in names) printf "%s %.0f %.0f %.0f\n", n, part[n, "ran"], part[n, "runnable"], part[n, "blocked"] }' "$1" | sort
}

# At 100 looks a second, a share may be off by some points: 3 sigma of 300 looks are 8 points, and a busy machine is
# late.
whole_lives()
{
	status "threads from beginning to end" 0 $wall -F 100 -o "$tmp/rec.data" -- "$program" 3
	cp "$tmp/out" "$tmp/log"
	has "... says what it cost" "$tmp/err" "% of one CPU"
	is "... and what is missing, if this kernel cannot find threads by their ids" "$(grep -c 'does not find a thread by its id' "$tmp/err")" \
		"$((1 - $(grep -c ' bpf_task_from_pid$' /proc/kallsyms)))"
	"$pyrograph" collapse --wall "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	has "... collapse says that these are estimates" "$tmp/err" "estimated from samples of what each thread did"
	sums "$tmp/wall" >"$tmp/sums"
	is "... each lived as long as it says, to the nanosecond; running and runnable shares are within 9 points" "$(awk '
		FNR == NR { ran[$1] = $2; runnable[$1] = $3; all[$1] = $2 + $3 + $4; next }
		{
			if ((ran[$1] - $5) ^ 2 > (0.09 * $4) ^ 2) print $1 " ran " ran[$1] ", says " $5
			if ((runnable[$1] - $6) ^ 2 > (0.09 * $4) ^ 2) print $1 " was runnable " runnable[$1] ", says " $6
			if (all[$1] > $4 || all[$1] < $3) print $1 " lived " all[$1] ", says " $3 " to " $4
			threads++
		}
		END { if (threads != 7) print "not seven threads, but " threads }' "$tmp/sums" "$tmp/log")" ""
	# (start_thread has no name if libc is stripped.)
	is "... most naps have whole stacks, the user's part before the kernel's" "$(grep '/quiet;.*blocked\|/nap;.*blocked' "$tmp/wall" |
		awk '{ all += $NF } /;(start_thread|libc[^;]*\+0x[0-9a-f]+);.*;wall_(nap|quiet);.*;hrtimer_nanosleep/ { n += $NF } END { print (n > 0.5 * all) }')" 1
	is "... so have most waits for a CPU" "$(grep '/crowd-[ab];.*runnable' "$tmp/wall" |
		awk '{ all += $NF } /;(start_thread|libc[^;]*\+0x[0-9a-f]+);.*;wall_spin/ { n += $NF } END { print (n > 0.5 * all) }')" 1
	is "... of its kind" "$(grep -c '/quiet;.*__x64_sys_clock_nanosleep.*\[blocked: sleep\] \|/quiet;.*__arm64_sys_clock_nanosleep.*\[blocked: sleep\] ' "$tmp/wall")" 1
	is "... a wait for a lock, too" "$(awk '/\/want;.*futex.*\[blocked: / { n += $NF } END { print (n > 2e8) }' "$tmp/wall")" 1
}
live whole_lives

in_the_middle()
{
	"$program" 60 >"$tmp/log" &
	pid=$!
	before 20 sh -c "[ \$(ls /proc/$pid/task | wc -l) -ge 8 ]"
	status "threads that go on" 0 $wall -d 1 -p $pid -o "$tmp/rec.data"
	kill $pid
	wait $pid 2>/dev/null
	"$pyrograph" collapse -q --wall "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	is "... have the same time, to the nanosecond, all eight" "$(sums "$tmp/wall" | awk '{ print $2 + $3 + $4 }' | uniq -c |
		awk '{ print $1, ($2 > 0.99e9 && $2 < 1.3e9) }')" "8 1"
}
live in_the_middle

with_samples()
{
	status "with samples" 0 "$pyrograph" collect cpu,wall -q -F 99 -o "$tmp/rec.data" -- "$program" 2
	"$pyrograph" collapse -q --wall "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	is "... time that threads ran has their stacks" "$(grep '/crowd-[ab];' "$tmp/wall" | grep -v 'runnable\|blocked' |
		awk '{ all += $NF } /;wall_spin/ { n += $NF } END { print (n > 0.9 * all) }')" 1
	is "... and time in which they were put off the CPU" "$(grep '/crowd-[ab];.*runnable' "$tmp/wall" |
		awk '{ all += $NF } /;wall_spin/ { n += $NF } END { print (n > 0.8 * all) }')" 1
}
live with_samples

# Most rounds visit only threads that may have changed their state; a visit costs about 0.5 us, a stack 1 to 2.
many()
{
	sleep 60 | "$states" many 2000 >/dev/null &
	before 20 sh -c 'pgrep -nx states'
	pid=$(pgrep -nx states)
	before 20 sh -c "[ \$(ls /proc/$pid/task | wc -l) -gt 2000 ]"
	status "two thousand threads" 0 $wall -d 2 -p "$pid" -o "$tmp/rec.data"
	kill "$pid"
	is "... are all there" "$("$pyrograph" collapse -q --wall --root tid --no-inline "$tmp/rec.data" 2>/dev/null | grep -vc '^#')" 2001
	cost=$(sed -n 's/.* stacks: \([0-9.]*\) % of one CPU.*/\1/p' "$tmp/err")
	# It costs 1 to 2 %, or half as much again if system calls are slow.  Looking at each thread in each round would
	# cost 9 %.
	is "... for 4 % of a CPU at most" "$(awk "BEGIN { print ($cost < 4) ? 1 : $cost }")" 1
}
live many

# Threads that come and go, and that reuse each other's ids and slots.
come_and_go()
{
	status "threads that end at once" 0 $wall -F 500 --max-threads 64 -o "$tmp/rec.data" -- "$states" short 2000
	status "... can be folded" 0 "$pyrograph" collapse -q --wall "$tmp/rec.data"
	has_not "... none found no room" "$tmp/err" "no room"
}
live come_and_go

few()
{
	sleep 10 | "$states" many 100 >/dev/null &
	before 20 sh -c 'pgrep -nx states'
	pid=$(pgrep -nx states)
	before 20 sh -c "[ \$(ls /proc/$pid/task | wc -l) -gt 100 ]"
	status "more threads than there is room for" 0 $wall -d 0.5 -p "$pid" --max-threads 10 -o "$tmp/rec.data"
	kill "$pid"
	has "... says so" "$tmp/err" "threads that found no room"
}
live few

# If it were looked at 100 times a second, always at the same point, it would always seem to run, or never.
in_step()
{
	status "a thread in step with a clock of the same rate" 0 $wall -F 100 -o "$tmp/rec.data" -- "${BUILD:-build}/tests/workloads/in_step" 4
	cp "$tmp/out" "$tmp/log"
	"$pyrograph" collapse -q --wall --no-inline "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err" || not_ok "collapse" "$tmp/err"
	is "... is awake as much as it says, within 5 sigma of the looks" "$(sums "$tmp/wall" | awk -v log_of="$(cat "$tmp/log")" '
		{ split(log_of, says, " "); share = says[1] / says[2]; of = $2 + $3 + $4; awake = ($2 + $3) / of
		sigma = sqrt(share * (1 - share) / (of / 1e7))
		print ((awake - share) ^ 2 < (5 * sigma + 0.01) ^ 2) ? "yes" : awake " for " share }')" yes
}
live in_step

# A process that starts threads all the time: no thread is missing that was started after its threads were listed, and
# before the list was given to the BPF program.  That time is short, and need not occur in the first of these
# recordings.
growing()
{
	for _ in 1 2 3; do
		rm -rf "$tmp/in" "$tmp/rec.data"
		mkfifo "$tmp/in"
		"$states" growing 6000 <"$tmp/in" >"$tmp/made" &
		pid=$!
		exec 4>"$tmp/in"
		$wall -p $pid -o "$tmp/rec.data" 2>"$tmp/err" 4>&- &
		recorder=$!
		before 30 begun "$tmp/rec.data"
		ls /proc/$pid/task | sort >"$tmp/there"
		sleep 0.3 # a round or two
		kill -INT $recorder
		finished $recorder
		exec 4>&-
		finished $pid
		"$pyrograph" collapse -q --wall --no-inline --root tid "$tmp/rec.data" 2>/dev/null |
			sed -n 's/^[^;#]*\/\([0-9]*\);.*/\1/p' | sort -u >"$tmp/seen"
		comm -23 "$tmp/there" "$tmp/seen"
	done >"$tmp/missing"
	is "threads that are started as the recording begins are there" "$(cat "$tmp/missing")" ""
}
live growing

# A thread other than the first one executes a program, and gets the id of the first one: the two are one life.
replaced()
{
	read -r began _ </proc/uptime
	status "another thread than the first one executes a program" 0 $wall -o "$tmp/rec.data" -- \
		"$states" replaced 1.2
	read -r ended _ </proc/uptime
	"$pyrograph" collapse -q --wall --no-inline --root tid "$tmp/rec.data" >"$tmp/wall" 2>"$tmp/err"
	# (The first frame is NAME-PID/TID.)
	is "... with the id of the first one, which has lived once" "$(awk -v most="$ended" -v least="$began" '
		{ id = $0; sub(/;.*/, "", id); sub(/.*-/, "", id); split(id, ids, "/") }
		ids[1] != "" && ids[1] == ids[2] { n += $NF }
		END { print (n >= 2.4e9 && n < (most - least + 0.02) * 1e9) ? "yes" : n }' "$tmp/wall")" yes
}
live replaced

# There are too many switches to take a stack of each thread in each round.  A part of a thread's time then ends with
# the last round that looked at the thread, no matter where a recording of watch ends.
restless()
{
	rm -rf "$tmp/watch" "$tmp/in" "$tmp/made"
	mkfifo "$tmp/in"
	"$states" restless 1000 <"$tmp/in" >"$tmp/made" &
	pid=$!
	exec 4>"$tmp/in"
	before 20 test -s "$tmp/made"
	status "threads that are passed over now and then" 0 "$pyrograph" watch wall --budget 0 --dir "$tmp/watch" --window 1s -d 2.1s 4>&-
	exec 4>&-
	wait $pid
	passed=$(grep -c 'passed over' "$tmp/err")
	for file in "$tmp"/watch/*.data; do
		"$pyrograph" collapse -q --wall --no-inline --root pid,tid "$file" 2>/dev/null | grep "^states-$pid;"
	done >"$tmp/wall"
	[ "$passed" = 1 ] || { inconclusive "... have the same time, to the nanosecond" "none was passed over"; return; }
	is "... have the same time, to the nanosecond, all of them" "$(awk -F'[; ]' '{ n[$2] += $NF }
		END { for (t in n) printf "%.0f\n", n[t] }' "$tmp/wall" | sort | uniq -c | awk '{ print $1, ($2 > 2.05e9) }')" "1001 1"
}
live restless

# Recordings that are written while others continue: a thread that sleeps all the time is in each of them, with the time
# of that recording.
always_on()
{
	rm -rf "$tmp/watch" "$tmp"/kept*
	sleep 60 &
	sleeper=$!
	before 20 grep -q '^sleep$' /proc/$sleeper/comm
	$wall -p $sleeper --keep 1s --after 1ms -o "$tmp/kept.data" 2>"$tmp/recorder.err" &
	recorder=$!
	before 20 grep -q 'keeping the last' "$tmp/recorder.err"
	kill -USR1 $recorder
	before 20 grep -q 'wrote' "$tmp/recorder.err"
	kill -INT $recorder
	wait $recorder
	"$pyrograph" collapse -q --wall "$tmp"/kept-*.data >"$tmp/wall" 2>"$tmp/err"
	has "what the flight recorder writes has a thread that sleeps all the time" "$tmp/wall" "/sleep;"
	read -r began _ </proc/uptime
	status "watch" 0 "$pyrograph" watch wall --budget 0 --dir "$tmp/watch" --window 1s -d 2.5s
	read -r ended _ </proc/uptime
	kill $sleeper
	for file in "$tmp"/watch/*.data; do
		"$pyrograph" collapse -q --wall "$file" 2>/dev/null | grep "^sleep-$sleeper/" >"$tmp/wall"
		is "... has it in each recording" "$(awk 'END { print (NR > 0) }' "$tmp/wall")" 1
		cat "$tmp/wall" >>"$tmp/watch/all"
	done
	is "... and in all of them, the time of all" "$(awk -v most="$ended" -v least="$began" '{ n += $NF }
		END { print (n >= 2.5e9 && n < (most - least + 0.02) * 1e9) ? "yes" : n }' "$tmp/watch/all")" yes
}
live always_on
