# One recording by several collectors: each event is there once, with one sideband for all, and other programs can read
# it; lists of names; which collectors can be used here.
# live: several collectors at once
. tests/tap.sh
. tests/collect/common.sh
need_sampling "several sources"
trap 'kill -KILL $started 2>/dev/null' EXIT
started=

# ---- names ----
while IFS='|' read -r args text; do
	# shellcheck disable=SC2086
	status "collect $args" 2 $pyrograph collect $args -o "$tmp/x.data"
	has "... says why" "$tmp/err" "$text"
done <<'END'
cpu,shed -a|Did you mean 'sched'?
cpux,sched -a|Did you mean 'cpu'?
cpu,nosuchthing -a|there is no collector 'nosuchthing'
cpu,sched,cpu -a|cpu twice in 'cpu,sched,cpu'
cpu, -a|there is no collector ''
cpu,sched|nothing to record
cpu,sched --nosuch -a|unknown option --nosuch
sched -F 99 -a|unknown option -F
alloc,sched --cgroup /|alloc cannot be limited to a control group
END
is "none of them wrote a file" "$(ls "$tmp"/x.data 2>/dev/null)" ""
for args in "cpu,sched --help" "help cpu,sched"; do
	status "$args" 0 $pyrograph collect $args
	has "... has the options of the one" "$tmp/out" "--freq HZ"
	has "... and of the other" "$tmp/out" "--max-threads N"
done
$pyrograph collect cpu,sched,offcpu,wakeup --help >"$tmp/help"
is "an option that several have is listed once" "$(grep -c -- ' --max-threads' "$tmp/help")" 1

# ---- which can be used ----
status "usable cpu,shed" 2 $pyrograph collect usable cpu,shed
has "... is none" "$tmp/err" "Did you mean 'sched'?"
status "usable" 0 $pyrograph collect usable
is "... cpu always is" "$(cut -d, -f1 "$tmp/out")" cpu
if ! grep -q 'sched,offcpu' "$tmp/out"; then
	has "... and the others say why not" "$tmp/err" "without sched, offcpu"
	skip "several sources" "$(cat "$tmp/err")"
	exit 0
fi
if command -v setpriv >/dev/null && [ "$(id -u)" = 0 ]; then
	drop="setpriv --bounding-set=-bpf,-sys_admin --inh-caps=-all"
	status "without the right" 0 $drop $pyrograph collect usable cpu,sched,offcpu
	is "... cpu is left" "$(cat "$tmp/out")" cpu
	has "... it is said of which, and why" "$tmp/err" "without sched, offcpu: no right to load BPF programs"
	is "... in one line" "$(wc -l <"$tmp/err")" 1
	the_rest()
	{
		rm -rf "$tmp/charts"
		status "a report" 0 $drop $pyrograph report -F 499 -o "$tmp/charts" -- "$spin" 0.5
		has "... says what it leaves out" "$tmp/err" "pyrograph report: without sched, offcpu: no right"
		is "... once" "$(grep -c without "$tmp/err")" 1
		is "... and draws the rest" "$(ls "$tmp/charts" | grep -c 'Z[.]svg')" 1
	}
	live the_rest
	status "collect sched" 1 $drop $pyrograph collect cpu,sched -a -d 0.1 -o "$tmp/x.data"
	has "... names the capabilities" "$tmp/err" "CAP_BPF and CAP_PERFMON"
	is "... and leaves no file" "$(ls "$tmp/x.data" 2>/dev/null)" ""
else
	skip "without the right" "needs root and setpriv, to drop it"
fi

# ---- cpu and sched, of a process ----
both="$pyrograph collect cpu,sched"
cpu_and_sched()
{
	rm -f "$tmp/spin.out" "$tmp/a.data"
	"$spin" 300 2 >"$tmp/spin.out" & target=$! started="$started $!"
	before 30 lines "$tmp/spin.out" '^tid' 2 || not_ok "the target starts"
	$both -p "$target" -F 499 -o "$tmp/a.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/a.data" || not_ok "cpu,sched starts" "$tmp/err"
	sleep 0.3 # names of others are wanted, too
	for tid in $(sed -n 's/^tid \([0-9]*\) .*/\1/p' "$tmp/spin.out"); do
		thread=/proc/$target/task/$tid
		before 30 ran "$thread" $(($(ticks "$thread") + 10))
	done
	kill -TERM $collector
	rest $target
	finished $collector
	is "cpu,sched -p" $? 0
	has "the summary counts samples" "$tmp/err" " samples of cpu-clock, "
	some "... and spans" "$(sed -n 's/.* samples of .*, \([0-9]*\) spans of sched$/\1/p' "$tmp/err")" 2
	has_not "... and knows no other event" "$tmp/err" dummy

	cp "$tmp/err" "$tmp/summary"
	perf script --symfs "$tmp" -i "$tmp/a.data" >"$tmp/script" 2>"$tmp/perf.err"
	perf report --symfs "$tmp" --sort comm -i "$tmp/a.data" --stdio >"$tmp/report" 2>>"$tmp/perf.err"
	perf report -i "$tmp/a.data" --header-only >"$tmp/header" 2>>"$tmp/perf.err"
	perf evlist -v -i "$tmp/a.data" >"$tmp/evlist" 2>>"$tmp/perf.err"
	is "perf reads it without a warning" "$(cat "$tmp/perf.err")" ""
	events_of() { field "$1" event | tr -d ':' | sort | uniq -c | awk '{ print $2, $1 }'; }
	is "perf sees the samples of cpu" "$(grep -cE ' cpu-clock: *$' "$tmp/script")" "$(sed -n 's/.* \([0-9]*\) samples of cpu-clock, .*/\1/p' "$tmp/summary")"
	some "... and of sched" "$(grep -cE ' sched: *$' "$tmp/script")" 2
	is "the samples of cpu are the target's" "$(perf script --symfs "$tmp" -i "$tmp/a.data" -F pid,event 2>/dev/null |
		grep cpu-clock | awk '{ print $1 }' | sort -u)" "$target"
	is "the events of the file" "$(cut -d: -f1 "$tmp/evlist" | tr '\n' ' ')" "cpu-clock sched dummy "
	is "the side band is the dummy's alone" "$(grep -c 'mmap2: 1' "$tmp/evlist")" 1
	perf script --symfs "$tmp" -i "$tmp/a.data" --show-mmap-events --show-task-events >"$tmp/records" 2>/dev/null
	is "... its mappings are there once" \
		"$(grep -c "PERF_RECORD_MMAP2* $target/.*r-xp.*spin_shares" "$tmp/records")" 1 # others may run it, too
	some "... with the names of everybody" "$(grep -c PERF_RECORD_COMM "$tmp/records")" "$(($(ls -d /proc/[0-9]* | wc -l) / 2))"
	some "... also of who began meanwhile" "$(grep -c 'PERF_RECORD_COMM exec: sleep' "$tmp/records")" 1
	$pyrograph collapse --states "$tmp/a.data" >"$tmp/states" 2>"$tmp/err"
	is "collapse: states of the target's threads only" \
		"$(grep -v '^#' "$tmp/states" | sed 's|-[0-9]*/.*||' | sort -u | tr '\n' ' ')" "spin_shares "
	some "... running" "$(grep -c ';running ' "$tmp/states")" 2
	$pyrograph collapse --sampled "$tmp/a.data" 2>"$tmp/err" | grep -v '^#' >"$tmp/folded"
	some "collapse: stacks of cpu" "$(grep -c 'spin_alpha' "$tmp/folded")" 1
	is "... nothing is said of the other" "$(cat "$tmp/err")" ""
	grep -a '^cpu [0-9]* package [0-9]* core [0-9]* node [0-9]*' "$tmp/a.data" >"$tmp/cpus"
	is "the CPUs are in the recording" "$(wc -l <"$tmp/cpus")" "$(getconf _NPROCESSORS_ONLN)"
	end_spinners "$target"
}
live cpu_and_sched

# ---- how they begin ----

# first OPTION TID: when the first span or sample of this thread begins, or, with -TID, of all other threads
first()
{
	"$pyrograph" collapse -q --timed --no-stack --root tid $1 "$tmp/all.data" | sed -n 's/^@//p' |
		awk -v tid="$2" '{ its = $2 ~ "[-/]" (tid < 0 ? -tid : tid) "$" } its == (tid > 0) { print $1 }' | sort | head -1
}

# Collectors are attached one after the other, which takes some tenths of a second.  A call that is under way counts
# from the beginning of the recording.
begin_together()
{
	rm -f "$tmp/in"
	mkfifo "$tmp/in"
	cat <"$tmp/in" & hanging=$! started="$started $!"
	exec 4>"$tmp/in"
	before 30 grep -q pipe_read "/proc/$hanging/stack" || not_ok "a call hangs"
	sh -c 'while :; do /bin/true; done' & busy=$! started="$started $!"
	status "$1: a thread that hangs, and some that do not" 0 $pyrograph collect $1 -F 999 --min 1ns -d 0.5 -p "$hanging,$busy" -o "$tmp/all.data"
	kill $busy
	exec 4>&-
	finished $busy
	finished $hanging
	begin=$(first --syscalls $hanging)
	some "... the begin is known" "${begin%.*}" 1
	for what in --sampled --syscalls --faults --wakeup; do
		of=$(first $what -$hanging)
		is "... nothing before that: $what" "$(printf '%s\n' "$begin" "$of" | sort | head -1)" "$begin"
		some "... but later" "${of%.*}" "${begin%.*}"
	done
}
if [ -r /proc/self/stack ]; then
	live begin_together cpu,faults,syscalls,sched,offcpu,locks,wakeup
	live begin_together wakeup,locks,syscalls,faults,sched,cpu
else
	skip "collectors begin together" "no right to see where a thread hangs"
fi

# ---- what is not there ----

nothing_at_all()
{
	sleep 300 & target=$! started="$started $!"
	before 30 grep -qa ^sleep "/proc/$target/cmdline" && sleep 0.1
	status "a process that does nothing" 0 $pyrograph collect syscalls,faults,locks,io,wakeup --call reboot -d 0.1 -p $target -o "$tmp/none.data"
	kill $target
	finished $target
	is "... has no calls, faults, waits, requests" "$(grep -cE ' (syscalls: 0 calls|faults: 0 page|locks: 0 waits|io: 0 requests|wakeup: 0 waits)' "$tmp/err")" 5
	has_not "... and no longest of them" "$tmp/err" longest
}
live nothing_at_all

# ---- how it ends if no event is the target's own ----
ends_with_target()
{
	rm -f "$tmp/b.data" "$tmp/c.data" "$tmp/go" "$tmp/end"
	sleep 300 & target=$! started="$started $!"
	$pyrograph collect sched -q -p "$target" -d 60 -o "$tmp/b.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/b.data" || not_ok "sched -p starts" "$tmp/err"
	kill "$target"
	before 30 gone $collector && ok "sched ends with its target" || not_ok "sched ends with its target"
	finished $collector
	is "... well" $? 0
	mkfifo "$tmp/go" "$tmp/end"
	# shellcheck disable=SC2016 # for the inner shell
	sh -c 'read -r x; (read -r y <"$0") & exit' "$tmp/end" <"$tmp/go" & target=$! started="$started $!"
	exec 4>"$tmp/go"
	$pyrograph collect sched -q -p "$target" -d 120 -o "$tmp/c.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/c.data" || not_ok "sched -p starts" "$tmp/err"
	echo >&4
	exec 4>&-
	before 30 gone "$target"
	sleep 0.2 # in which it would have ended
	gone $collector && not_ok "... and not while a child of it lives" || ok "... and not while a child of it lives"
	echo >"$tmp/end"
	before 30 gone $collector && ok "... but with that" || not_ok "... but with that"
	finished $collector >/dev/null
}
live ends_with_target

# ---- a command, by all of them ----

three()
{
	status "a command by three" 0 $pyrograph collect cpu,sched,offcpu -o "$tmp/d.data" -- \
		sh -c "${BUILD:-build}/tests/workloads/thread_body 0.3 & sleep 0.4; wait"
	events_of "$tmp/d.data" >"$tmp/events"
	for event in cpu-clock sched offcpu; do
		some "... $event" "$(sed -n "s/^$event //p" "$tmp/events")" 1
	done
	$pyrograph collapse --states "$tmp/d.data" >"$tmp/states" 2>"$tmp/err"
	has "... its children are followed" "$tmp/states" "sleep-"
	is "... nothing of ours" "$(grep -c '^pyrograph' "$tmp/states")" 0
	$pyrograph collapse --offcpu "$tmp/d.data" 2>"$tmp/err" >"$tmp/folded"
	has "... what they were blocked in" "$tmp/folded" nanosleep
}
live three

# ---- killed: names of events come at the end of a recording, but those of our own are known ----
has_states() { $pyrograph collapse --states "$1" | grep -q ';sleeping '; }
killed()
{
	rm -f "$tmp/f.data"
	$pyrograph collect sched -q -a -d 120 -o "$tmp/f.data" 2>"$tmp/err" & collector=$!
	before 60 larger "$tmp/f.data" 0
	sleep 0.9 # the states are written once a second, so it is useless to look earlier
	before 60 has_states "$tmp/f.data"
	kill -KILL $collector
	finished $collector >/dev/null
	status "a collector that was killed" 0 $pyrograph collapse --states "$tmp/f.data"
	has "... is said to have been" "$tmp/err" "was not finished"
	has "... and the states are there" "$tmp/out" ";sleeping "
	has_not "... of threads: the idle one is none" "$tmp/out" swapper
}
live killed

# ---- an option that two collectors have applies to both: no short sleeps, no short waits ----
status "offcpu,wakeup --min" 0 $pyrograph collect offcpu,wakeup --min 100s -o "$tmp/g.data" -- sh -c "sleep 0.1; $spin 0.1"
has "... holds for the one" "$tmp/err" " 0 spans of offcpu"
has "... and for the other" "$tmp/err" " 0 spans of wakeup"
not_less()
{
	status "... and not without it" 0 $pyrograph collect offcpu,wakeup -o "$tmp/g.data" -- sh -c "sleep 0.1; $spin 0.1"
	has_not "... for the one" "$tmp/err" " 0 spans of offcpu"
	has_not "... for the other" "$tmp/err" " 0 spans of wakeup"
}
live not_less

# ---- if one fails, the exit status is that of failure ----
busy=$(sed 's/[-,].*//' /sys/devices/system/cpu/online)
isolated()
{
	status "cpu,sched --assert-isolated of a CPU that two share" 3 \
		$pyrograph collect cpu,sched "--assert-isolated=$busy" -o "$tmp/h.data" -- \
		taskset -c "$busy" sh -c "$spin 0.2 & $spin 0.2; wait"
	some "... the recording is there" "$(field "$tmp/h.data" event | grep -c sched)" 1
}
live isolated

# ---- one CPU: the names come from all CPUs ----
cpu=$(sed 's/[-,].*//' /sys/devices/system/cpu/online)
one_cpu()
{
	status "-C" 0 $collect -q -C "$cpu" -F 499 -d 0.3 -o "$tmp/e.data"
	perf evlist -v -i "$tmp/e.data" >"$tmp/evlist"
	if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
		is "... the side band sees all" "$(cut -d: -f1 "$tmp/evlist" | tr '\n' ' ')" "cpu-clock dummy "
		is "... the samples are of the one" "$(field "$tmp/e.data" cpu | sort -u | tr -d '[]' | sed 's/^0*\(.\)/\1/')" "$cpu"
		other=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
		status "-C of a command" 0 $collect -q -C "$cpu" -o "$tmp/e.data" -- taskset -c "$other" sh -c "$spin 0.1; true"
		perf script --symfs "$tmp" -i "$tmp/e.data" --show-task-events 2>/dev/null >"$tmp/tasks"
		has "... sees what it does on another" "$tmp/tasks" "PERF_RECORD_COMM exec: spin_shares"
	else
		skip "... the side band sees all" "there is one CPU"
	fi
}
live one_cpu

# ---- a report: all of it ----

reported()
{
	rm -rf "$tmp/set"
	status "a report" 0 $pyrograph report -F 499 -o "$tmp/set" -- sh -c "sleep 0.2; $spin 0.4 2"
	is "... draws every chart" "$(cd "$tmp/set" && for f in *.svg; do echo "${f#*Z}"; done | tr '\n' ' ')" \
		"-heat.svg -latency.svg -offcpu.svg -states.svg -tenancy.svg -timeline.svg -wall.svg .svg "
	for kind in states tenancy flame heat; do
		has "... the page knows its $kind" "$tmp/set/charts.json" "\"kind\":\"$kind\""
	done
	is "... and each says how much time it shows" \
		"$(grep -oE '"event":"(sched|offcpu)","total":"[0-9.]+ m?s"' "$tmp/set/charts.json" | wc -l)" 3
	has "... the flame graph is of what ran" "$tmp/set/"*Z.folded spin_alpha
	has "... that of the blocked time is not" "$tmp/set/"*-offcpu.folded nanosleep
	has_not "... that of the blocked time is not" "$tmp/set/"*-offcpu.folded spin_alpha
}
live reported
