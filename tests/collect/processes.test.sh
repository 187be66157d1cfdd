#!/bin/sh
# collect processes: processes, compared with what the programs that started them saw (tests/workloads/processes.c), and
# with perf's counts.
# slow: records some programs
# live: processes
. tests/tap.sh
. tests/collect/common.sh
processes="$pyrograph collect processes"
program=${BUILD:-build}/tests/workloads/processes

if ! $processes -q -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect processes works here" "$tmp/err"
	else
		skip "collect processes" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# recorded WHAT HOW ...: the program's lines go to $tmp/out, its processes to $tmp/folded
recorded()
{
	what=$1
	shift
	status "$what" 0 $processes -o "$tmp/p.data" -- "$program" "$@"
	"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/folded"
	nothing_lost "$what" "$tmp/err"
}
nothing_lost() { has "$1: nothing lost" "$2" "nothing lost"; }
found() { grep -cE -e "$1" "$tmp/folded"; }

# ---- how they end, and what they cost ----

ends()
{
	recorded "processes that end" ends
	has_not "... all with their final CPU time" "$tmp/err" "last timer tick"
	# From wait4(2): "PID KIND STATUS CPU PEAK"; from the recording: the line of that pid that ends in this way
	while read -r pid kind status cpu peak; do
		case $status in
		0) wanted=exit:0 ;;
		9) wanted=signal:KILL ;;
		11) wanted=signal:SEGV ;;
		*) wanted=exit:$((status / 256)) ;;
		esac
		is "$kind: its end" "$(awk -F'[ ;]' -v pid="-$pid" '$2 ~ pid "$" && $5 != "exec" && $5 != "-" { print $5 }' "$tmp/folded")" $wanted
		# The part before an exec has a line of its own.  CPU time is charged by ticks to one of the two parts;
		# their sum is exact.
		is "$kind: CPU time within 1 ms" "$(awk -v pid="-$pid;" -v wanted="$cpu" 'index($2, pid) { n += $(NF - 1) }
			END { d = n - wanted; d = d < 0 ? -d : d; print d < 1000000 ? "yes" : n " for " wanted }' "$tmp/folded")" yes
		is "$kind: peak memory, exactly" "$(awk -v pid="-$pid;" 'index($2, pid) && $NF > n { n = $NF } END { printf "%d", n }' "$tmp/folded")" "$peak"
	done <"$tmp/out"
	is "no end, or that of an exec, is told twice" "$(grep -v failed: "$tmp/folded" | cut -d';' -f1,4 | grep -v ';exec' | cut -d' ' -f2 | sort | uniq -d)" ""
	has "an exec that fails: its file and arguments" "$tmp/folded" ";failed:ENOENT;-;-;/nowhere/to be found an argument"
	has "... and why" "$tmp/folded" ";failed:EACCES;-;-;/"
	# The program's parent is the recorder, which may be busy before it waits for the program.
	parent=$(sed -n "s/^@[^;]*-$(sed -n '1s/ .*//p' "$tmp/out");ppid:\([0-9]*\);.*/\1/p" "$tmp/folded" | head -1)
	is "a parent that sleeps meanwhile" "$(found ";ppid:$parent;[^;]*;(exit|signal):[^;]*;awaited;")" \
		"$(found ";ppid:$parent;[^;]*;(exit|signal):")"
	is "... of each" "$(found ";ppid:$parent;[^;]*;(exit|signal):")" "$(awk 'END { print NR }' "$tmp/out")"
}
live ends

# ---- all of them ----

cat >"$tmp/Makefile" <<'MAKE'
OBJECTS := $(patsubst %,o%.o,1 2 3 4 5 6 7 8 9 10 11 12)
all: $(OBJECTS)
	@sh -c 'ls -l $(OBJECTS) | wc -l >/dev/null; nosuchprogram 2>/dev/null; exit 0'
o%.o:
	@echo 'int f$*(void) { return $*; }' | $(CC) -x c -c -o $@ -
MAKE

build()
{
	rm -f "$tmp"/o*.o
	if perf stat -x, -o "$tmp/stat" -e sched:sched_process_exec -- true 2>"$tmp/err"; then
		status "a parallel build" 0 $processes -o "$tmp/p.data" -- \
			perf stat -x, -o "$tmp/stat" -e sched:sched_process_exec -- make -s -j4 -C "$tmp"
		"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/folded"
		# ... and perf itself
		is "... has each exec that perf stat counts" "$(found '^@[0-9.]+ [^;]*;[^;]*;exec;')" \
			"$(awk -F, '/sched_process_exec/ { print $1 + 1 }' "$tmp/stat")"
	else
		skip "perf stat" "$(tail -1 "$tmp/err")"
		status "a parallel build" 0 $processes -o "$tmp/p.data" -- make -s -j4 -C "$tmp"
		"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/folded"
	fi
	is "... each compiler once" "$(found ' cc1-[0-9]*;ppid:[0-9]*;exec;')" 12
	is "... each fork ends, or goes on with an exec" "$(awk -F'[ ;]' '$4 == "fork" && $5 == "exec" { n++ } $4 == "exec" { m++ }
		END { print m - n }' "$tmp/folded")" "$(awk -F'[ ;]' '$4 == "exec" && $5 == "exec" { n++ } END { print n + 1 }' "$tmp/folded")"
	"$pyrograph" collapse -q --processes --root command "$tmp/p.data" >"$tmp/sums"
	is "sums by command" "$(sed -n 's/^cc1 [0-9]* \([0-9]*\) .*/\1/p' "$tmp/sums")" 12
	has "... with the columns" "$tmp/sums" "columns=time,count,cpu,peak"
	"$pyrograph" render processes -q -o "$tmp/p.svg" "$tmp/folded"
	has "a picture of it" "$tmp/p.svg" "cc1 × 12"
	"$pyrograph" render folded "$tmp/p.svg" >"$tmp/back"
	same "... from which the lines come back" "$tmp/back" "$tmp/folded"
}
live build

fast()
{
	recorded "15,000 execs" chain 7500 2 # they take over a quarter of the ring, when it is read
	is "... each of them, at $(sed 's/.*, //' "$tmp/out")" "$(found '^@[0-9.]+ [^;]*;[^;]*;exec;')" 15001
	# The programs have one thread and are shorter than a timer tick, and CPU time is counted in ticks.
	is "... none with more CPU time than there was time" "$(awk '/;exec;exec;/ && $(NF - 1) > $(NF - 3)' "$tmp/folded" | head -3)" ""
	recorded "5,000 processes" burst 5000 4
	is "... each fork, at $(sed 's/.*, //' "$tmp/out")" "$(found ';fork;exec;')" 5000
	is "... each exec and end" "$(found ';exec;exit:0;[^;]*;nothing nothing ')" 5000
}
live fast

# ---- what is rare ----

rare()
{
	recorded "an exec by another thread" thread
	read -r pid tid <"$tmp/out"
	is "... it is still that process" "$(sed -n 's/^@[^ ]* \([^;]*\);[^;]*;\([^;]*;[^;]*\);[^;]*;\([^ ]*\).*/\1 \2 \3/p' "$tmp/folded")" \
		"$(printf 'processes-%d exec;exec %s\nprocesses-%d exec;exit:0 in-thread\n' "$pid" "$program" "$pid")"
	is "... and its threads are none" "$(found "-$tid;")" 0

	recorded "arguments of 2 MB" bytes
	is "... are cut" "$(found ';nothing nothing .*\.\.\. [0-9]* 1 [0-9]* [0-9]*$')" 1
	is "... without what hurts" "$(LC_ALL=C grep -c "$(printf '[\001-\010\013-\037]')" "$tmp/folded")" 0
	is "... in one line" "$(found ';exec;exit:0;')" 1
	"$pyrograph" render processes -q -o "$tmp/p.svg" "$tmp/folded" && xmllint --noout "$tmp/p.svg" 2>"$tmp/err" &&
		ok "... and in a picture" || not_ok "... and in a picture" "$tmp/err"

	recorded "an exec that fails, with 300 short arguments" argues
	is "... says that there are more" "$(found ';failed:ENOENT;-;-;/nowhere .*\.\.\. [0-9]* 1 ')" 1

	if "$program" reuse >"$tmp/out" 2>"$tmp/err"; then
		recorded "processes with one pid" reuse
		pid=$(head -1 "$tmp/out")
		is "... are three" "$(grep -oE -- "-$pid;ppid:[0-9]*;fork;exit:[0-9]*" "$tmp/folded" | sed 's/.*://' | tr '\n' ' ')" "3 4 5 "
	else
		skip "processes with one pid" "$(cat "$tmp/err")"
	fi
}
live rare

# Before Linux 5.17, another helper goes over arguments and threads.
(
	export PYROGRAPH_BPF_OLD=1
	live ends
	live rare
)

# ---- those that were there before ----

there_before()
{
	rm -f "$tmp/in" "$tmp/before" "$tmp/p.data"
	mkfifo "$tmp/in"
	"$program" wait <"$tmp/in" >"$tmp/before" &
	exec 4>"$tmp/in"
	until [ -s "$tmp/before" ]; do sleep 0.05; done
	read -r pid child <"$tmp/before"
	$processes -p "$pid" -o "$tmp/p.data" 2>"$tmp/err" &
	recorder=$!
	until [ -s "$tmp/p.data" ]; do sleep 0.05; done
	sleep 1 # nothing shows when it has begun to look
	echo go >&4
	exec 4>&-
	wait $recorder
	"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/folded"
	is "a process that was there before, its arguments, its exec" "$(grep -cE -- " processes-$pid;ppid:[0-9]*;before;exec;-;$program wait " "$tmp/folded")" 1
	is "... and its end" "$(grep -cE -- " processes-$pid;ppid:[0-9]*;exec;exit:0;[^;]*;nothing nothing " "$tmp/folded")" 1
	is "no other process" "$(grep -v '^#' "$tmp/folded" | grep -vcE -- "-($pid|$child);")" 0

	mkfifo "$tmp/in2"
	"$program" headless <"$tmp/in2" >"$tmp/headless" &
	headless=$!
	exec 4>"$tmp/in2"
	before 20 test -s "$tmp/headless"
	status "the whole machine" 0 $processes -a -o "$tmp/p.data" -- sh -c "$program burst 3 1"
	exec 4>&-
	wait $headless
	rm "$tmp/in2"
	"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/folded"
	is "... and who started us" "$(found "-$$;ppid:[0-9]*;before;runs;")" 1
	is "... and one whose first thread has ended" "$(found "^@[0-9.]+ [^;]*-$headless;ppid:[0-9]*;before;runs;-;$program headless ")" 1
	is "... but no threads of the kernel" "$(found ' kthreadd-2;')" 0
	# (Tests that run in parallel start such processes, too.)
	burst=$(sed -n 's/^@[^;]* processes-\([0-9]*\);ppid:[0-9]*;exec;exit:0;[^;]*;[^;]*processes burst 3_1 .*/\1/p' "$tmp/folded")
	is "... and what began meanwhile" "$(found ";ppid:$burst;exec;exit:0;[^;]*;nothing nothing ")" 3
}
live there_before

# ---- a control group ----

group=/sys/fs/cgroup/unified/pyrograph-test-$$
[ -d /sys/fs/cgroup/unified ] || group=/sys/fs/cgroup/pyrograph-test-$$
in_group()
{
	rm -f "$tmp/p.data"
	$processes --cgroup "$group" -d 3 -o "$tmp/p.data" 2>"$tmp/err" &
	recorder=$!
	until [ -s "$tmp/p.data" ]; do sleep 0.05; done
	sleep 1 # nothing shows when it has begun to look
	sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" burst 5 1' sh "$group" "$program" >/dev/null
	sh -c 'echo $$ >"$1/cgroup.procs" && exec sh -c "echo \$\$ >\$1/cgroup.procs && exit 7" sh "${1%/*}"' sh "$group"
	"$program" burst 7 1 >/dev/null
	wait $recorder
	"$pyrograph" collapse -q --processes "$tmp/p.data" >"$tmp/folded"
	is "... the end of one that has left it" "$(found ';exec;exit:7;[^;]*;sh -c echo ')" 1
	is "a control group: who came into it, and what that began" "$(found ';exec;exit:0;[^;]*;nothing nothing ')" 5
	is "... from its exec on" "$(found ';exec;exit:0;[^;]*;[^ ]*processes burst 5_1 ')" 1
}
if mkdir "$group" 2>"$tmp/err"; then
	live in_group
	rmdir "$group"
else
	skip "a control group" "$(cat "$tmp/err")"
fi

# ---- recordings during which others are made ----

always_on()
{
	rm -rf "$tmp/in" "$tmp/before" "$tmp"/kept* "$tmp/watch"
	mkfifo "$tmp/in"
	"$program" wait <"$tmp/in" >"$tmp/before" &
	exec 4>"$tmp/in"
	before 20 test -s "$tmp/before"
	read -r pid child <"$tmp/before"
	$processes -a --keep 1s --after 1ms -o "$tmp/kept.data" 2>"$tmp/err" 4>&- &
	recorder=$!
	before 20 grep -q 'keeping the last' "$tmp/err"
	kill -USR1 $recorder
	before 20 grep -q 'wrote' "$tmp/err"
	kill -INT $recorder
	wait $recorder
	"$pyrograph" collapse -q --processes "$tmp"/kept-*.data >"$tmp/folded"
	is "what the flight recorder writes has what goes on" "$(found " processes-$pid;ppid:[0-9]*;before;runs;-;$program wait ")" 1
	status "watch" 0 "$pyrograph" watch processes --budget 0 --dir "$tmp/watch" --window 1s -d 2.5s 4>&-
	for file in "$tmp"/watch/*.data; do
		"$pyrograph" collapse -q --processes "$file" >"$tmp/folded"
		is "... and so has each recording of watch" "$(found " processes-$pid;ppid:[0-9]*;before;runs;-;$program wait ")" 1
	done
	is "... of which there are several" "$(ls "$tmp/watch" | awk 'END { print (NR > 1) }')" 1
	echo go >&4
	exec 4>&-
	wait
}
live always_on

status "-C" 0 "$pyrograph" collect processes,wall -a -C 0 -d 0.1 -o "$tmp/p.data"
has "... does not limit them, which is said" "$tmp/err" "-C does not limit processes, wall: recorded on all CPUs"

# ---- bad days ----

$processes -a -o "$tmp/killed.data" -d 60 2>"$tmp/err" &
recorder=$!
until [ -s "$tmp/killed.data" ]; do sleep 0.05; done
for _ in 1 2 3 4 5 6 7 8 9 10; do
	"$program" burst 50 2 >/dev/null
	sleep 0.2
done
kill -9 $recorder
wait $recorder 2>/dev/null
"$pyrograph" collapse -q --processes "$tmp/killed.data" >"$tmp/folded" 2>"$tmp/err"
is "a killed recorder leaves those that had ended, with their arguments" \
	"$([ "$(found ';exec;exit:0;[^;]*;nothing nothing ')" -ge 50 ] && echo yes)" yes
status "other recordings have no processes" 1 "$pyrograph" collapse --processes "$tmp/none.data"
