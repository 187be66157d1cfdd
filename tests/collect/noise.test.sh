# collect noise: who disturbs a CPU.  A program disturbs it in known ways, and all the times add up to the whole time.
# live: who had a CPU
. tests/tap.sh
. tests/collect/common.sh
noise="$pyrograph collect noise"
disturbs=${BUILD:-build}/tests/workloads/disturbs
parallel=${BUILD:-build}/tests/workloads/parallel
cpu=$(($(nproc) - 1))

status "without -C" 2 $noise -d 0.1
has "... is asked for" "$tmp/err" "whose noise? -C CPUS"
status "a CPU that is not there" 2 $noise -C 9999 -d 0.1
status "--spin, and a COMMAND" 2 $noise -C 0 --spin -- true
has "... exclude each other" "$tmp/err" "--spin: the CPUs are for threads of ours"
if ! $noise -C $cpu -d 0.05 >"$tmp/try" 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ]; then
		not_ok "collect noise works here" "$tmp/err"
	else
		skip "collect noise" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# within WHAT GOT LEAST MOST
within()
{
	if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; then ok "$1"; else not_ok "$1" "got $2, wanted $3 to $4"; fi
}

# sum FILE REGEXP [COLUMN]: over lines that match, the time (in us), or the count (2)
sum()
{
	awk -v of="$2" -v column="${3:-1}" '!/^#/ && $0 ~ of { n += $(NF - 3 + column) }
		END { printf "%.0f", column == 1 ? n / 1000 : n }' "$1"
}

# longest FILE REGEXP: in us
longest() { awk -v of="$2" '!/^#/ && $0 ~ of && $NF > n { n = $NF } END { printf "%.0f", n / 1000 }' "$1"; }

# said_us SED: a duration that the sed script finds in the messages, in us; wall: how long a CPU was observed
said_us() { sed -n "$1" "$tmp/said" | awk '{ gsub(",", "", $1); printf "%d\n", $1 * ($2 == "s" ? 1e6 : $2 == "ms" ? 1e3 : $2 == "ns" ? 1e-3 : 1) }'; }
wall() { said_us "s/.*cpu$cpu: \(.*\), with .*/\1/p"; }

# begin [OPTION ...]: starts collect noise in the background, and waits until it counts; end: ends it, with its status
# in $got
begin()
{
	$noise -C $cpu "$@" >"$tmp/lines" 2>"$tmp/said" &
	collecting=$!
	for _ in $(seq 200); do
		[ "$(cat /proc/$collecting/fdinfo/* 2>/dev/null | grep -c '^link_type')" -lt 8 ] || break
		sleep 0.1
	done
	sleep 0.3
}
end()
{
	kill -INT $collecting
	wait $collecting
	got=$?
}

# did WAY COUNT [LENGTH]: disturbs the CPU, and sets $did_tid, $did_times and, in us, $did_bursts (CPU time of
# the bursts), $did_most (wall time of the bursts, and all other CPU time of the program), $did_longest (wall time of
# the longest burst)
did()
{
	"$disturbs" $cpu "$@" >"$tmp/did" 2>"$tmp/did.err" || not_ok "disturbs $*" "$tmp/did.err"
	read -r _ did_tid _ did_times _ did_ns _ did_bursts _ did_wall _ did_longest <"$tmp/did"
	did_most=$(((did_wall + did_ns - did_bursts) / 1000)) did_bursts=$((did_bursts / 1000)) did_longest=$((did_longest / 1000))
}

# has_bursts WHAT FILE REGEXP BURSTS MOST: is the thread's time, in us, between BURSTS and MOST?  Time in which it was
# interrupted may be missing.
has_bursts()
{
	within "$1" "$(sum "$2" "$3")" $(($4 * 98 / 100 - $(sum "$2" ';(interrupt|call|softirq|timer|nmi);'))) $(($5 * 102 / 100 + 10000))
}

# adds_up FILE
adds_up()
{
	wall=$(wall)
	within "... noise and run are all of the time, in us" "$(sum "$1" "^cpu$cpu;")" $((wall * 995 / 1000)) $((wall * 1005 / 1000))
	is "... of this CPU only" "$(grep -v '^#' "$1" | grep -vc "^cpu$cpu;")" 0
}

# The program that the CPU is meant for; it runs until it is ended.
victim()
{
	taskset -c $cpu "$@" "$parallel" 600000 1 1 >/dev/null &
	victim=$!
}
victim_end() { kill -KILL $victim; wait $victim 2>/dev/null; }

# Bursts of a real-time thread, as lines on stdout, and those of a timer and of loopback.
known()
{
	begin
	did bursts 20 10
	burst_tid=$did_tid burst_us=$did_bursts burst_most=$did_most burst_longest=$did_longest
	did timers 200 2000
	timer_times=$did_times
	did packets 3000
	end
	is "collect noise -C $cpu" "$got" 0
	adds_up "$tmp/lines"
	of=";(thread|running);disturbs-$burst_tid "
	has_bursts "... a thread has its CPU time, in us" "$tmp/lines" "$of" $burst_us $burst_most
	within "... its turns" "$(sum "$tmp/lines" "$of" 2)" 20 45
	within "... the longest of them, in us" "$(longest "$tmp/lines" "$of")" 9000 $((burst_longest * 12 / 10 + 2000))
	missed=$(sed -n 's/.* \([0-9]*\) events came while another was noted.*/\1/p' "$tmp/said")
	some "... the function of a timer, as often as it expired" "$(sum "$tmp/lines" ';timer;timerfd_tmrproc ' 2)" $((timer_times - ${missed:-0}))
	some "... softirqs, for each packet" "$(sum "$tmp/lines" ';softirq;net-rx ' 2)" $((2900 - ${missed:-0}))
	has "... the timer's interrupts" "$tmp/lines" "cpu$cpu;interrupt;local-timer "
	has "... and the function that it calls" "$tmp/lines" "cpu$cpu;timer;tick_"
	has "... with a header" "$tmp/lines" "root=cpu,state,source columns=time,count,longest unit=ns"
	status "... that can be drawn" 0 "$pyrograph" render states -o "$tmp/noise.svg" "$tmp/lines"
	has "... as a chart of noise" "$tmp/noise.svg" "What disturbed, by kind"
}
live known

# The same in a recording, for the process that the CPU is meant for.
recorded()
{
	victim
	rest $victim
	begin -o "$tmp/noise.data" -p $victim
	resume $victim
	before 30 ran /proc/$victim $((5 + $(ticks /proc/$victim)))
	did bursts 20 10
	rest $victim
	end
	victim_end
	is "collect noise -o" "$got" 0
	is "... prints no lines" "$(wc -l <"$tmp/lines")" 0
	status "... which collapse folds" 0 "$pyrograph" collapse "$tmp/noise.data"
	cp "$tmp/out" "$tmp/lines"
	adds_up "$tmp/lines"
	has_bursts "... the thread's CPU time, in us" "$tmp/lines" ";thread;disturbs-$did_tid" $did_bursts $did_most
	some "... what the CPU is for is no noise" "$(sum "$tmp/lines" ";running;[a-z]*-$victim")" 10000
	is "... and nothing else runs" "$(grep ';running;' "$tmp/lines" | grep -vc ";running;[a-z]*-$victim")" 0
	has "... the timer's function" "$tmp/lines" "cpu$cpu;timer;tick_"
	of=";thread;disturbs-$did_tid"
	"$pyrograph" collapse -q --noise --heat --state noise "$tmp/noise.data" >"$tmp/each" 2>/dev/null
	is "... one by one, with their times" "$(grep "^@.*$of" "$tmp/each" | awk '{ n += $NF } END { printf "%d %.0f", NR, n }')" \
		"$(awk -v of="$of" '!/^#/ && $0 ~ of { count += $(NF - 1); n += $(NF - 2) } END { printf "%d %.0f", count, n }' "$tmp/lines")"
	"$pyrograph" collapse -q --noise --heat --state noise --min 2ms "$tmp/noise.data" >"$tmp/timed" 2>/dev/null
	is "... those that are long" "$(grep '^@' "$tmp/timed")" "$(awk '/^@/ && $NF >= 2000000' "$tmp/each")"
	some "... as are some of the thread's" "$(grep -c "^@.*$of" "$tmp/timed")" 1
	status "... for a heat map" 0 "$pyrograph" render heat -y value --log --by state -o "$tmp/heat.svg" "$tmp/timed"
	rm -rf "$tmp/noise-report"
	status "... for a report" 0 "$pyrograph" report -q --recording "$tmp/noise.data" -o "$tmp/noise-report"
	is "... its bars, lengths, and when they were long" "$(ls "$tmp/noise-report" | LC_ALL=C sort | sed -n 's/.*\(-noise.*svg\)$/\1/p' | tr '\n' ' ')" \
		"-noise-heat.svg -noise-latency.svg -noise.svg "
	has "... which is the longest of each cell" "$tmp"/noise-report/*-noise-heat.svg '"weigh":"longest"'
	"$pyrograph" collapse -q --root thread --state interrupt "$tmp/noise.data" >"$tmp/who" 2>/dev/null
	some "... who was interrupted" "$(grep -c "^disturbs-$did_tid" "$tmp/who")" 1
	"$pyrograph" collapse -q --root none --state noise,running,idle --weight time "$tmp/noise.data" >"$tmp/all" 2>/dev/null
	within "... and nothing is in another state, in us" "$(($(awk '!/^#/ { print $NF }' "$tmp/all") / 1000))" \
		$((wall * 995 / 1000)) $((wall * 1005 / 1000))
}
live recorded

# For a COMMAND, the command's own time is not noise.
of_a_command()
{
	status "noise for a COMMAND" 0 $noise -C $cpu -o "$tmp/command.data" -- "$disturbs" $cpu bursts 10 10
	"$pyrograph" collapse -q "$tmp/command.data" >"$tmp/lines" 2>/dev/null
	within "... which runs, in us" "$(sum "$tmp/lines" "^cpu$cpu;running;disturbs")" 80000 130000
	within "... and is not noise, but for what it took before it was executed, in us" "$(sum "$tmp/lines" ';thread;disturbs')" 0 20000
}
live of_a_command

# The thread that had the CPU longest is not noise; of the others, --budget names those that took longer.
over_budget()
{
	victim chrt -r 1
	rest $victim
	begin --budget 10ms
	resume $victim
	before 30 ran /proc/$victim $((40 + $(ticks /proc/$victim))) # longer than the bursts
	did bursts 3 60
	rest $victim
	end
	victim_end
	is "a budget that is not kept" "$got" 3
	some "... whose is named, with its time of day" "$(grep -c \
		"cpu$cpu: over the budget of 10 ms: thread disturbs-$did_tid, [1-9]* times, the longest .* ms at 20..-..-..T" "$tmp/said")" 1
	has_not "... but not the one that had it longest" "$tmp/said" "thread parallel-$victim,"
}
live over_budget
status "a budget that is kept" 0 $noise -C $cpu -d 0.1 --budget 100s
status "a full disk" 1 sh -c "$noise -C $cpu -d 0.05 >/dev/full"

# A thread of ours is kept off the CPU by the clock.
spin()
{
	begin --spin --budget 20ms
	did bursts 2 250
	end
	is "--spin, over its budget" "$got" 3
	adds_up "$tmp/lines"
	some "... the rest is ours" "$(sum "$tmp/lines" ';running;pyrograph')" 1
	is "... and only that" "$(grep -c ';running;' "$tmp/lines")" 1
	kept=$(said_us 's/.*--spin was kept from the clock .* more, \(.*\) in all.*/\1/p')
	some "... kept from the clock as long as the bursts lasted, in us" "${kept:-0}" 490000
	some "... what has no cause in software" \
		"$(grep -c 'times, .* ms, without a cause in software; it saw: thread [1-9]' "$tmp/said")" 1
	some "... the longest, and what was in it" \
		"$(grep -c -e "--spin was kept from the clock .* times, the longest .* ms at .*Z: thread disturbs-$did_tid " "$tmp/said")" 1
}
live spin

# A real-time thread has the CPU nearly all of the time, from before the recording until after it: this is the noise.
# The thread that spins is kept from the clock for the same time, including the part that is not over at the end, but
# without the part before.
all_of_the_time()
{
	victim chrt -r 1
	status "--spin, beside an urgent thread" 0 $noise -C $cpu --spin -d 0.3
	victim_end
	cp "$tmp/err" "$tmp/said"
	noise_us=$(said_us "s/.*cpu$cpu: .*s, with \(.*\) of noise.*/\1/p")
	kept=$(said_us 's/.*--spin was kept from the clock .* more, \(.*\) in all.*/\1/p')
	within "... kept from the clock for as long as there is noise, in us" "${kept:-0}" $((noise_us * 95 / 100)) $((noise_us * 105 / 100 + 2000))
	within "... which is no longer than the recording" "${kept:-0}" 1 $(($(wall) * 10005 / 10000))
}
live all_of_the_time

# If nothing happens, the thread that has the CPU keeps it, and the CPU is not idle.  In so short a time, this is often
# the case.
nothing_happens()
{
	for _ in 1 2 3 4 5 6 7 8; do
		$noise -C $cpu --spin -d 0.0004 2>/dev/null
	done >"$tmp/short"
	is "a CPU on which nothing happens while a thread runs is not idle" "$(grep ';idle;' "$tmp/short")" ""
}
live nothing_happens

# The flight recorder: the BPF program decides.
kept()
{
	rm -f "$tmp"/flight*
	begin --keep 5s --when 'noise>50ms' --rest 100s -o "$tmp/flight.data"
	did bursts 2 80
	for _ in $(seq 100); do
		[ -z "$(find "$tmp" -name 'flight-*.data')" ] || break
		sleep 0.1
	done
	end
	is "--when 'noise>50ms'" "$got" 0
	"$pyrograph" collapse -q --noise --timed --min 50ms "$(find "$tmp" -name 'flight-*.data' | head -1)" >"$tmp/timed" 2>"$tmp/why"
	some "... the burst is in what was kept" "$(grep -c "^@.*;thread;disturbs-$did_tid" "$tmp/timed")" 1
}
live kept
