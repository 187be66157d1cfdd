#!/bin/sh
# collect syscalls: system calls, compared with what the programs themselves measured (tests/workloads/slow_calls.c).
# slow: records some programs
# live: times of system calls
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
syscalls="$pyrograph collect syscalls"
program=${BUILD:-build}/tests/workloads/slow_calls

if ! $syscalls -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect syscalls works here" "$tmp/err"
	else
		skip "collect syscalls" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# recorded WHAT COLLECT_OPTIONS -- PROGRAM ARGUMENTS: the program's lines go to $tmp/out
recorded()
{
	status "$1" 0 $syscalls -o "$tmp/calls.data" $2 -- "$program" $3
	cp "$tmp/err" "$tmp/said"
	is "... nothing is lost" "$(grep ' lost: \|noticed: .* system calls' "$tmp/said")" ""
}
# folded OPTION...: lines without comments
folded() { "$pyrograph" collapse -q --syscalls "$@" "$tmp/calls.data" | grep -v '^#'; }
# counted CALL [OPTION...]: the number of calls of this name; CALL may be a pattern, with errors
counted() { name=$1; shift; folded --root syscall,error --no-stack --weight count "$@" | awk -v name="^$name$" '{ n = $NF; sub(/ [0-9]+$/, "") } $0 ~ name { all += n } END { print all + 0 }'; }
# told: what the program measured for calls of this name, and how often another thread got its CPU during them
told()    { awk -v name="$1" '$1 == "call" && $2 == name { print $3, $4 }' "$tmp/out"; }

# ---- slow calls: each is recorded, with its duration ----

# exact CALL MIN LEAST US: the program also measures the way in and out, and the cost of recording the call: about 5 us,
# with cold caches 10, in some virtual machines 60.  Interrupts, and threads that take its CPU, lengthen it.
exact()
{
	folded --timed --root syscall --no-stack --min "$2" | sed -n "s/^@.* $1 //p" >"$tmp/got"
	told "$1" | awk -v least="$3" '$1 >= least' >"$tmp/wanted"
	is "... each of them, one by one" "$(grep -c . "$tmp/got")" "$(grep -c . "$tmp/wanted")"
	is "... none takes longer than the program saw" \
		"$(paste "$tmp/got" "$tmp/wanted" | awk '$1 > $2' | head -3)" ""
	some "... in the median within $4 us or 5 % of that, where the thread was let alone" "$(near "$4")" 20
	some "... nine in ten within 100 us or 5 %" "$(near 100)" 90
}
# near US: the percentage of calls without such a switch that differ by at most US from what the program measured
near()
{
	paste "$tmp/got" "$tmp/wanted" | awk -v us="$1" '!$3 { all++ } !$3 && ($2 - $1 < 1000 * us || $2 - $1 < $2 / 20) { n++ }
		END { printf "%d\n", all ? 100 * n / all : 0 }'
}

# Our times are nearer to the program's than those of strace -T.  The cost of a call's way in and out changes with the
# load on the machine, so both are measured in turns, and the least of each counts.
beside_strace()
{
	ours=$(median_off) theirs=
	for turn in 1 2 3; do
		if ! strace -T -e trace=clock_nanosleep -o "$tmp/strace" "$program" slow 200 >"$tmp/out" 2>"$tmp/strace.err"; then
			skip "... nearer than strace -T" "$(tail -1 "$tmp/strace.err")"
			return
		fi
		told clock_nanosleep >"$tmp/wanted"
		sed -n 's/^clock_nanosleep.*<\([0-9.]*\)>$/\1/p' "$tmp/strace" | awk '{ printf "%d\n", $1 * 1e9 }' >"$tmp/got"
		off=$(median_off)
		[ -n "$theirs" ] && [ "$theirs" -le "$off" ] || theirs=$off
		[ $turn -lt 3 ] || break
		$syscalls -q -o "$tmp/turn.data" --min 1ns -- "$program" slow 200 >"$tmp/out" 2>"$tmp/err"
		"$pyrograph" collapse -q --syscalls --timed --root syscall --no-stack --min 1ns "$tmp/turn.data" |
			sed -n 's/^@.* clock_nanosleep //p' >"$tmp/got"
		told clock_nanosleep >"$tmp/wanted"
		off=$(median_off)
		[ "$ours" -le "$off" ] || ours=$off
	done
	some "... nearer than strace -T" "$theirs" "$ours"
}
median_off() { paste "$tmp/got" "$tmp/wanted" | awk '{ print $2 - $1 }' | sort -n | awk '{ off[NR] = $1 } END { print off[int((NR + 1) / 2)] }'; }

slow()
{
	recorded "sleeping calls" "--min 1ns" "slow 1000"
	exact clock_nanosleep 1ns 1 10
	beside_strace
	perf_reads "system calls" "$tmp/calls.data" "$tmp/said"
	folded --root syscall --weight count | grep '^clock_nanosleep;' >"$tmp/stacks"
	some "... in the stack of their function, and of the kernel's" \
		"$(awk '/;sleep_often.*;sleep_once.*;entry_SYSCALL_64_after_hwframe.*nanosleep/ { n += $NF } END { print n + 0 }' "$tmp/stacks")" 950
	is "... reasons add up to all of it" \
		"$(folded --root syscall,reason --no-stack | awk -F'[; ]' '$1 == "clock_nanosleep" { n += $3 } END { printf "%.0f", n }')" \
		"$(folded --root syscall --no-stack | sed -n 's/^clock_nanosleep //p')"
}
live slow

# ---- a million calls: no slow one is missed, and all are counted ----

many()
{
	recorded "a million calls" "" "many 1000000"
	is "... are counted exactly" "$(counted getppid)" 1000000
	exact clock_nanosleep 1ms 1000000 20
	folded --root syscall --weight count >"$tmp/stacks"
	some "... most have the stack of one of them, per mille" \
		"$(awk '/^getppid;/ && !/short calls/ { n += $NF } END { printf "%d", n / 1000 }' "$tmp/stacks")" 500
	is "... others have a frame that says so" "$(grep -c '^getppid [0-9]' "$tmp/stacks")" 0
}
live many

# ---- what is behind a descriptor ----

files()
{
	rm -rf "$tmp/files" && mkdir "$tmp/files"
	recorded "reads of pipes and sockets" "--min 1ns --call ^read" "files $tmp/files"
	sed -n 's/^file //p' "$tmp/out" | sort >"$tmp/wanted"
	folded --root syscall,file --no-stack | sed -n 's/^read;\(.*\) [0-9]*$/\1/p' | sort >"$tmp/files.got"
	is "... each has its name" "$(comm -13 "$tmp/files.got" "$tmp/wanted")" ""
	some "... seven kinds, or those that there are" "$(grep -c . "$tmp/wanted")" 4
	is "... and other calls are not there" "$(folded --root syscall --no-stack | grep -v '^read' | head -3)" ""
}
live files

# Paths are as the program gave them; a closed descriptor has the name that it had.
named()
{
	rm -rf "$tmp/files" && mkdir "$tmp/files"
	recorded "calls with paths, and for several descriptors" \
		"--min 1ns --call ^(close|openat|newfstatat|renameat2|unlinkat|chdir|execve|ppoll|pselect6|epoll_pwait)$" \
		"names $tmp/files"
	sed -n 's/^name //p' "$tmp/out" | sort >"$tmp/wanted"
	folded --root syscall,file --no-stack | sed 's/ [0-9]*$//; s/;/ /' | sort >"$tmp/files.got"
	is "... each has its name" "$(comm -13 "$tmp/files.got" "$tmp/wanted")" ""
	is "... all of them" "$(grep -c . "$tmp/wanted")" 23
	some "... of many descriptors that one waits for: some, and how many" \
		"$(grep -c '^epoll_pwait descriptors [0-9]*\(,[0-9]*\)\{7\},\.\.\. (12)$' "$tmp/files.got")" 1
}
live named

# Before Linux 5.17, paths and sets of descriptors are walked by another helper.
(
	export PYROGRAPH_BPF_OLD=1
	live named
)

contained()
{
	rm -rf "$tmp/root"
	mkdir -p "$tmp/root/in" && cp "$program" "$tmp/root/in/program" && : >"$tmp/root/in/data"
	for file in $(ldd "$program" | grep -o '/[^ ]*'); do
		mkdir -p "$tmp/root${file%/*}" && cp "$file" "$tmp/root$file"
	done
	status "a program with another root" 0 $syscalls -o "$tmp/calls.data" --min 1ns --call '^read$' -- \
		chroot "$tmp/root" /in/program files /in
	some "... paths are those that it sees" "$(folded --root file --no-stack | grep -c '^/in/a fifo ')" 1
	is "... not those of the host" "$(folded --root file --no-stack | grep -cF "$tmp/root/in/a")" 0
}
if [ "$(id -u)" = 0 ] && chroot / true 2>/dev/null; then
	live contained
else
	skip "paths in containers" "no right to chroot"
fi

# ---- where the time goes ----

# spent CALL REASON: percent of the time of slow calls
spent() { folded --root syscall,reason --no-stack --min 1ms | awk -F'[; ]' -v call="$1" -v reason="$2" '
	$1 == call { all += $3 } $1 == call && $2 == reason { n += $3 } END { printf "%d\n", all ? 100 * n / all : 0 }'; }

split_up()
{
	recorded "calls that wait for a pipe" "" "wait 20"
	some "... are blocked" "$(spent read blocked)" 20
	is "... in a function of pipes" "$(folded --root syscall --min 2ms --weight count | grep '^read;' | grep -vc pipe_read)" 0
	recorded "calls that need the CPU" "" "busy 20"
	is "... are not blocked" "$(spent read blocked)" 0
	last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
	status "calls beside a program that wants the same CPU" 0 beside_spinner $syscalls -o "$tmp/calls.data" -- \
		taskset -c "$last" "$program" busy 30
	some "... wait for the CPU" "$(spent read run-queue)" 5
	folded --root syscall,reason,by --no-stack --min 1ms | sed -n 's|^read;run-queue;\(.*\) [0-9]*$|\1|p' >"$tmp/by"
	# If many more threads want the CPU, the spinning program may never be the one that had it.
	some "... which that program had, or many others" "$(awk '/^yes-/ { yes = 1 } END { print yes ? 5 : NR + 0 }' "$tmp/by")" 5
}
live split_up

# ---- errors ----

errors()
{
	recorded "calls that fail" "--errors" errors
	is "... are counted, by error" "$(counted 'openat;ENOENT') $(counted 'fchdir;EBADF') $(counted 'read;EAGAIN')" "100 50 30"
	is "... those that do not fail are left out" "$(folded --root syscall,error --no-stack | grep -vc ';E')" 0
}
live errors

# ---- calls that hang, end in other ways, or are restarted ----

hanging()
{
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	: >"$tmp/err"
	"$pyrograph" collect $1 --timeout 200ms -o "$tmp/calls.data" -- "$program" hang "$tmp/fifo" 2>"$tmp/err" &
	before 60 lines "$tmp/err" "still in read of $tmp/fifo after 0\.[2-9]\|still in read of $tmp/fifo after [1-9]" 1
	is "a call that hangs is told while it does" "$(grep -c 'still in read' "$tmp/err")" 1
	has "... where it is" "$tmp/err" "pipe_read"
	is "... in which function of the program" "$(grep -c "[; ]main;$2entry_SYSCALL_64_after_hwframe_\[k\];" "$tmp/err")" 1
	echo >"$tmp/fifo"
	finished $!
	has "... and that it is over" "$tmp/err" "was in read of $tmp/fifo for"
	is "... which is recorded below that function" "$(folded --min 200ms | grep -c ";main;$2.*pipe_read")" 1
}
live hanging syscalls "hang;read;"
# Frame pointers miss the caller of read(2); and read(2) itself, if it calls a nameless function of libc (2.41).
live hanging "cpu,syscalls --call-graph fp" "\\(read;\\)*"

# written FIFO: opens it for writing, unless nobody reads it
written() { timeout 10 sh -c ': >"$0"' "$1"; }

opening()
{
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	: >"$tmp/err"
	$syscalls --timeout 200ms -o "$tmp/calls.data" -- "$program" opens "$tmp/fifo" 2>"$tmp/err" &
	before 60 lines "$tmp/err" "still in open" 1
	has "an open(2) that hangs is told with its path" "$tmp/err" "still in openat of $tmp/fifo after"
	is "... and with the innermost functions" \
		"$(sed -n 's/.* \(us\|ms\|s\): \(.*\)entry_SYSCALL.*/\2/p' "$tmp/err" | tr ';' '\n' | sed 's/.*open.*/open/; s/^$/---/' | uniq -c | awk '{ print $1, $2 }' | paste -sd, -)" \
		"1 ...,8 open,1 ---"
	written "$tmp/fifo"
	finished $!
	is "... and recorded with it" "$(folded --root syscall,file --no-stack --min 200ms | grep -c "^openat;$tmp/fifo ")" 1
}
live opening

# The path is read from the program's memory, and so is the stack.
opened_before()
{
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	"$program" opens "$tmp/fifo" &
	hanging=$!
	before 60 grep -q wait_for_partner "/proc/$hanging/stack"
	status "an open(2) that had begun before" 0 $syscalls --timeout 100ms -d 0.5 -o "$tmp/calls.data" -p $hanging
	has "... is told with its path" "$tmp/err" "still in openat of $tmp/fifo after at least "
	is "... and recorded so far, with that and its stack" \
		"$(folded --root syscall,file --min 50ms | grep -c "^openat;$tmp/fifo;.*;open_below;.*entry_SYSCALL.*;wait_for_partner ")" 1
	written "$tmp/fifo"
	finished $hanging
}
live opened_before

open_at_the_end()
{
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	"$program" hang "$tmp/fifo" &
	hanging=$!
	before 60 grep -q pipe_read "/proc/$hanging/stack"
	status "a call that had begun before" 0 $syscalls --timeout 100ms -d 0.5 -o "$tmp/calls.data" -p $hanging
	has "... is told" "$tmp/err" "still in read of $tmp/fifo after at least "
	has "... counts from the recording's begin" "$tmp/err" "1 of them began before the recording"
	within "... so long" "$(folded --root syscall,file --no-stack --min 50ms | sed -n "s|^read;$tmp/fifo ||p")" 50000000 30000000000
	$syscalls --min 1ns -o "$tmp/calls.data" -p $hanging 2>"$tmp/err" &
	recorder=$!
	before 60 ended_or begun "$tmp/calls.data"
	echo >"$tmp/fifo"
	finished $hanging
	finished $recorder
	is "... and until it ends" "$(folded --root syscall,file --no-stack | grep -c "^read;$tmp/fifo \|^$")" 1
	status "a call that does not end" 0 $syscalls -d 0.5 -o "$tmp/calls.data" -- "$program" hang "$tmp/fifo"
	some "... is recorded so far" "$(folded --root syscall,file --no-stack --min 50ms | sed -n "s|^read;$tmp/fifo ||p")" 50000000
}
live open_at_the_end

# Collectors stop one after the other, so when syscalls looks, most calls that were under way at the end are over.
over_at_the_end()
{
	sleepers=
	for process in 1 2 3 4 5 6 7 8; do
		"$program" slow 1000000 &
		sleepers="$sleepers $!"
	done
	status "calls that go on as a recording by several collectors ends" 0 "$pyrograph" collect offcpu,sched,wakeup,syscalls \
		--min 1ns -d 0.5 -o "$tmp/calls.data" -p "$(echo $sleepers | tr ' ' ,)"
	folded --timed --root tid --no-stack | sed 's/^@//; s/\./ /' | awk '
		{ end[NR] = $1 % 100000 * 1e9 + $2 + $NF; if (end[NR] > last) last = end[NR] }
		END { for (i in end) if (end[i] > last - 1000) n++; print n + 0 }' >"$tmp/open"
	some "... are there, of most threads" "$(cat "$tmp/open")" 4
	kill $sleepers
	wait $sleepers 2>/dev/null
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	"$program" hang "$tmp/fifo" &
	hanging=$!
	before 60 grep -q pipe_read "/proc/$hanging/stack"
	status "a call that is blocked all the time" 0 "$pyrograph" collect offcpu,sched,syscalls -d 0.5 -o "$tmp/calls.data" -p $hanging
	is "... is blocked in all of its time" "$(folded --root syscall,reason --no-stack | sed 's/ .*//')" "read;blocked"
	states=$("$pyrograph" collapse -q --states --root tid "$tmp/calls.data" | awk '!/^#/ { ns += $(NF - 2) } END { printf "%.0f\n", ns }')
	within "... and no longer than its thread is" "$(folded --root tid --no-stack | sed 's/.* //')" 1 "$states"
	echo >"$tmp/fifo"
	finished $hanging
}
live over_at_the_end

ends()
{
	recorded "threads that are killed in their calls" "" "killed 20"
	within "... which end with that" "$(counted 'read;ERESTARTSYS')" 20 20
	recorded "a call that signals interrupt" "" "restart 5"
	is "... has parts" "$(counted 'read;ERESTARTSYS' --min 1ms)" 5
	has "... which is told" "$tmp/said" "5 of them were interrupted by a signal"
	recorded "exec by another thread" "--min 1ns" exec
	is "... is one call" "$(counted execve)" 1
	is "... what follows is there" "$(counted clock_nanosleep)" 3
	recorded "calls of 32-bit programs" "" "compat 10"
	if grep -q no "$tmp/out"; then
		skip "... have their own names" "this kernel has none"
	else
		is "... have their own names" "$(counted 'getpid .32-bit.')" 10
	fi
}
live ends

# ---- too many, and beside others ----

# The collector stands still during that time, and its ring is too small for it.
overfull()
{
	status "more calls than the ring holds" 0 $syscalls --no-watchdog --min 1ns -o "$tmp/calls.data" -- \
		sh -c 'kill -STOP $PPID; "$0" many 100000 >/dev/null; kill -CONT $PPID' "$program"
	lost=$(sed -n 's/.* lost: \([0-9]*\) spans of time .*/\1/p' "$tmp/err")
	missing=$((100000 - $(counted getppid)))
	some "... some are lost" "$missing" 1000
	within "... as many as are told" "${lost:-0}" "$missing" $((missing + 1000)) # others are, too
}
live overfull

combined()
{
	echo text >"$tmp/read me"
	status "with page faults in one recording" 0 "$pyrograph" collect faults,syscalls --min 1ns -o "$tmp/calls.data" -- cat "$tmp/read me"
	some "... files are those of the calls" "$(folded --root syscall,file --no-stack | grep -c "^[a-z0-9_]*;$tmp/read me ")" 2
	some "... and those of the faults" "$("$pyrograph" collapse -q --faults --root file --no-stack "$tmp/calls.data" | grep -c '[/[]cat\|libc')" 1
}
live combined

# ---- who is recorded, usage ----

status "--call chooses by name" 0 $syscalls -o "$tmp/calls.data" --call '^getppid$' -- "$program" many 1000
is "... only those" "$(folded --root syscall --no-stack --weight count)" "getppid 1000"
last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
# A thread other than the first one gets the id of its process at its exec.
exec_by_thread()
{
	rm -f "$tmp/in" "$tmp/tid" "$tmp/calls.data"
	mkfifo "$tmp/in"
	python3 -c '
import os, sys, threading
def run():
    print(threading.get_native_id(), flush=True)
    sys.stdin.readline()
    os.execvp("sleep", ["sleep", "0.3"])
thread = threading.Thread(target=run)
thread.start()
thread.join()' <"$tmp/in" >"$tmp/tid" &
	pid=$!
	exec 4>"$tmp/in"
	before 60 test -s "$tmp/tid"
	"$pyrograph" collect syscalls,offcpu -t "$(cat "$tmp/tid")" -o "$tmp/calls.data" 2>"$tmp/err" 4>&- &
	recorder=$!
	before 60 begun "$tmp/calls.data"
	echo go >&4
	exec 4>&-
	finished $pid
	kill -INT $recorder 2>/dev/null
	finished $recorder
	"$pyrograph" collapse -q --syscalls --root tid "$tmp/calls.data" >"$tmp/folded" 2>&1
	some "-t: a thread that executes a program goes on as its first one" "$(grep -c '^sleep-.*nanosleep' "$tmp/folded")" 1
	"$pyrograph" collapse -q --offcpu --root tid "$tmp/calls.data" >"$tmp/folded" 2>&1
	some "... with its blocked time" "$(grep -c '^sleep-.*nanosleep' "$tmp/folded")" 1
}
live exec_by_thread

status "-C: only calls that end on this CPU" 0 $syscalls -o "$tmp/calls.data" -C "$last" -- taskset -c 0 "$program" many 1000
is "... and not those on another" "$([ "$last" = 0 ] && echo 0 || counted getppid)" 0
status "--call: no such name" 2 $syscalls --call 'no_such_call' -- true
has "... is told" "$tmp/err" "no system call has such a name"
status "--min is a time" 2 $syscalls --min never -- true
