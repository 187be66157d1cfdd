#!/bin/sh
# faults, syscalls, io and locks when something is missing or ends: tracepoints that the kernel lacks, threads that end
# within what is recorded, programs that fork and execute others.
# slow: records some programs
# live: page faults, calls, locks
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
workloads=${BUILD:-build}/tests/workloads

if ! "$pyrograph" collect faults,syscalls,io,locks -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "bad days" "$(tail -1 "$tmp/err")"
	exit 0
fi
dd if=/dev/urandom of="$tmp/file" bs=1M count=4 status=none
sync "$tmp/file"
folded() { "$pyrograph" collapse -q "$@" "$tmp/bad.data" | grep -v '^#'; }
counted() { folded --weight count "$@" | awk '{ n += $NF } END { print n + 0 }'; }

# ---- a kernel without one of these tracepoints: tracefs is replaced by a copy ----

# without TRACEPOINT[,TRACEPOINT] COMMAND...: runs the command where the kernel seems to have other names for them
without()
{
	sed "$(echo "$1" | tr ',' '\n' | sed 's/.\(.*\)/s,btf_trace_&\\x00,btf_trace_X\1\\x00,g/')" /sys/kernel/btf/vmlinux >"$tmp/btf"
	shift
	unshare -m sh -c 'mount --bind "$0" /sys/kernel/btf/vmlinux && exec "$@"' "$tmp/btf" "$@"
}

# lacking COLLECTOR TRACEPOINTS WORDS WORKLOAD...: WORDS are reported, and what the workload does is still recorded
lacking()
{
	collector=$1 tracepoints=$2 words=$3
	shift 3
	status "$collector without $tracepoints" 0 without "$tracepoints" "$pyrograph" collect "$collector" --min 1ns \
		-o "$tmp/bad.data" -- "$@"
	has "... what is missing is told" "$tmp/err" "$words"
	some "... the rest is there" "$(counted "--$collector" --no-stack)" 60
}
if unshare -m true 2>/dev/null; then
	while IFS=: read -r collector tracepoints words workload; do
		# shellcheck disable=SC2086 # the words of a workload
		# shellcheck disable=SC2086 # the words of a workload
		live lacking $collector $tracepoints "$words" $workloads/$workload
	done <<-END
		faults:contention_begin:this kernel does not report waits for mmap_lock:page_faults anonymous 100
		faults:mm_vmscan_direct_reclaim_begin:this kernel does not report reclaim:page_faults anonymous 100
		faults:contention_begin,mm_vmscan_direct_reclaim_begin,mm_vmscan_memcg_reclaim_begin,mm_compaction_begin:does not report compaction:page_faults anonymous 100
		locks:contention_begin:this kernel does not report waits for its own locks:contended_locks turns 100
		io:block_io_start:this kernel does not report when requests begin:block_io read $tmp/file 100 4096
		io:block_rq_merge:this kernel does not report which requests are merged:block_io read $tmp/file 100 4096
	END
	status "io without block_rq_issue" 1 without block_rq_issue "$pyrograph" collect io -o "$tmp/no.data" -- true
	has "... cannot be, which is told" "$tmp/err" "this kernel has no tracepoint block_rq_issue"
else
	skip "a kernel without tracepoints" "no mount namespace can be made"
fi

# ---- limits of the machine: the message names the right limit ----

# limited CALL ERRNO COLLECTOR MESSAGE
limited()
{
	status "$3: $1 fails with $2" 1 strace -f -qq -e signal=none -e trace="$1" -e inject="$1:error=$2" -o /dev/null \
		"$pyrograph" collect "$3" -q -o "$tmp/limited.data" -- true
	has "... said" "$tmp/err" "$4"
}
if strace -qq -e trace=none -o /dev/null true 2>"$tmp/err"; then
	while read -r call number collector message; do
		limited "$call" "$number" "$collector" "$message"
	done <<-'END'
		perf_event_open ENOMEM cpu the kernel has no memory for it
		perf_event_open EMFILE cpu files may be open (ulimit -Hn)
		perf_event_open ENFILE cpu too many open files on this machine (sysctl fs.file-max)
		perf_event_open ENOSPC cpu breakpoints or counters of this kind are taken
		perf_event_open E2BIG cpu this kernel is too old
		perf_event_open EIO cpu an input/output error in the kernel
		perf_event_open EAGAIN cpu the kernel cannot do it just now: try again
		bpf EIO offcpu an input/output error in the kernel
		bpf E2BIG offcpu this kernel is too old for it, or allows no program or map of that size
		bpf EMFILE offcpu too many open files: this process may have
		bpf ENOMEM offcpu its maps need
	END
	status "cpu: perf_event_open fails with ENOMEM, where memory is limited" 1 prlimit --as=8000000000 -- \
		strace -f -qq -e signal=none -e trace=perf_event_open -e inject=perf_event_open:error=ENOMEM -o /dev/null \
		"$pyrograph" collect cpu -q -o "$tmp/limited.data" -- true
	has "... said" "$tmp/err" "no memory for it: this process may have 7812500 kB (ulimit -v)"
else
	skip "limits of the machine" "strace: $(tail -1 "$tmp/err")"
fi
# few FILES COLLECTOR
few()
{
	status "$2 where $1 files may be open" 1 timeout 60 sh -c 'ulimit -n "$0"; exec "$@"' "$1" \
		"$pyrograph" collect "$2" -q -o "$tmp/limited.data" -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
	has "... which is said" "$tmp/err" "ulimit -"
	rm -f "$tmp/limited.data"
}
for files in 6 9 12 13 15; do few $files cpu; done
for files in 14 18; do few $files sched; done
if unshare -m mount -t tmpfs none /proc 2>"$tmp/err"; then
	status "no /proc" 1 unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0-collect" cpu -q -o "$1" -- true' \
		"$pyrograph" "$tmp/limited.data"
	has "... said" "$tmp/err" "/proc is not mounted"
	: >"$tmp/empty"
	# Linux 7.1, built with pahole 1.31: the header has 32 bytes, and a layout follows.
	python3 - >"$tmp/btf" <<-'END'
		import struct, sys
		types = open("/sys/kernel/btf/vmlinux", "rb").read()
		magic, version, flags, size, type_at, type_size, text_at, text_size = struct.unpack_from("<HBBIIIII", types)
		body = types[size:]
		body += bytes(-len(body) % 4)
		layout = bytes(4 * 21)
		sys.stdout.buffer.write(struct.pack("<HBBIIIIIII", magic, version, flags, 32, type_at, type_size, text_at, text_size,
			len(body), len(layout)) + body + layout)
	END
	status "a longer header of the kernel's types" 0 unshare -m sh -c \
		'mount --bind "$2" /sys/kernel/btf/vmlinux && exec "$0" collect sched -q -o "$1" -- true' \
		"$pyrograph" "$tmp/limited.data" "$tmp/btf"
	status "an empty description of the kernel's types" 1 unshare -m sh -c \
		'mount --bind "$2" /sys/kernel/btf/vmlinux && exec "$0" collect sched -q -o "$1" -- true' \
		"$pyrograph" "$tmp/limited.data" "$tmp/empty"
	has "... said" "$tmp/err" "/sys/kernel/btf/vmlinux"
else
	skip "no /proc" "$(tail -1 "$tmp/err")"
fi

# ---- threads that end during the recording; forks, execs ----

killed()
{
	status "threads that are killed in page faults, calls and waits" 0 "$pyrograph" collect faults,syscalls,locks --min 1ns \
		-o "$tmp/bad.data" -- sh -c 'for i in 1 2 3; do timeout -s KILL 0.3 "$0/page_faults" lock 1000000; done
			timeout -s KILL 0.3 "$0/slow_calls" wait 1000; "$0/contended_locks" killed 2 1; :' "$workloads"
	some "... faults until then" "$(counted --faults --root type --include ';touch_locked')" 10
	some "... calls until then" "$(counted --syscalls --root syscall --include '^read;.*read_late')" 1
	is "... waits that did not end" "$(counted --locks --root lock,comm --include '^mutex;waiter')" 2
}
live killed

forked()
{
	status "programs that fork, and execute others" 0 "$pyrograph" collect faults,syscalls,locks --min 1ns -o "$tmp/bad.data" -- \
		sh -c 'for i in 1 2 3 4 5 6 7 8; do (exec sh -c "exec \"\$0/slow_calls\" slow 5" "$0") & done; wait' "$workloads"
	is "... all calls of all" "$(counted --syscalls --no-stack --root syscall --include '^clock_nanosleep')" 40
	is "... of as many processes" "$(folded --syscalls --no-stack --root syscall,tid | grep -c '^clock_nanosleep;slow_calls-')" 8
	status "... not those, if the children are not wanted" 0 "$pyrograph" collect faults,syscalls,locks --no-inherit --min 1ns \
		-o "$tmp/bad.data" -- sh -c '"$0/slow_calls" slow 5 & wait' "$workloads"
	is "... none of the child" "$(counted --syscalls --no-stack --root syscall --include '^clock_nanosleep')" 0
}
live forked
