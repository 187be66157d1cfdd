# Which events, how often, in which mode.
# live: rates
. tests/tap.sh
. tests/collect/common.sh
need_sampling "events of collect cpu"

if perf stat -e cycles true 2>&1 | grep -q 'not supported'; then
	$collect -o "$tmp/a.data" -- true 2>"$tmp/err"
	has "no hardware cycles: says what it takes" "$tmp/err" "sampling cpu-clock"
	is "... the event has that name" "$(perf evlist -i "$tmp/a.data" | head -1)" cpu-clock
	status "-e cycles all the same" 1 $collect -e cycles -o "$tmp/b.data" -- true
	has "... says what works" "$tmp/err" "-e cpu-clock works everywhere"
else
	$collect -o "$tmp/a.data" -- true 2>"$tmp/err"
	is "hardware cycles are the default" "$(perf evlist -i "$tmp/a.data" | sed 's/:.*//')" cycles
fi

# ---- rates ----
at_999_hz()
{
	stolen_before=$(stolen)
	status "999 Hz" 0 $collect -e cpu-clock -F 999 -o "$tmp/c.data" -- "$spin" 2
	got=$(field "$tmp/c.data" comm | grep -c spinner)
	cpu_ns=$(cpu_of "$tmp/out")
	least=$(wanted_of "$cpu_ns" 999 95)
	most=$((cpu_ns / 1000 * 999 / 1000000 * 105 / 100))
	if [ "$got" -ge "$least" ] && [ "$got" -le "$most" ]; then
		ok "... within 5 %"
	else
		not_ok "... within 5 %" "$got samples, expected $least to $most in $cpu_ns ns of CPU time"
	fi
	"$pyrograph" collapse -q "$tmp/c.data" >"$tmp/folded" 2>/dev/null
	if [ -s "$tmp/folded" ]; then
		awk '/^#/ { next } { all += $NF } /spin_alpha/ { alpha += $NF } /spin_gamma/ { gamma += $NF }
		     END {
			off = .02 + (all ? 2.5 * sqrt(.25 / all) : 0)
			if (all && alpha > (.5 - off) * all && alpha < (.5 + off) * all && gamma > (.2 - off) * all &&
				gamma < (.2 + off) * all)
				print "yes"
			else
				print alpha, gamma, "of", all
		     }' \
			"$tmp/folded" >"$tmp/shares"
		is "... the functions' shares are the true ones" "$(cat "$tmp/shares")" yes
	fi
}
live at_999_hz

at_9999_hz()
{
	stolen_before=$(stolen)
	status "9,999 Hz on the whole machine" 0 $collect -a -F 9999 -o "$tmp/d.data" -- "$spin" 0.5 2
	has "... nothing lost" "$tmp/err" "nothing lost"
	perf_reads "9,999 Hz" "$tmp/d.data" "$tmp/err"
	some "... all there" "$(grep -c '^ *spinner ' "$tmp/perf.script")" "$(wanted_of "$(cpu_of "$tmp/out")" 9999 90)"
	# "spinner 0  4711 [001]  1234.567890:  100010 cpu-clock: ..."
	awk 'match($0, /\[[0-9]+\] +[0-9]+\.[0-9]+:/) {
			split(substr($0, RSTART, RLENGTH), at, " ")
			if (at[2] + 0 < last[at[1]])
				back++
			last[at[1]] = at[2] + 0
			n++
		}
		END { print back + 0; exit !n }' "$tmp/perf.script" >"$tmp/back" || not_ok "... have CPU and time" "$tmp/perf.script"
	is "... in order" "$(cat "$tmp/back")" 0
}
live at_9999_hz

max=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
status "a rate above the kernel's limit" 1 $collect -a -F $((max + 1)) -d 0.1 -o "$tmp/none.data"
has "... says which" "$tmp/err" "kernel.perf_event_max_sample_rate ($max)"
period()
{
	stolen_before=$(stolen)
	status "-c N" 0 $collect -q -e cpu-clock -c 2000000 -o "$tmp/e.data" -- "$spin" 0.5
	is "... the period" "$(field "$tmp/e.data" period | sort -u)" 2000000
	cpu_ns=$(cpu_of "$tmp/out") got=$(field "$tmp/e.data" comm | grep -c spinner)
	some "... a sample for each" "$got" "$(wanted_of "$cpu_ns" 500 90)"
	is "... and no more" "$([ "$got" -le $((cpu_ns / 2000000 * 110 / 100 + 2)) ] || echo "$got of $cpu_ns ns")" ""
}
live period

# ---- kinds ----
if [ -r /sys/kernel/tracing/events/sched/sched_process_exec/id ]; then
	a_tracepoint()
	{
		status "a tracepoint" 0 $collect -e sched:sched_process_exec -o "$tmp/f.data" -- \
			sh -c 'ls / >/dev/null; ls /bin >/dev/null'
		perf_reads "a tracepoint" "$tmp/f.data" "$tmp/err"
		is "... every one of them" "$(field "$tmp/f.data" event | grep -c sched_process_exec)" 3
		has "... its fields" "$tmp/perf.out" "sched:sched_process_exec"
		perf script --symfs "$tmp" -i "$tmp/f.data" >"$tmp/script" 2>&1
		is "... read by perf" "$(grep -c 'filename=.*ls pid=' "$tmp/script")" 2
	}
	live a_tracepoint
	two_events()
	{
		stolen_before=$(stolen)
		status "two events" 0 $collect -F 499 -e sched:sched_process_exec -e cpu-clock -o "$tmp/g.data" -- \
			sh -c "ls / >/dev/null; $spin 0.4"
		perf_reads "two events" "$tmp/g.data" "$tmp/err"
		is "... both in evlist" "$(perf evlist -i "$tmp/g.data" 2>/dev/null | grep -v '^#' | sort | tr '\n' ' ')" \
			"cpu-clock sched:sched_process_exec "
		is "... one" "$(field "$tmp/g.data" event | grep -c sched_process_exec)" 3
		some "... and the other" "$(field "$tmp/g.data" event | grep -c cpu-clock)" "$(wanted_of "$(cpu_of "$tmp/out")" 499 90)"
	}
	live two_events
	status "a tracepoint that is none" 1 $collect -a -e sched:no_such -d 0.1 -o "$tmp/none.data"
	has "... is said" "$tmp/err" "no tracepoint sched:no_such"
else
	skip "tracepoints" "no right to read /sys/kernel/tracing"
fi
software_events()
{
	status "software events" 0 $collect -c 1 -e page-faults -e context-switches -o "$tmp/h.data" -- ls -R /etc
	perf_reads "software events" "$tmp/h.data" "$tmp/err"
	some "... page-faults" "$(field "$tmp/h.data" event | grep -c page-faults)" 20
}
live software_events

# faults WORD...: records a process that touches at least 8192 pages; prints the samples, and the sum of their periods
faults()
{
	$collect -q -e page-faults "$@" -o "$tmp/faults.data" -- dd if=/dev/zero of=/dev/null bs=32M count=1 2>"$tmp/err"
	perf script --symfs "$tmp" -i "$tmp/faults.data" -F period,event 2>/dev/null | awk '/page-faults/ { n++; sum += $1 } END { print n + 0, sum + 0 }'
}
one_in_100()
{
	all=$(faults --call-graph fp -c 1)
	some=$(faults --call-graph $1 -c 100)
	is "one in 100 page-faults, with the period of each, --call-graph $1" \
		"$(echo "$all $some" | awk '{ print ($1 > 8000), $2 / $1, $4 / $3, ($4 > .8 * $1 && $4 < 1.1 * $1) }')" "1 1 100 1"
}
for how in fp dwarf,8192; do
	live one_in_100 $how
done

# ---- modes ----
dd='dd if=/dev/zero of=/dev/null bs=64k count=50000'
user_only()
{
	stolen_before=$(stolen)
	status "--user" 0 $collect -q -F 999 --user -o "$tmp/i.data" -- sh -c "$spin 0.3; $dd"
	some "... has samples" "$(samples "$tmp/i.data")" "$(wanted_of "$(cpu_of "$tmp/out")" 999 70)"
	is "... no kernel address anywhere" "$(perf script --symfs "$tmp" -i "$tmp/i.data" -F ip 2>/dev/null | grep -c ' ffff')" 0
}
live user_only
kernel_only()
{
	status "--kernel" 0 $collect -q -F 999 --kernel -o "$tmp/j.data" -- sh -c "$spin 0.3; $dd"
	some "... has samples" "$(samples "$tmp/j.data")" 20
	is "... all interrupted in the kernel" \
		"$(perf script --symfs "$tmp" -i "$tmp/j.data" -G -F ip 2>/dev/null | grep -vc '^ *ffff')" 0
}
live kernel_only
kernel_event()
{
	status "-e cpu-clock:k" 0 $collect -q -F 999 -e cpu-clock:k -o "$tmp/k.data" -- sh -c "$spin 0.3; $dd"
	is "... the same" "$(perf script --symfs "$tmp" -i "$tmp/k.data" -G -F ip 2>/dev/null | grep -vc '^ *ffff')" 0
}
live kernel_event
