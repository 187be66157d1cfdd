# collect sched: threads whose scheduler states are known.  Times are compared with what the threads themselves measure,
# so that other load does not matter.
# live: states
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
sched="$pyrograph collect sched"
states=${BUILD:-build}/tests/workloads/states
trap 'kill $started 2>/dev/null; rmdir $group 2>/dev/null' EXIT
started= group=

if ! $sched -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot' "$tmp/err"; then
		not_ok "collect sched works here" "$tmp/err"
	else
		skip "collect sched" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# Is the machine so busy that programs are stopped between two looks at the clock?
is_busy() { awk '{ exit $1 < 4 }' /proc/loadavg; }

# like within, for values that depend on when programs look at the clock
within_if_calm()
{
	if ! { [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; } && is_busy; then
		inconclusive "$1" "the machine is too busy: $2, wanted $3 to $4"
	else
		within "$@"
	fi
}

# fold FILE: makes the table of states, and that of CPUs
fold()
{
	$pyrograph collapse -q --states "$1.data" >"$1.states" 2>"$tmp/fold.err" || not_ok "collapse --states" "$tmp/fold.err"
	$pyrograph collapse -q --tenancy "$1.data" >"$1.tenancy" 2>"$tmp/fold.err" || not_ok "collapse --tenancy" "$tmp/fold.err"
}

# value FILE PATTERN COLUMN: the sum of a column, counted from the end of the line: for states, 2 is the time, 1 the
# count; for tenancy, 3 is the time, 0 the migrations
value() { awk -v p="$2" -v c="$3" '!/^#/ && $0 ~ p { n += $(NF - c) } END { printf "%.0f\n", n }' "$1"; }
ns()    { value "$tmp/$1.states" "$2" 2; }
count() { value "$tmp/$1.states" "$2" 1; }
truth() { awk -v n="$2" -v f="$3" '$1 == n { print $f }' "$tmp/$1.truth"; }

# taken: the ns of CPU 0 that interrupts and the host took.  This time is no thread's CPU time,
# although a thread seems to run.
taken() { awk '$1 == "cpu0" { printf "%.0f\n", ($7 + $8 + $9) * 1e7 }' /proc/stat; }

# alone FILE WHO OTHER: how long OTHER lived while WHO did not, and so had no need to wait for it
alone()
{
	more=$(($(ns "$1" "/$3;") - $(ns "$1" "/$2;")))
	echo $((more > 0 ? more : 0))
}

# is_its_life WHAT FILE WHO: the thread's states add up to the time that it says it lived, plus its waits for its first
# moment and for its last.  A switch that the kernel did not show reduces that a little.
is_its_life()
{
	lives=$(truth "$2" "$3" 3)
	late=$(ns "$2" "/$3;(preempted|quantum-over|woken|yielded)[ ;]")
	hidden=$(sed -n 's/.*the kernel did not show \([0-9]*\) switch.*/\1/p' "$tmp/err")
	within "$1" "$(ns "$2" "/$3;")" $((lives * 999 / 1000 - ${hidden:-0} * 1000000)) \
		$((lives * 101 / 100 + 20000000 + (late > 400000000 ? 400000000 : late)))
}

# runs_as_said WHAT FILE WHO: the running time is within 2 % of the CPU time that the thread says it had, however long
# it lived; time that was taken counts as running
runs_as_said()
{
	used=$(truth "$2" "$3" 4)
	within "$1" "$(ns "$2" "/$3;running ")" $((used * 98 / 100 - 300000)) $((used * 102 / 100 + 2000000 + taken))
}

# window FILE: ns from the beginning to the end of a recording
window()
{
	sed -n '1s/.* start=\([^ ]*\) end=\([^ ]*\) .*/\1 \2/p' "$tmp/$1.states" | {
		read -r from to
		echo $(($(date -d "$to" +%s%N) - $(date -d "$from" +%s%N)))
	}
}

# --- two that want the same CPU ---

two_spinners()
{
	before=$(taken)
	status "two spinners on a CPU" 0 $sched -o "$tmp/spin.data" -- "$states" spin 1 0
	taken=$(($(taken) - before))
	cp "$tmp/out" "$tmp/spin.truth"
	cp "$tmp/err" "$tmp/spin.err"
	fold "$tmp/spin"
	process=$(sed -n 's,/spin-a;running .*,,p' "$tmp/spin.states")
	for who in a b; do
		other=$([ $who = a ] && echo b || echo a)
		lived=$(truth spin spin-$who 3) cpu=$(truth spin spin-$who 4)
		point=$((lived / 100))
		runs_as_said "spin-$who runs as long as it says" spin spin-$who
		runnable=$(ns spin "/spin-$who;(running|preempted|quantum-over|woken|yielded)[ ;]")
		within "... is running or could run, 99 %" "$runnable" $((lived * 99 / 100)) "$(ns spin "/spin-$who;")"
		waits="/spin-$who;(preempted|quantum-over|woken|yielded);"
		took=$(ns spin "$waits$process/spin-$other ")
		others=$(ns spin "$waits.others. ") # on a busy machine
		its=$(truth spin spin-$other 4)
		within "... the other one had the CPU, as long as it ran" "$took" $((its - point * 2 - others - $(alone spin spin-$who spin-$other))) \
			$((its + point * 2 + taken))
		is_its_life "... its states make up its life" spin spin-$who
		# The recording ends with the process, and that is before the last switch of the process's threads.
		within "... it died once" "$(count spin "/spin-$who;dead ")" \
			$(grep -q 'had not ended' "$tmp/spin.err" && echo 0 || echo 1) 1
		is "... on CPU 0, and where it was born" "$(($(value "$tmp/spin.tenancy" "/spin-$who;cpu0 " 3) > cpu * 95 / 100))" 1
	done
	has "the summary says the memory" "$tmp/spin.err" "MiB of kernel memory, for 16384 threads"
}
live two_spinners
matches() { if grep -q -e "$3" "$2"; then ok "$1"; else not_ok "$1" "no match of '$3' in:" "$2"; fi; }
own_cost()
{
	status "what it costs" 0 $sched -a -d 0.2 --own-cost -o "$tmp/x.data"
	has "... is said when asked for" "$tmp/err" "its BPF program ran"
	matches "... and always, of the recording" "$tmp/err" 'recording took [0-9.]* % of the machine'
	"$pyrograph" collapse -q --states "$tmp/x.data" >"$tmp/x.folded"
	matches "... which has it, too" "$tmp/x.folded" ' recording-cost="[0-9.]* % of the machine'
	"$pyrograph" render flame -q "$tmp/x.folded" >"$tmp/x.svg"
	matches "... and so has its picture" "$tmp/x.svg" 'Recording took [0-9.]* % of the machine'
	room=$($sched --help | sed -n 's/.*--max-threads .*\[\([0-9]*\);.*/\1/p') pid_max=$(cat /proc/sys/kernel/pid_max)
	if [ "$pid_max" -lt "$room" ]; then
		has "... with room for all threads that there can be" "$tmp/err" "for $pid_max threads: the most that kernel.pid_max allows"
	else
		has "... with as much room as --help says" "$tmp/err" "for $room threads"
	fi
}
live own_cost

each_span()
{
	before=$(taken)
	status "the same, each span by itself" 0 $sched --events -o "$tmp/each.data" -- "$states" spin 0.7 0
	taken=$(($(taken) - before))
	cp "$tmp/out" "$tmp/each.truth"
	fold "$tmp/each"
	for who in a b; do
		runs_as_said "... spin-$who runs as long as it says" each spin-$who
		is_its_life "... its states make up its life" each spin-$who
	done
	$pyrograph collapse -q --states --timed "$tmp/each.data" >"$tmp/each.timed"
	has "... as spans that begin at a time" "$tmp/each.timed" " spans=start "
}
live each_span

# by_state FILE WEIGHT: the states of the program's threads
by_state()
{
	$pyrograph collapse -q --event sched --root tid,state,by --no-stack --weight "$2" "$tmp/$1.data" 2>"$tmp/fold.err" ||
		not_ok "$1 by state" "$tmp/fold.err"
}

# Recorded twice at the same time: once summed, and once with the long spans one by one.
long_spans()
{
	status "long spans by themselves" 0 $sched -q -a -o "$tmp/summed.data" -- \
		$sched -q --events=1ms -o "$tmp/long.data" -- "$states" spin 1 0
	cp "$tmp/out" "$tmp/long.truth"
	fold "$tmp/long"
	spans "$tmp/long.data" '{ print int($10 % 2), ($7 >= 1e6), $6, $10, $11 }' | sort | uniq -c >"$tmp/lengths"
	is "... and no others but the last" "$(awk '$2 && !$3 && $4 && $5 < 2 && $6 != 13' "$tmp/lengths")" ""
	some "... many of them" "$(awk '$2 && $3 { n += $1 } END { print n + 0 }' "$tmp/lengths")" 20
	some "... and sums" "$(awk '!$2 { n += $1 } END { print n + 0 }' "$tmp/lengths")" 1
	for who in a b; do
		runs_as_said "... spin-$who runs as long as it says" long spin-$who
		is_its_life "... its states make up its life" long spin-$who
	done
	for weight in time count; do
		by_state summed $weight >"$tmp/summed.$weight"
		by_state long $weight >"$tmp/long.$weight"
	done
	# The inner recording ends earlier: with the process, and that is before the last switch of the process's
	# threads.
	# shellcheck disable=SC2046 # words
	is_busy || python3 tests/collapse/same_states.py "$tmp/summed.time" "$tmp/long.time" $(truth long spin-a 2) $(truth long spin-b 2)
	for file in summed long; do
		sed -n "s,.*/\($(truth long spin-a 2)\|$(truth long spin-b 2)\);\([a-z-]*\).* \([0-9]*\)$,\1 \2 \3,p" \
			"$tmp/$file.count" | grep -v 'dead\|running' | awk '{ n[$1 " " $2] += $3 } END { for (k in n) print k, n[k] }' | sort >"$tmp/$file.counts"
	done
	is "... and as often" "$(cat "$tmp/long.counts")" "$(cat "$tmp/summed.counts")"
}
live long_spans

# Four threads want a CPU: each waits for three, also at the end of the recording.
four()
{
	"$states" spin 60 0 >/dev/null & one=$!
	"$states" spin 60 0 >/dev/null & two=$!
	started="$one $two"
	$sched -a --events --ring 64M -d 0.5 -o "$tmp/four.data" 2>"$tmp/err"
	is "all spans of the machine" $? 0
	kill $started 2>/dev/null
	wait $started 2>/dev/null
	started=
	python3 tests/collect/spans.py "$tmp/four.data" | LC_ALL=C sort -s -k3,3n -k8,8n -k9,9n |
		awk -f tests/collect/follow.awk >"$tmp/follow"
	if grep -q ' lost: ' "$tmp/err"; then
		inconclusive "... of a thread follow each other" "spans were lost: the machine is too busy"
	else
		is "... of a thread follow each other" "$(sed '$!d; s/ [1-9][0-9]* spans/ them/' "$tmp/follow")" \
			"nearly all of them follow the one before"
	fi
}
live four

# --- one thread that gets the CPU, and one that does not: each wait is long, and many switches happen in it ---

waits='(preempted|quantum-over|woken|yielded)'
# Other programs may switch 100,000 times a second at that moment: try again.
bully()
{
	$sched -o "$tmp/starve.data" -- "$states" starve 2.5 0 >"$tmp/starve.truth" 2>"$tmp/err"
	is "a bully and its victim" $? 0
	fold "$tmp/starve"
	lived=$(truth starve victim 3) cpu=$(ns starve "/bully;running ")
	point=$((lived / 100))
	others=$(ns starve "/victim;$waits;\\[others]")
	within "... the victim waits, and knows for whom, within 2 points" \
		"$(ns starve "/victim;$waits;.*/bully ")" $((cpu - point * 2 - others - $(alone starve victim bully))) $((cpu + point * 2))
	within_if_calm "... hardly anybody cannot be told" "$others" 0 $((point * 2))
	is_its_life "... its states make up its life" starve victim
	for second in 1 2; do # without the moment in which they are created
		from=$((250 + second * 500)) # two that overlap
		$pyrograph collapse -q --states --from "${from}ms" --to "$((from + 1000))ms" "$tmp/starve.data" >"$tmp/cut.states"
		for who in victim bully; do
			within_if_calm "... a second of $who is a second ($second)" "$(ns cut "/$who;")" 800000000 1200000000
		done
	done
}
live bully

# --- and what perf says of it ---

as_timehist()
{
	command -v perf >/dev/null || { skip "perf sched timehist says the same" "no perf"; return; }
	if $sched -q -a -o "$tmp/both.data" -- perf record -q -a -m 2048 -e sched:sched_switch -o "$tmp/perf.data" \
		"$states" spin 0.7 0 >"$tmp/both.truth" 2>"$tmp/err" &&
		! perf script -D -i "$tmp/perf.data" 2>/dev/null | grep -q PERF_RECORD_LOST; then
		fold "$tmp/both"
		perf sched timehist -s -i "$tmp/perf.data" >"$tmp/timehist" 2>/dev/null
		for who in a b; do
			ms=$(awk -v n="spin-${who}[$(truth both spin-$who 2)/" 'index($1, n) == 1 { printf "%d\n", $4 }' "$tmp/timehist")
			cpu=$(($(truth both spin-$who 4) / 1000000))
			process=$(sed -n "s,.*spin-$who\[$(truth both spin-$who 2)/\([0-9]*\)\].*,\1,p" "$tmp/timehist")
			if [ "${ms:-0}" -lt $((cpu * 97 / 100 - 2)) ]; then
				inconclusive "perf sched timehist says the same of spin-$who" "it has $ms ms of $cpu"
				continue
			fi
			within "perf sched timehist says the same of spin-$who, within 2 %" \
				"$(($(ns both "^states-$process/spin-$who;running ") / 1000000))" $((ms * 98 / 100 - 1)) $((ms * 102 / 100 + 2))
		done
	else
		inconclusive "perf sched timehist says the same" "perf cannot record sched_switch here, or lost some"
	fi
}
live as_timehist

# --- and what our others say ---

# total EVENT LEAST-STATE MOST-STATE: ns of thread $tid
total() { awk -v e="$1" -v t="$tid" -v a="$2" -v b="$3" '$1 == e && $3 == t && $11 >= a && $11 <= b { n += $5 } END { printf "%.0f\n", n }' "$tmp/three.spans"; }
head -c 8M /dev/zero >"$tmp/file"
compare_three()
{
	status "three collectors at once" 0 $pyrograph collect sched,offcpu,wakeup -o "$tmp/three.data" -- "$states" mixed 0.7 "$tmp/file"
	cp "$tmp/out" "$tmp/three.truth"
	python3 tests/collect/spans.py "$tmp/three.data" >"$tmp/three.spans"
	for who in sleeper reader; do
		tid=$(truth three $who 2) each=$((5000 * $(truth three $who 5))) # ns between the two looks at the clock
		blocked=$(total offcpu 6 12) waited=$(total wakeup 0 99)
		within_if_calm "... of one mind about how long $who is blocked" "$(total sched 6 12)" \
			$((blocked * 98 / 100 - each)) $((blocked * 102 / 100 + each))
		within_if_calm "... and waits for a CPU" "$(total sched 2 5)" \
			$((waited * 98 / 100 - each)) $((waited * 102 / 100 + each))
	done
}
live compare_three

# --- what else threads do ---

mixed_threads()
{
	status "a sleeper, a reader, ..." 0 $sched -o "$tmp/mixed.data" -- "$states" mixed 0.7 "$tmp/file"
	cp "$tmp/out" "$tmp/mixed.truth"
	fold "$tmp/mixed"
	naps=$(truth mixed sleeper 5)
	# The thread may be put off the CPU on its way to sleep, and then need not sleep.
	put_off=$(count mixed '/sleeper;(preempted|quantum-over)[ ;]')
	slept=$(count mixed '/sleeper;sleeping ')
	within "the sleeper sleeps as often as it says" "$slept" $((naps - put_off - 1)) $((naps + 3))
	within "... each time 5 ms" "$(ns mixed '/sleeper;sleeping ')" $((slept * 4600000)) $(($(truth mixed sleeper 3) + 1000000))
	lived=$(truth mixed waiter 3)
	within "the blocked one sleeps all the time" "$(ns mixed '/waiter;sleeping ')" \
		$((lived * 98 / 100 - $(ns mixed '/waiter;(preempted|quantum-over|woken)[ ;]'))) "$lived"
	within "... once or twice" "$(count mixed '/waiter;sleeping ')" 1 2
	if [ "$(stat -f -c %T "$tmp")" = tmpfs ] || grep -q O_DIRECT "$tmp/err" || [ "$(truth mixed reader 5)" = 0 ]; then
		skip "reads past the page cache" "no disk, or $(head -1 "$tmp/err")"
	else
		within "the reader waits for its reads" "$(count mixed '/reader;blocked-io ')" \
			$(($(truth mixed reader 5) / 2)) $(($(truth mixed reader 5) * 3))
	fi
	is "one that ends early died once" "$(count mixed '/early;dead ')" 1
	is_its_life "... and takes no time afterwards" mixed early
	if [ "$(nproc)" -gt 1 ]; then
		moves=$(truth mixed migrant 5)
		within "the migrant moves as often as it says" "$(value "$tmp/mixed.tenancy" '/migrant;' 0)" $((moves - 2)) $((moves + 2))
		for cpu in 0 1; do
			within "... is on CPU $cpu half the time" "$(value "$tmp/mixed.tenancy" "/migrant;cpu$cpu " 3)" \
				$(($(truth mixed migrant 4) * 15 / 100)) $(($(truth mixed migrant 4) * 85 / 100))
		done
	fi
	for who in sleeper waiter reader migrant; do
		is_its_life "the states of $who make up its life" mixed $who
	done
}
live mixed_threads

stopped_threads()
{
	status "a stopped one, a traced one" 0 $sched -o "$tmp/stop.data" -- "$states" stopped 0.5
	cp "$tmp/out" "$tmp/stop.truth"
	fold "$tmp/stop"
	for who in stopped traced; do
		lived=$(truth stop $who 3)
		within "... $who that long" "$(ns stop "/$who;$who ")" $((lived * 98 / 100)) "$(window stop)" # it was before it is told
	done
}
live stopped_threads

short_lived()
{
	status "1,000 short-lived threads" 0 $sched -o "$tmp/short.data" -- "$states" short 1000
	fold "$tmp/short"
	within "... each is there" "$(count short '/short[-0-9]*;dead ')" 999 1000
}
live short_lived

# More than the number of thread ids on most machines, and more than fit.
very_many()
{
	status "40,000 of them" 0 $sched -o "$tmp/short.data" -- "$states" short 40000
	cp "$tmp/err" "$tmp/short.err"
	$pyrograph collapse -q --event sched --root comm,state --no-stack --columns time,count "$tmp/short.data" >"$tmp/short.states"
	died=$(value "$tmp/short.states" '^short;dead ' 0)
	missing=$(sed -n 's/.*lost: \([0-9]*\) threads that found no room.*/\1/p' "$tmp/short.err")
	within "... each is there, or counted as missing" "$((died + ${missing:-0}))" 39990 40010
}
live very_many

# --- the whole machine, with threads that existed before ---

mkfifo "$tmp/hold"
: >"$tmp/made"
"$states" many 50 <"$tmp/hold" >"$tmp/made" & many=$!
started="$started $many"
exec 9>"$tmp/hold"
before 30 grep -q 'made 50' "$tmp/made"
# sums: of each thread that slept all the time, which must have the whole window; of each CPU
sums()
{
	$pyrograph collapse -q --event sched --root tid,cpu,state --no-stack --columns time,count \
		"$tmp/all.data" >"$tmp/all.tids" 2>"$tmp/fold.err"
	$pyrograph collapse -q --tenancy --root cpu "$tmp/all.data" | sed -n 's/^\(cpu[0-9]*\) \([0-9]*\) .*/\1 \2/p' >"$tmp/all.cpus"
	python3 - "$tmp/all.tids" "$many" >"$tmp/sums" <<'END'
import collections, os, re, sys
threads = set(os.listdir("/proc/%s/task" % sys.argv[2]))
sums = collections.Counter()
for line in open(sys.argv[1]):
    if line.startswith("#"):
        continue
    stack, ns, count = line.rsplit(" ", 2)
    tid = re.search(r"(\d+)/(\d+)", stack) or re.search(r"(\d+)", stack)
    sums[tid.group(tid.lastindex)] += int(ns)
mine = [sums[t] for t in threads]
print("threads", len(threads))
print("least", min(mine))
print("most", max(mine))
END
	sed 's/^cpu[0-9]*/cpu/' "$tmp/all.cpus" >>"$tmp/sums"
}
line() { sed -n "s/^$1 //p" "$tmp/sums"; }
# full: each CPU always has a thread, or its idle thread, within 0.1 %
full()
{
	for ns in $(line cpu); do
		[ "$ns" -ge $((least * 999 / 1000)) ] && [ "$ns" -le $((least * 1001 / 1000)) ] || return 1
	done
}
all_of_it()
{
	status "the whole machine" 0 $sched -a -d 1.1 -o "$tmp/all.data"
	sums
	is "... all threads that slept are there" "$(line threads)" 51
	least=$(line least) most=$(line most)
	within "... each is there all the time, within 0.1 %" "$most" "$least" $((least * 1001 / 1000))
	within "... which is the time of the recording" "$least" 1100000000 4800000000
	has_not "... one switch that is not shown is not several" "$tmp/err" "did not show 1 switches"
	if full; then
		ok "... each CPU has a thread or its idle one, always"
	elif grep -q 'the kernel did not show' "$tmp/err"; then
		inconclusive "... each CPU has a thread or its idle one, always" "this kernel hides who has a CPU"
	else
		not_ok "... each CPU has a thread or its idle one, always" "$tmp/sums" "$tmp/err"
	fi
	has "... what is open at the end is counted" "$tmp/err" "spans of time that had not ended"
}
live all_of_it

only_one_cpu()
{
	taskset -c 0 sh -c 'while :; do :; done' &
	busy=$!
	$sched -q -a -C 0 -d 0.3 -o "$tmp/one.data"
	kill $busy
	fold "$tmp/one"
	has_not "only CPU 0: no time on another" "$tmp/one.tenancy" ";cpu1 "
	is "... and none off the CPUs" "$(ns one ';sleeping ')" 0
}
live only_one_cpu

# Usually, there is no switch on a CPU within 3 ms.  The idle thread then had the CPU all the time.
silent_cpu()
{
	silent=0
	for attempt in 1 2 3 4; do
		taskset -c $(($(nproc) - 1)) $sched -q -a -C 0 -d 0.003 -o "$tmp/still.data"
		$pyrograph collapse -q --tenancy "$tmp/still.data" 2>/dev/null | grep -q '^[^#]' || silent=$((silent + 1))
	done
	is "a CPU that idles all the time has its idle thread" $silent 0
}
live silent_cpu

# --- a command is recorded without the recorder itself ---

short_command()
{
	status "a short command" 0 $sched -o "$tmp/true.data" -- /bin/true
	fold "$tmp/true"
	is "... does not sleep before it is there" "$(ns true ';(sleeping|unknown-state) ')" 0
	is "... was nobody else" "$(grep -v '^#' "$tmp/true.states" | grep -v '^true-')" ""
	status "... nor when all are recorded" 0 $sched -a -o "$tmp/true.data" -- sh -c 'echo $$'
	command=$(cat "$tmp/out")
	$pyrograph collapse -q --event sched --root tid,state --no-stack --columns time,count "$tmp/true.data" >"$tmp/true.states"
	is "... it does not sleep" "$(value "$tmp/true.states" "^([^;]*[^0-9;])?${command}[^0-9;]*;sleeping " 1)" 0
	within "... but it ran" "$(value "$tmp/true.states" "^([^;]*[^0-9;])?${command}[^0-9;]*;running " 1)" 1000 1000000000
}
live short_command

# --- whom a target starts ---

children()
{
	status "children of a command" 0 $sched -o "$tmp/heirs.data" -- sh -c "sh -c '$states spin 0.2 0; :'; :"
	fold "$tmp/heirs"
	has "... are targets, too" "$tmp/heirs.states" "/spin-a;running "
	is "... and nobody else is" "$(grep -vE '^(#|(sh|states)-)' "$tmp/heirs.states")" ""
}
live children
mkfifo "$tmp/go"
sh -c "read line <$tmp/go; exec $states spin 0.2 0" >"$tmp/out" & shell=$!
$sched --no-inherit -p $shell -d 30 -o "$tmp/heir.data" 2>"$tmp/err" & collector=$!
before 30 begun "$tmp/heir.data" || not_ok "--no-inherit starts" "$tmp/err"
echo >"$tmp/go"
finished $collector
wait $shell
fold "$tmp/heir"
has "--no-inherit: the process itself" "$tmp/heir.states" "states-$shell/"
has_not "... not the threads that it starts" "$tmp/heir.states" "/spin-a;"

# --- no room ---

no_room()
{
	$sched --max-threads 20 -p $many -d 0.5 -o "$tmp/full.data" 2>"$tmp/full.err"
	is "more threads than there is room for: no failure" $? 0
	has "... they are counted" "$tmp/full.err" "threads that found no room"
	$pyrograph collapse -q --states "$tmp/full.data" >"$tmp/full.states" 2>"$tmp/err"
	has "... and the lines say so" "$tmp/full.states" "losses="
	status "no room in three collectors" 0 $pyrograph collect sched,offcpu,wakeup --max-threads 2 -p $many -d 0.3 -o "$tmp/full.data"
	within "... each thread is counted once" \
		"$(sed -n 's/.* lost: \([0-9]*\) threads that found no room.*/\1/p' "$tmp/err")" 45 51
}
live no_room
exec 9>&-
wait $many
started=

if [ -n "${MANY_THREADS:-}" ]; then # needs some gigabytes, and raises kernel.pid_max meanwhile
	pid_max=$(cat /proc/sys/kernel/pid_max)
	echo $((MANY_THREADS * 2 + 32768)) >/proc/sys/kernel/pid_max
	: >"$tmp/made.many"
	"$states" many "$MANY_THREADS" <"$tmp/hold" >"$tmp/made.many" & many=$!
	exec 9>"$tmp/hold"
	before 60 grep -q made "$tmp/made.many"
	$sched -p $many --max-threads $((MANY_THREADS + 2000)) -d 1.2 -o "$tmp/big.data" 2>"$tmp/big.err"
	fold "$tmp/big"
	made=$(sed -n 's/^made //p' "$tmp/made.many")
	is "$made threads: each is there" "$(grep -c '^states-[0-9]*/.*;sleeping ' "$tmp/big.states")" "$((made + 1))"
	has_not "... none is missing" "$tmp/big.err" "found no room"
	exec 9>&-
	wait $many
	echo "$pid_max" >/proc/sys/kernel/pid_max
fi

# --- a control group ---

for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ -e $root/cgroup.controllers ] && group=$root/pyrograph-test-$$
done
if [ -n "$group" ] && mkdir "$group" 2>/dev/null; then
	sh -c "echo \$\$ >$group/cgroup.procs; exec $states spin 60 0" >/dev/null &
	started=$!
	before 30 grep -q '^states' "/proc/$started/comm"
	a_group()
	{
		status "a control group" 0 $sched --cgroup "${group##*/}" -d 0.5 -o "$tmp/group.data"
		fold "$tmp/group"
		has "... its threads are there" "$tmp/group.states" "/spin-a;running"
		is "... and no others" "$(grep -v '^#' "$tmp/group.states" | grep -v '^states-')" ""
	}
	live a_group
	kill $started
	wait $started 2>/dev/null
	started=

	# Like a service: started by a process of another group, which the collector has seen in that group.
	moved_into_it()
	{
		rm -f "$tmp/stop" "$tmp/group.data"
		: >"$tmp/turns"
		sh -c 'while [ ! -e "$0" ]; do sleep 0.01; echo >>"$1"; done' "$tmp/stop" "$tmp/turns" &
		moved=$!
		$sched --cgroup "${group##*/}" -o "$tmp/group.data" 2>"$tmp/err" &
		collecting=$!
		before 30 begun "$tmp/group.data"
		before 30 larger "$tmp/turns" $(($(stat -c %s "$tmp/turns") + 10))
		echo $moved >"$group/cgroup.procs"
		before 30 larger "$tmp/turns" $(($(stat -c %s "$tmp/turns") + 10))
		kill -INT $collecting
		wait $collecting
		: >"$tmp/stop"
		wait $moved
		fold "$tmp/group"
		some "a process that is moved into a control group" "$(grep -c "^sh-$moved/sh;sleeping" "$tmp/group.states")" 1
		some "... and its children" "$(grep -c '^sleep-' "$tmp/group.states")" 1
	}
	live moved_into_it
	rmdir "$group"
else
	skip "a control group" "none of version 2 can be made"
fi
status "no such control group" 1 $sched --cgroup no-such-group -d 0.1 -o "$tmp/x.data"
has "... says where it looked" "$tmp/err" "no such control group in /sys/fs/cgroup"

# --- CPUs that are for one ---

one_where_two()
{
	before=$(taken)
	status "two where one may run" 3 $sched --assert-isolated=0 -o "$tmp/alone.data" -- "$states" spin 0.7 0
	taken=$(($(taken) - before))
	cp "$tmp/out" "$tmp/alone.out"
	has "... says where" "$tmp/alone.out" "threads ran, where one may"
	for who in a b; do
		cpu=$(awk -v n="spin-$who" '$1 == n { print $4 }' "$tmp/alone.out")
		tid=$(awk -v n="spin-$who" '$1 == n { print $2 }' "$tmp/alone.out")
		ran=$(sed -n "s,^ *\([0-9]*\)\.[0-9]* .*/$tid spin-$who$,\1,p" "$tmp/alone.out")
		within "... that spin-$who did, and how long, in ms" "$ran" $((cpu / 1000000 * 94 / 100 - 2)) $((cpu / 1000000 * 102 / 100 + 2 + taken / 1000000))
	done
}
live one_where_two
if $sched -q --assert-isolated="$(($(nproc) - 1))" -d 0.1 -o "$tmp/x.data" >"$tmp/out" 2>"$tmp/err"; then
	is "nobody, or one: status 0" "$(grep -c 'threads ran, where' "$tmp/out")" 0
else
	is "more than one: status 3, and it says so" "$? $(grep -c 'threads ran, where' "$tmp/out")" "3 1"
fi
if ! grep -q '[0-9]' /sys/devices/system/cpu/isolated /sys/devices/system/cpu/nohz_full 2>/dev/null; then
	status "no CPU is isolated here" 2 $sched --assert-isolated -d 0.1 -o "$tmp/x.data"
	has "... says what to do" "$tmp/err" "--assert-isolated=2-3"
fi
status "with a blank" 2 $sched --assert-isolated 0 -d 0.1
has "... says how" "$tmp/err" "--assert-isolated=0"
(cd "$tmp" && exec "$OLDPWD/$pyrograph" collect sched --assert-isolated=0 -d 0.1 >/dev/full 2>err)
is "nowhere to write: status 1, and it says so" "$? $(grep -c 'No space left' "$tmp/err")" "1 1"
is "... and no recording, as nobody asked for one" "$(cd "$tmp" && echo pyrograph.data*)" 'pyrograph.data*'
status "not a CPU" 2 $sched --assert-isolated=x -d 0.1
status "one that is not there" 2 $sched --assert-isolated=4097 -d 0.1
status "of some threads" 2 $sched --assert-isolated=0 -p 1 -d 0.1

# --- bad days ---

"$states" spin 300 0 >/dev/null & spinner=$!
started="$started $spinner"
$sched -a -o "$tmp/killed.data" 2>"$tmp/err" & collector=$!
is_flushed() # that there were two
{
	$pyrograph collapse -q --states "$tmp/killed.data" >"$tmp/killed.states" &&
		[ "$(ns killed "^states-$spinner/states;sleeping ")" -ge 1000000000 ]
}
before 30 ran "/proc/$spinner" 100 # it takes so long at least
before 60 is_flushed
kill -KILL $collector
wait $collector 2>/dev/null
$pyrograph collapse --states "$tmp/killed.data" >"$tmp/killed.states" 2>"$tmp/err"
has "killed: what was flushed is there" "$tmp/killed.states" "/spin-a;running "
within "... so is one that slept all the while" "$(ns killed "^states-$spinner/states;sleeping ")" 1000000000 90000000000
kill $spinner
wait $spinner 2>/dev/null
started=

if command -v setpriv >/dev/null && [ "$(id -u)" = 0 ]; then
	# Not from here, because this tree may be in a directory that other users cannot enter.
	open=$(TMPDIR=/tmp mktemp -d)
	chmod 755 "$open"
	cp "$pyrograph" "$pyrograph-collect" "$open"
	status "no right" 1 setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		env -C / "$open/pyrograph" collect sched -a -d 0.1 -o /dev/null
	rm -r "$open"
	has "... says which it needs" "$tmp/err" "CAP_BPF and CAP_PERFMON"
fi
if unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf' 2>/dev/null; then
	status "no description of the kernel's types" 1 \
		unshare -m sh -c "mount -t tmpfs none /sys/kernel/btf; exec $sched -a -d 0.1 -o $tmp/x.data"
	has "... says what the kernel lacks" "$tmp/err" "CONFIG_DEBUG_INFO_BTF"
fi
