#!/bin/sh
# collect cpu opens events of threads, which new threads inherit, or events of CPUs, and then drops samples of other
# processes.  Both ways sample the same threads: those of the targets and of their children, and no others.
# live: samples of threads
. tests/tap.sh
. tests/collect/common.sh
need_sampling "events of CPUs in place of threads"

status "--sample-by: only two ways" 2 $collect --sample-by process -o "$tmp/no.data" -- true
has "... said" "$tmp/err" "--sample-by is cpu or thread, not 'process'"
if ! "$pyrograph" collect usable sched 2>/dev/null | grep -q sched; then
	skip "events of CPUs in place of threads" "no BPF here"
	exit 0
fi

# A thread that starts another one, two children with three; somebody else spins beside them.
family='"$0" 1 1 & "$0" 1 2 & "$0" 0.7 1; wait'
# seen FILE: how many threads of each name have samples
seen_threads()
{
	"$pyrograph" collapse -q --root comm,tid --no-stack "$1" | grep -v '^#' | cut -d';' -f1 | grep '^spinner' | sort | uniq -c | sed 's/^ *//'
}
# What belongs to none of these programs: a shell, and what it starts
foreign() { "$pyrograph" collapse -q --root comm --no-stack "$1" | grep -v '^#' | grep -cv '^\(sh\|spin\)'; }
cp "$(command -v sleep)" "$tmp/foreigner"
cp "$(command -v awk)" "$tmp/stranger"
"$tmp/stranger" -v program="$tmp/foreigner 0" 'BEGIN { while (1) system(program) }' & stranger=$!

of_command()
{
	status "a command, by $1" 0 $collect --sample-by "$1" -F 499 -o "$tmp/$1.data" -- sh -c "$family" "$spin"
	is "... its children and their threads" "$(seen_threads "$tmp/$1.data" | tr '\n' ' ')" "3 spinner_0 1 spinner_1 "
	is "... nobody else" "$(foreign "$tmp/$1.data")" 0
	is "... not even the name of another process" "$(grep -c foreigner "$tmp/$1.data")" 0
}
# A process that begins its work when it is recorded.
of_process()
{
	rm -f "$tmp/fifo" "$tmp/p.data"
	mkfifo "$tmp/fifo"
	sh -c "read word <\"\$1\"; $family" "$spin" "$tmp/fifo" >/dev/null & family_pid=$!
	$collect --sample-by "$1" -F 499 -p $family_pid -o "$tmp/p.data" 2>"$tmp/err" & recorder=$!
	before 30 begun "$tmp/p.data" || not_ok "it begins" "$tmp/err"
	timeout 30 sh -c 'echo go >"$0"' "$tmp/fifo"
	finished $recorder
	is "a process, by $1: until it ends" $? 0
	wait $family_pid
	is "... its children and their threads" "$(seen_threads "$tmp/p.data" | tr '\n' ' ')" "3 spinner_0 1 spinner_1 "
	is "... nobody else" "$(foreign "$tmp/p.data")" 0
	is "... not even the name of another process" "$(grep -c foreigner "$tmp/p.data")" 0
}
for way in cpu thread; do
	live of_command $way
	live of_process $way
done
end_spinners $stranger

# An event of a thread would make each of its switches dearer.  By default there is none, however many threads there are.
events_of()
{
	"${BUILD:-build}/tests/workloads/talks" naps "$2" 100000 >/dev/null & napper=$!
	rm -f "$tmp/e.data"
	"$pyrograph" collect $1 -q -p $napper -o "$tmp/e.data" 2>"$tmp/err" & recorder=$!
	before 30 begun "$tmp/e.data" || not_ok "it begins" "$tmp/err"
	ls -l "/proc/$recorder/fd" | grep -c perf_event
	kill -TERM $recorder $napper
	wait $recorder $napper 2>/dev/null
}
for what in cpu sched faults cpu,offcpu; do
	of_many=$(events_of $what 40) of_one=$(events_of $what 1)
	# one is open for a moment, to measure what a sample costs
	if [ "$of_many" -gt 0 ] && [ "$of_many" -le $((of_one + 5)) ]; then
		ok "collect $what -p: no event for each of 40 threads"
	else
		not_ok "collect $what -p: $of_many events for 40 threads, $of_one for one" "$tmp/err"
	fi
done
