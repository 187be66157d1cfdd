# Targets of recordings: a command, the machine, processes, threads, names, children.
# live: who is recorded
. tests/tap.sh
. tests/collect/common.sh
need_sampling "targets of collect cpu"
trap 'kill -KILL $started 2>/dev/null' EXIT
started=

# ---- a command, and the programs that it starts ----

a_command()
{
	status "a command" 0 $collect --sample-by thread -F 499 -o "$tmp/a.data" -- "$spin" 0.6 2
	perf_reads "a command" "$tmp/a.data" "$tmp/err"
	field "$tmp/a.data" comm >"$tmp/comms"
	least=$(($(cpu_of "$tmp/out") * 499 / 4000000000)) # a quarter of all samples, for one of two
	[ $least -lt 10 ] || least=10
	some "... its first thread" "$(grep -c '^spinner 0$' "$tmp/comms")" $least
	some "... its second thread" "$(grep -c '^spinner 1$' "$tmp/comms")" $least
	is "... from its exec on: nothing of ours" "$(grep -c pyrograph "$tmp/comms")" 0
	has "... its output is its own" "$tmp/out" "cpu "
	perf script --symfs "$tmp" -i "$tmp/a.data" --show-mmap-events 2>/dev/null | grep -c 'r-xp.*spin_shares' >"$tmp/n"
	is "... its mapping is there once" "$(cat "$tmp/n")" 1
}
live a_command

children()
{
	status "a command's children" 0 $collect -q -F 499 -o "$tmp/b.data" -- \
		sh -c "$spin 0.4 & $spin 0.4; wait"
	is "... both, followed through fork and exec" \
		"$(perf script --symfs "$tmp" -i "$tmp/b.data" -F comm,pid | grep spinner | sort -u | wc -l)" 2
}
live children
no_inherit()
{
	status "a command with --no-inherit" 0 $collect -q --no-inherit -F 499 -o "$tmp/b.data" -- "$spin" 0.3
	is "... not its threads" "$(field "$tmp/b.data" comm | grep -c spinner)" 0
}
live no_inherit

# ---- the whole machine ----

: >"$tmp/other.out"
"$spin" 300 2 >"$tmp/other.out" & other=$! started="$started $!"
before 30 lines "$tmp/other.out" '^tid' 2 || not_ok "the other one starts"
rest $other
all_of_it()
{
	rm -f "$tmp/c.data"
	$collect -a -F 499 -o "$tmp/c.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/c.data" || not_ok "-a starts" "$tmp/err"
	resume $other
	before 60 ran /proc/$other $(($(ticks /proc/$other) + 20))
	kill -TERM $collector
	rest $other
	finished $collector
	is "-a" $? 0
	perf_reads "-a" "$tmp/c.data" "$tmp/err"
	field "$tmp/c.data" comm >"$tmp/comms"
	some "... sees others' threads" "$(grep -c 'spinner [01]' "$tmp/comms")" 10
	field "$tmp/c.data" pid | grep -cx "$other" >"$tmp/n"
	some "... by their pid" "$(cat "$tmp/n")" 10
	perf script --symfs "$tmp" -i "$tmp/c.data" --show-task-events -F comm,pid,tid,event 2>/dev/null >"$tmp/tasks"
	some "... and names for those that only slept" \
		"$(grep -c PERF_RECORD_COMM "$tmp/tasks")" "$(($(ls -d /proc/[0-9]* | wc -l) / 2))"
	# only this program: perf would look up the names of every program that ran
	mkdir -p "$tmp/names$(dirname "$(realpath "$spin")")" && cp "$spin" "$tmp/names$(realpath "$spin")"
	perf report --symfs "$tmp/names" -i "$tmp/c.data" --stdio --sort sym -g none --no-children >"$tmp/report" 2>/dev/null
	some "... with the names of functions" "$(grep -cE 'spin_(alpha|beta|gamma)' "$tmp/report")" 2
}
live all_of_it
all_and_a_command()
{
	resume $other
	status "-a with a command" 0 $collect -q -a -F 499 -o "$tmp/c.data" -- "$spin" 0.3
	rest $other
	some "... sees both" "$(field "$tmp/c.data" pid | sort -u | wc -l)" 2
}
live all_and_a_command

one_cpu()
{
	cpu=$(sed 's/[-,].*//' /sys/devices/system/cpu/online)
	resume $other
	status "-C" 0 $collect -q -C "$cpu" -F 499 -d 0.3 -o "$tmp/d.data"
	rest $other
	is "... that CPU only" "$(field "$tmp/d.data" cpu | sort -u | tr -d '[]' | sed 's/^0*\(.\)/\1/')" "$cpu"
}
live one_cpu

# ---- a process that already runs: its present threads, and later ones ----

running_process()
{
	rm -f "$tmp/go" "$tmp/e.data" "$tmp/late.out" && mkfifo "$tmp/go"
	"$spin" 300 3 1 <"$tmp/go" >"$tmp/late.out" & late=$! started="$started $!"
	exec 3>"$tmp/go"
	before 30 lines "$tmp/late.out" '^tid' 2 || not_ok "the target starts"
	rest $late
	$collect -p "$late" -F 499 -o "$tmp/e.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/e.data" || not_ok "-p starts" "$tmp/err"
	resume $late
	echo >&3
	before 30 lines "$tmp/late.out" '^tid' 3
	for tid in $(sed -n 's/^tid \([0-9]*\) .*/\1/p' "$tmp/late.out"); do
		thread=/proc/$late/task/$tid
		before 30 ran "$thread" $(($(ticks "$thread") + 10)) # how much of each thread is to be recorded
	done
	kill -TERM $collector
	rest $late
	finished $collector
	is "-p of a running process, SIGTERM" $? 0
	perf_reads "-p" "$tmp/e.data" "$tmp/err"
	field "$tmp/e.data" comm >"$tmp/comms"
	for n in 0 1 2; do
		some "-p: thread $n" "$(grep -c "^spinner $n\$" "$tmp/comms")" 15
	done
	is "-p: nobody else" "$(field "$tmp/e.data" pid | sort -u)" "$late"

	tid=$(sed -n 's/^tid \([0-9]*\) spinner 1$/\1/p' "$tmp/late.out")
	status "-t" 0 until_ran "$late/task/$tid" 10 "$tmp/f.data" $collect -q -t "$tid" -F 499
	is "... that thread only" "$(field "$tmp/f.data" tid | sort -u)" "$tid"
	status "-p PID,PID" 0 until_ran "$late $other" 10 "$tmp/f.data" $collect -q -p "$late,$other" -F 499
	is "... both" "$(field "$tmp/f.data" pid | sort -u)" "$(printf '%s\n' "$late" "$other" | sort)"
	exec 3>&-
	end_spinners $late
}
live running_process

# ---- by name ----
end_spinners $other
name=w$$-has-a-long-name # nobody else's, whoever runs these tests beside us
comm=$(printf %.15s "$name")
cp "$spin" "$tmp/$name"
: >"$tmp/waldo.out"
"$tmp/$name" 300 2 >"$tmp/waldo.out" & waldo=$! started="$started $!"
before 30 lines "$tmp/waldo.out" '^tid' 2 || not_ok "waldo starts"
rest $waldo
by_name()
{
	status "--name: the kernel's" 0 until_ran $waldo 10 "$tmp/g.data" $collect -q --name "^$comm\$" -F 499
	is "... finds it" "$(field "$tmp/g.data" pid | sort -u)" "$waldo"
	status "--name: that of its file" 0 until_ran $waldo 10 "$tmp/g.data" $collect -q --name "^$name\$" -F 499
	is "... finds it" "$(field "$tmp/g.data" pid | sort -u)" "$waldo"
	status "--thread" 0 until_ran $waldo 20 "$tmp/g.data" $collect -q --name "^w$$-" --thread ' 1$' -F 499
	is "... that thread only" "$(field "$tmp/g.data" comm | sort -u)" "spinner 1"
}
live by_name
status "a name that nobody has" 1 $collect --name '^no-such-name$' -d 0.3 -o "$tmp/none.data"
has "... is said" "$tmp/err" "no process has a name that matches ^no-such-name\$"
is "... and leaves no file" "$(ls "$tmp/none.data" 2>/dev/null)" ""

# ---- until exit ----
end_spinners $waldo
until_exit()
{
	rm -f "$tmp/h.data" "$tmp/i.data" "$tmp/waldo.out"
	"$tmp/$name" 300 2 >"$tmp/waldo.out" & waldo=$! started="$started $!"
	"$spin" 300 2 >/dev/null & other=$! started="$started $!"
	before 30 lines "$tmp/waldo.out" '^tid' 2 || not_ok "waldo starts"
	rest $waldo $other
	$collect -p $waldo --until-exit -o "$tmp/h.data" 2>"$tmp/err" & collector=$!
	$collect -a -p $waldo --until-exit -F 999 -o "$tmp/i.data" 2>"$tmp/err" & collector_all=$!
	before 30 begun "$tmp/h.data" && before 30 begun "$tmp/i.data" || not_ok "--until-exit starts" "$tmp/err"
	resume $waldo $other
	for pid in $waldo $other; do
		before 30 ran /proc/$pid $(($(ticks /proc/$pid) + 10))
	done
	is "--until-exit goes on while it lives" "$(gone $collector || gone $collector_all || echo yes)" yes
	kill $waldo $other
	wait $waldo $other 2>/dev/null
	if before 30 gone $collector; then ok "--until-exit ends with it"; else not_ok "--until-exit ends"; fi
	if before 30 gone $collector_all; then ok "... with -a too"; else not_ok "... with -a too"; fi
	finished $collector; is "... with status 0" $? 0
	finished $collector_all; is "... with -a too" $? 0
	is "... which saw both" "$(field "$tmp/i.data" pid | grep -xe $waldo -e $other | sort -u)" "$(printf '%s\n' $waldo $other | sort)"
}
live until_exit

# ---- waiting for process and thread ----

waited_for()
{
	rm -f "$tmp/j.data" "$tmp/wait.err"
	$collect --name "^w$$-" --thread '^spinner 1$' --wait --until-exit -F 499 -o "$tmp/j.data" \
		2>"$tmp/wait.err" & collector=$!
	before 30 grep -q waiting "$tmp/wait.err"
	is "--wait: nothing yet" "$(ls "$tmp/j.data" 2>/dev/null)" ""
	"$tmp/$name" 1 2 >"$tmp/wait.out" & waldo=$!
	before 30 gone $collector || not_ok "--wait --until-exit ends" "$tmp/wait.err"
	finished $collector; is "--wait --until-exit" $? 0
	has "... says what it waits for" "$tmp/wait.err" \
		"waiting for a process whose name matches ^w$$-, and there a thread whose name matches ^spinner 1\$"
	is "... once" "$(grep -c waiting "$tmp/wait.err")" 1
	is "... the thread that it waited for" "$(field "$tmp/j.data" comm | sort -u)" "spinner 1"
	wait $waldo
	cpu_ns=$(sed -n 's/^cpu //p' "$tmp/wait.out") # of two threads, which may differ
	some "... a good part of its life" "$(samples "$tmp/j.data")" $((cpu_ns / 2 * 499 / 1000000000 * 30 / 100))
}
live waited_for
$collect --name '^no-such-name$' --wait -o "$tmp/none.data" 2>"$tmp/err" & collector=$!
before 30 ready $collector
kill -TERM $collector
finished $collector
is "--wait, ended while it waits" $? 1
has "... says why" "$tmp/err" "nothing was recorded"
$collect -q --name '^no-such-name$' --wait -o "$tmp/none.data" 2>"$tmp/err" & collector=$!
before 30 ready $collector
kill -TERM $collector
finished $collector
has_not "--wait -q says nothing of it" "$tmp/err" waiting

# ---- a thread that is gone before its event could be opened ---- For the first threads, opening an event fails as if
# the thread had ended; each time it is another thread.
gone_first() { strace -f -qq -o "$tmp/strace" -e trace=perf_event_open -e inject=perf_event_open:error=ESRCH:when=1..6 "$@"; }
if gone_first true 2>"$tmp/err"; then
	next_one()
	{
		rm -f "$tmp/k.data" "$tmp/wait.out"
		"$tmp/$name" 600 2 >"$tmp/wait.out" & waldo=$! started="$started $!"
		before 30 lines "$tmp/wait.out" ^tid 2
		rest $waldo
		gone_first $collect --sample-by thread -e cpu-clock --name "^w$$-" -d 0.3 -o "$tmp/l.data" 2>"$tmp/err"
		is "a process that ends before it is opened: without --wait it is a failure" $? 1
		has "... that is said" "$tmp/err" "the target ended before it could be recorded"
		gone_first $collect --sample-by thread -e cpu-clock --name "^w$$-" --wait --until-exit -o "$tmp/k.data" 2>"$tmp/err" & collector=$!
		before 60 begun "$tmp/k.data" && resume $waldo && before 60 ran /proc/$waldo $(($(ticks /proc/$waldo) + 20))
		end_spinners $waldo
		finished $collector
		is "... it does not end the waiting" $? 0
		has "... it is said" "$tmp/err" "the target ended before it could be recorded: still waiting"
		some "... and the next one is recorded" "$(samples "$tmp/k.data")" 2
	}
	live next_one
else
	skip "--wait: a process that ends before it is opened" "$(tail -1 "$tmp/err")"
fi

# ---- all targets are gone: nothing is left to record ----

children_later()
{
	rm -f "$tmp/start" "$tmp/k.data" && mkfifo "$tmp/start"
	sh -c "read word; $spin 0.3; $spin 0.3" <"$tmp/start" >/dev/null & shell=$! started="$started $!"
	exec 3>"$tmp/start"
	$collect -p $shell -F 499 -o "$tmp/k.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/k.data" || not_ok "-p of a shell starts" "$tmp/err"
	echo go >&3
	exec 3>&-
	if before 30 gone $collector; then ok "-p ends when the process and its children have"; else not_ok "-p ends"; fi
	finished $collector
	is "-p: children that it starts later" "$(field "$tmp/k.data" pid | sort -u | grep -vcx "$shell")" 2
}
live children_later

# With collectors that follow targets in BPF programs, events are those of CPUs, and do not end with the targets: the
# parent ends first, and its child goes on.  No other process is sampled.
orphan()
{
	rm -f "$tmp/start" "$tmp/l.data" && mkfifo "$tmp/start"
	sh -c "read word; $spin 0.6 >/dev/null & $spin 0.3 >/dev/null" <"$tmp/start" & shell=$! started="$started $!"
	"$spin" 600 2 >/dev/null & bystander=$! started="$started $!"
	exec 3>"$tmp/start"
	$pyrograph collect cpu,sched -p $shell -F 499 -o "$tmp/l.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/l.data" || not_ok "cpu,sched -p of a shell starts" "$tmp/err"
	echo go >&3
	exec 3>&-
	before 30 gone $shell
	if before 30 gone $collector; then ok "cpu,sched -p ends when the process and its orphan have"; else not_ok "-p ends"; fi
	finished $collector
	kill -KILL $bystander
	$pyrograph collapse --root pid --no-stack "$tmp/l.data" 2>/dev/null | grep -v '^#' >"$tmp/pids"
	is "... both of its children are sampled" "$(grep -c "^spin_shares-" "$tmp/pids")" 2
	is "... and nobody else" "$(grep -c -- "-$bystander " "$tmp/pids")" 0
}
if $pyrograph collect cpu,sched -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	live orphan
else
	skip "cpu,sched -p of a process and its orphan" "$(tail -1 "$tmp/err")"
fi
