#!/bin/sh
# collect locks: waits for locks, compared with what the programs themselves measured
# (tests/workloads/contended_locks.c).
# slow: records some programs
# live: waits for locks
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
locks="$pyrograph collect locks"
program=${BUILD:-build}/tests/workloads/contended_locks

if ! $locks -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect locks works here" "$tmp/err"
	else
		skip "collect locks" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# recorded WHAT COLLECT_OPTIONS PROGRAM_ARGUMENTS: starts $program, below $start if that is set; the program's lines go to $tmp/out, its waits to $tmp/folded, as
# "LOCK;THREAD;OWNER;STACK;--;STACK NS COUNT"
recorded()
{
	status "$1" 0 $locks -o "$tmp/locks.data" $2 -- $start "$program" $3
	"$pyrograph" collapse -q --locks --root lock,thread,owner --columns time,count "$tmp/locks.data" >"$tmp/folded"
}
of_lock() { awk -v lock="$1;" 'index($0, lock) == 1 && /^[^;]*;[^;]*waiter-/' "$tmp/folded"; }
waited()  { of_lock "$1" | awk '{ n += $(NF - 1) } END { printf "%d", n }'; }
# told CONDITION: the ns of the program's waits; $4 is how often another thread took the CPU
told()    { awk "/^wait / && $1"' { n += $3 } END { printf "%d", n }' "$tmp/out"; }
# owned LOCK: percent of the time that waiter-N waited for holder-N
owned()   { of_lock "$1" | awk '{ all += $(NF - 1); at = $0; sub(/[^;]*;[^;]*waiter-/, "", at); sub(/;.*/, "", at) }
		$0 ~ ("^[^;]*;[^;]*;[^;]*/holder-" at "[; ]") { n += $(NF - 1) } END { printf "%d", all ? 100 * n / all : 0 }'; }

# held_in LOCK FUNCTIONS: the percentage of waits after whose "--" the owner's stack comes first, in one of FUNCTIONS,
# which are separated by "|"
held_in()
{
	of_lock "$1" | awk -v where="$2" '{
		all += $NF
		at = $0; sub(/[^;]*;[^;]*waiter-/, "", at); sub(/;.*/, "", at)
		first = substr($0, index($0, ";--;") + 4) ";--;"
		first = substr(first, 1, index(first, ";--;"))
	}
	";" first ~ ";(" where ")_.w.;" && index(first, ";holder-" at "_[w];") { n += $NF }
	END { printf "%d", all ? 100 * n / all : 0 }'
}

# kind KIND LOCK: the program also measures the way in and out, in which other threads may take the CPU
kind()
{
	recorded "$1" "--min 1us" "$1 3 12"
	if [ -z "$(of_lock "$2")" ] && of_lock futex | grep -q ';wait_for_it;libc[^;]*+0x'; then
		skip "... is told as $2" "libc has no debug symbols, and waits in a function without a name: told as futex"
		return
	fi
	some "... waited as long as the program saw, less 2 %" "$(waited "$2")" $(($(told '$4 == 0') * 98 / 100))
	within "... not longer" "$(waited "$2")" 0 $(($(told 1) + 1000))
	some "... for the thread that had it, in percent" "$(owned "$2")" 95
	some "... which let it go in its function, in percent" "$(of_lock "$2" | awk '{ all += $(NF - 1) }
		/;wait_for_it;.*;--;.*;let_go_/ { n += $(NF - 1) } END { printf "%d", all ? 100 * n / all : 0 }')" 95
	# The holder is asleep, or without a CPU, when the waiter begins to wait.  (On a busy machine, one holder in
	# fifty is not seen before it releases the lock, because it just had the CPU when we looked.)
	[ -z "$3" ] || some "... and before was in $3, in percent" "$(held_in "$2" "$3|await")" 90
}
for row in busy:mutex:compute mutex:mutex:hold_on condition:condition: rwlock-read:rwlock:hold_on rwlock-write:rwlock:hold_on \
	semaphore:semaphore: pi:pi-mutex:hold_on; do
	rest=${row#*:}
	live kind "${row%%:*}" "${rest%:*}" "${rest#*:}"
done
shared()
{
	kind shared mutex hold_on
	perf_reads "waits for locks" "$tmp/locks.data" "$tmp/err"
}
live shared

# stacks_of WHEN: how many lines of the mutex have the owner's stack from WHEN: during the wait, or at its release
stacks_of()
{
	"$pyrograph" collapse -q --locks --root lock,thread --owner-stack "$1" "$tmp/locks.data" >"$tmp/folded"
	echo "$(of_lock mutex | grep -c ';--;.*;hold_on_\[w\];') $(of_lock mutex | grep -c ';let_go_\[w\];')"
}
owner_stacks()
{
	recorded "the owner's two stacks" "--min 1us" "mutex 1 3"
	is "... both" "$(stacks_of both | tr 2-9 1)" "1 1"
	is "... what it did meanwhile" "$(stacks_of while | tr 2-9 1)" "1 0"
	is "... how it let go" "$(stacks_of release | tr 2-9 1)" "0 1"
	status "... no such stack" 2 "$pyrograph" collapse --locks --owner-stack sometime "$tmp/locks.data"
	has "... which are there is said" "$tmp/err" "while, release or both"
}
live owner_stacks

# Waits that the budget allows no stack are counted and timed all the same.
budget()
{
	recorded "many waits within a budget" "--budget 0.01%" "mutex 8 25"
	cp "$tmp/err" "$tmp/said"
	is "... each of them" "$(grep -h ';[^;]*waiter-.*' "$tmp/folded" | grep '^futex;\|^mutex;' | awk '$(NF - 1) > 1000000 { n += $NF } END { print n + 0 }')" 200
	seen=$(grep '^\(futex\|mutex\);[^;]*waiter-' "$tmp/folded" | awk '{ n += $(NF - 1) } END { printf "%.0f", n }')
	saw=$(awk '/^wait / { n += $3 } END { printf "%.0f", n }' "$tmp/out")
	within "... as long as the program saw, less 2 %" "$seen" $((saw / 100 * 98)) $((saw + 1000))
	has "... a frame says so" "$tmp/folded" '[waits without a stack]'
	has "... so does the summary" "$tmp/said" 'of these without a stack, to keep to --budget'
}
live budget

compat()
{
	recorded "a mutex of a 32-bit program" "--min 1us" "mutex 1 8"
	some "... waited as long as the program saw, less 2 %" "$(waited futex)" $(($(told '$4 == 0') * 98 / 100))
	some "... for the thread that had it, in percent" "$(owned futex)" 95
	some "... seen asleep before, in percent of 8" "$(held_in futex 'hrtimer_nanosleep')" 75
	recorded "an rwlock of a 32-bit program" "--min 1us" "rwlock-read 1 8"
	some "... its writer was seen asleep before, in percent of 8" "$(held_in futex 'hrtimer_nanosleep')" 75
	start="env A=B"
	recorded "a 32-bit program that another program starts" "--min 1us" "mutex 1 40"
	start=
	some "... half of its waits at least: the first may begin too early" "$(waited futex)" $(($(told '$4 == 0') / 2))
}
if ! ${CC:-gcc} -m32 -std=gnu11 -D_GNU_SOURCE -O1 -pthread -o "$tmp/contended_locks" tests/workloads/contended_locks.c 2>"$tmp/err"; then
	skip "locks of 32-bit programs" "no compiler for them here (gcc-multilib)"
elif ! "$tmp/contended_locks" free 1 >"$tmp/out" 2>&1; then
	skip "locks of 32-bit programs" "this machine cannot run them: $(sed 's/.*: //' "$tmp/out")"
else
	program=$tmp/contended_locks
	live compat
	program=${BUILD:-build}/tests/workloads/contended_locks
fi

inode()
{
	recorded "a lock of the kernel" "--min 1us" "inode 2 12"
	some "... waited as long as the program saw, less 2 %" "$(waited kernel-rwsem-write)" $(($(told '$4 == 0') * 98 / 100))
	some "... for the thread that had it, in percent" "$(owned kernel-rwsem-write)" 95
	some "... which waited for memory, in percent" "$(held_in kernel-rwsem-write 'handle_userfault')" 95
	some "... in hold_file(), in percent" "$(held_in kernel-rwsem-write 'hold_file')" 95
}
"$program" inode 1 1 >"$tmp/out" 2>&1
if [ $? = 77 ]; then
	skip "a lock of the kernel" "memory cannot be held back here (userfaultfd)"
elif "$pyrograph" collect usable locks 2>&1 | grep -q contention; then
	skip "a lock of the kernel" "the kernel does not report waits for its locks"
else
	live inode
fi

killed()
{
	recorded "threads that are killed while they wait" "" "killed 2 1"
	is "... their waits are there" "$(of_lock mutex | awk '{ n += $NF } END { print n }')" 2
	is "... with the owner that the mutex names" "$(owned mutex)" 100
}
live killed

# Tracepoints of single system calls cost other calls, and switches, nothing.
calls_of_futexes()
{
	strace -f -e trace=perf_event_open,bpf -o "$tmp/trace" $locks -q -o "$tmp/locks.data" -- true
	is "the calls for futexes are seen alone" \
		"$(grep -c "PERF_TYPE_TRACEPOINT.*config=$(cat /sys/kernel/tracing/events/syscalls/sys_enter_futex/id)," "$tmp/trace")" 1
	is "... and no switch is" "$(grep -c 'prog_name="locks_.*switch' "$tmp/trace")" 0
}

live calls_of_futexes

# Without those tracepoints, the calls for futexes are picked from all.
all_calls()
{
	locks="$tmp/hidden collect locks"
	recorded "without tracefs" "--min 1us" "mutex 1 8"
	some "... waited as long as the program saw, less 2 %" "$(waited mutex)" $(($(told '$4 == 0') * 98 / 100))
	some "... for the thread that had it, in percent" "$(owned mutex)" 95
	locks="$pyrograph collect locks"
}
cat >"$tmp/hidden" <<EOF
#!/bin/sh
unshare -m sh -c 'for d in tracing debug; do mount -t tmpfs none /sys/kernel/\$d; done; exec "\$0" "\$@"' "$pyrograph" "\$@"
EOF
chmod +x "$tmp/hidden"
if unshare -m mount -t tmpfs none /sys/kernel/tracing 2>"$tmp/err"; then
	live all_calls
else
	skip "locks without tracefs" "$(tail -1 "$tmp/err")"
fi

# waits_in_futex PID TID
waits_in_futex() { grep -q '^\(202\|98\) ' "/proc/$1/task/$2/syscall"; }

held()
{
	: >"$tmp/held"
	"$program" held 2 1 >"$tmp/held" &
	holds=$!
	before 30 grep -q held "$tmp/held"
	for waiter in $(awk '/^waiter/ { print $3 }' "$tmp/held"); do
		before 30 waits_in_futex $holds "$waiter"
	done
	status "waits that began before and do not end" 0 $locks -p $holds -d 0.2 -o "$tmp/locks.data"
	kill $holds
	wait $holds 2>/dev/null
	"$pyrograph" collapse -q --locks --root lock,thread,owner --columns time,count "$tmp/locks.data" >"$tmp/folded"
	is "... are there" "$(of_lock mutex | wc -l)" 2
	is "... with the owner that the mutex names" "$(owned mutex)" 100
	within "... as long as the recording" "$(waited mutex)" 380000000 4000000000
	is "... with their stacks" "$(of_lock mutex | grep -c ';waiter;wait_for_it;')" 2
	has "... said to go on" "$tmp/err" "spans of time that had not ended"
}
live held

turns()
{
	recorded "many short waits" "--min 10ms" "turns 20000"
	is "... are summed: all of them are in the lines" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/folded")" \
		"$(sed -n 's/.* locks: \([0-9]*\) waits\{0,1\}, .*/\1/p' "$tmp/err")"
	some "... of the function that waits, in percent" "$(awk '!/^#/ { all += $(NF - 1) }
		/;(take_turns|other_side)/ { n += $(NF - 1) } END { printf "%d", all ? 100 * n / all : 0 }' "$tmp/folded")" 80
	recorded "a mutex that is free" "--min 1us" "free 1000000"
	is "... has no waits" "$(grep -c '^mutex' "$tmp/folded")" 0
}
live turns

kernel()
{
	status "threads that want the lock of their mappings" 0 $locks -o "$tmp/locks.data" --min 1us -- \
		"${BUILD:-build}/tests/workloads/page_faults" lock 40
	"$pyrograph" collapse -q --locks --root lock --no-wakers "$tmp/locks.data" >"$tmp/stacks"
	some "... wait for it" "$(grep -c '^kernel-rwsem-[a-z]* mmap_lock;' "$tmp/stacks")" 1
	is "... without frames of tracing" "$(grep -c '^kernel.*;\(bpf_trace\|bpf_prog_\|__traceiter\)[^;]*$' "$tmp/stacks")" 0
}
if "$pyrograph" collect usable locks 2>&1 | grep -q contention; then
	skip "locks of the kernel" "the kernel does not report waits for its locks"
else
	live kernel
fi

status "--min is a time" 2 $locks --min never -- true
# Events that the program's threads inherit make each of their switches slower.
is "nothing follows the threads of a command from switch to switch" \
	"$(strace -f -e trace=perf_event_open -o "$tmp/trace" $locks -q -o "$tmp/locks.data" -- true && grep -c 'inherit=1' "$tmp/trace")" 0
is "... nor those of a process" \
	"$(strace -f -e trace=perf_event_open -o "$tmp/trace" $locks -q -d 0.1 -p $$ -o "$tmp/locks.data" && grep -c 'inherit=1' "$tmp/trace")" 0

status "no such option" 2 $locks --mni 1ms -- true
has "... which is near another" "$tmp/err" "--min"
