# collect noise: who had a CPU.  A thread of known CPU time is on it, and what it and all others have adds up to all time.
# live: who had a CPU
. tests/tap.sh
. tests/collect/common.sh
noise="$pyrograph collect noise"
program=${BUILD:-build}/tests/workloads/parallel
cpu=$(($(nproc) - 1))

status "without -C" 2 $noise -d 0.1
has "... is asked for" "$tmp/err" "whose noise? -C CPUS"
status "a CPU that is not there" 2 $noise -C 9999 -d 0.1
status "a COMMAND" 2 $noise -C 0 -d 0.1 -- true
if ! $noise -C $cpu -d 0.05 -o "$tmp/try" 2>"$tmp/err"; then
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

sum() { awk -v of="$2" '!/^#/ && index($0, of) == 1 { n += $(NF - 2) } END { printf "%.0f", n }' "$1"; }

# begin [OPTION ...]: collect noise in the background, until it counts; end: its status is in $got
begin()
{
	$noise -C $cpu -o "$tmp/lines" "$@" 2>"$tmp/err" &
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

# An urgent thread of 300 ms.
known()
{
	begin
	taskset -c $cpu chrt -r 1 "$program" 300 1 1
	end
	is "collect noise -C $cpu" "$got" 0
	wall=$(sed -n "s/.*cpu$cpu: \([0-9]*\)\.\([0-9]*\) s, of which.*/\1\2/p" "$tmp/err" | sed 's/^0*//')
	within "... noise and run are all of the time, in us" "$(($(sum "$tmp/lines" "cpu$cpu;") / 1000))" $((wall * 995)) $((wall * 1005))
	within "... the thread has its CPU time, in us" \
		"$(awk '/;foo-[0-9]* / { n += $(NF - 2) } END { printf "%.0f", n / 1000 }' "$tmp/lines")" 285000 330000
	has "... and the timer's interrupts are there" "$tmp/lines" "cpu$cpu;noise;interrupt;local-timer "
	has "... and the function that it calls" "$tmp/lines" "cpu$cpu;noise;timer;tick_"
	is "... of this CPU only" "$(grep -v '^#' "$tmp/lines" | grep -vc "^cpu$cpu;")" 0
	has "... with a header" "$tmp/lines" "event=noise root=cpu columns=time,count,longest unit=ns"
	status "... that can be drawn" 0 "$pyrograph" render flame -o "$tmp/noise.svg" "$tmp/lines"
}
live known

# Whoever has it longest is not noise; of the others, the budget names those that took longer.
over_budget()
{
	taskset -c $cpu chrt -r 1 "$program" 60000 1 1 &
	longest=$!
	begin --budget 10ms
	for _ in 1 2 3; do
		taskset -c $cpu chrt -r 2 "$program" 60 1 1
		sleep 0.3
	done
	end
	kill $longest
	wait $longest
	is "a budget that is not kept" "$got" 3
	has "... whose is named" "$tmp/err" "cpu$cpu: over the budget of 10000.0 us: thread foo-"
	has "... but not the one that had it longest" "$tmp/lines" "cpu$cpu;run;foo-$longest "
	has_not "... which is no noise" "$tmp/err" "thread foo-$longest,"
}
live over_budget
status "a budget that is kept" 0 $noise -C $cpu -d 0.1 --budget 100s -o "$tmp/lines"
status "a full disk" 1 sh -c "$noise -C $cpu -d 0.05 >/dev/full"
