#!/bin/sh
# Five collectors at once, of a process with 5,000 threads (tests/workloads/many_threads.c): each event is there, or counted
# as lost by the collector that lost it.
# slow: records 5,000 threads, twice
# alone: so many threads would disturb what is measured beside them
# live: page faults, calls, waits
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
program=${BUILD:-build}/tests/workloads/many_threads
all=faults,syscalls,io,locks,lanes threads=5000

if ! "$pyrograph" collect $all -q -d 0.05 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "5,000 threads" "$(tail -1 "$tmp/err")"
	exit 0
fi
dd if=/dev/urandom of="$tmp/file" bs=1M count=2 status=none
sync "$tmp/file"
if ! "$program" $threads "$tmp/file" >"$tmp/out" 2>"$tmp/err"; then
	skip "5,000 threads" "they cannot be had here: $(tail -1 "$tmp/err")"
	exit 0
fi

folded()  { "$pyrograph" collapse -q "$@" "$tmp/many.data" | grep -v '^#'; }
told()    { awk -v word="$1" '$1 == word { print $2 }' "$tmp/out"; }
# lost COLLECTOR: how many spans the collector itself reports as lost
lost()    { sed -n "s/.* lost: [0-9]* spans* of .*[:,] $1 \([0-9]*\).*/\1/p" "$tmp/said" | grep . || echo 0; }
# there WHAT COUNT WANTED COLLECTOR: COUNT is as large as the program says, less what the collector lost
there()   { within "$1" "${2:-0}" $(($3 - $(lost "$4"))) "$3"; }
# waits on the program's own words
waits()
{
	folded --locks --no-stack --root address --weight count | awk -v from="$(told words)" -v to="$(awk '$1 == "words" { print $3 }' "$tmp/out")" '
		length($1) == length(from) && $1 >= from && $1 < to { n += $2 } END { print n + 0 }'
}

# all_there THREADS: of those that were recorded
all_there()
{
	folded --syscalls --no-stack --root thread,syscall --weight count >"$tmp/calls"
	is "... all threads" "$(awk -F';' '!seen[$1]++ { n++ } END { print n + 0 }' "$tmp/calls")" "$1"
	there "... calls" "$(awk '/;getppid [0-9]*$/ { n += $NF } END { printf "%d", n }' "$tmp/calls")" "$(told calls)" syscalls
	folded --faults --no-stack --root type --weight count >"$tmp/types"
	some "... page faults" "$(awk '/^minor-write/ { n += $NF } END { print n + 0 }' "$tmp/types")" $(($(told pages) - $(lost faults)))
	is "... once each" "$(awk '{ n += $NF } END { print n + 0 }' "$tmp/types")" \
		"$(sed -n 's/.* faults: \([0-9]*\) page faults .*/\1/p' "$tmp/said")"
	# If hundreds of threads want a CPU, some events are missed, and not all of these are reported (docs/stalls.md).
	within "... requests, in bytes" "$(folded --io --no-stack --root operation,file --weight bytes | sed -n 's/^read;\[direct\] //p')" \
		$(($(told reads) * 4096 * 9 / 10)) $(($(told reads) * 4096))
	some "... run queues and memory" "$(folded --lanes | grep -c ' lane;memory;free ')" 1
}

summed()
{
	status "$threads threads" 0 timeout 120 "$pyrograph" collect $all -o "$tmp/many.data" -- "$program" $threads "$tmp/file"
	cp "$tmp/err" "$tmp/said"
	all_there $((threads + 1))
	some "... waits" "$(folded --locks --no-stack --root lock --weight count | awk '/^futex/ { n += $NF } END { print n + 0 }')" \
		$(($(told waits) - $(lost locks)))
}
live summed

# Its own memory, without the memory shared with the kernel.
private_kb() { awk '/^VmHWM:/ { most = $2 } /^Rss(File|Shmem):/ { shared += $2 } END { print most - shared }' "/proc/$1/status"; }

one_by_one()
{
	rm -f "$tmp/fifo" "$tmp/many.data"
	mkfifo "$tmp/fifo"
	: >"$tmp/out"
	"$program" $threads "$tmp/file" "$tmp/fifo" >"$tmp/out" & runs=$!
	before 60 grep -q there "$tmp/out"
	"$pyrograph" collect $all --min 1ns -p $runs -o "$tmp/many.data" 2>"$tmp/said" & recorder=$!
	before 60 ended_or begun "$tmp/many.data"
	timeout 60 sh -c ': >"$0"' "$tmp/fifo"
	before 60 ended_or grep -q "done" "$tmp/out"
	memory=$(private_kb $recorder)
	timeout 60 sh -c ': >"$0"' "$tmp/fifo"
	finished $runs
	finished $recorder
	is "$threads threads that are there before, each event by itself" $? 0
	all_there $((threads + 1))
	there "... page faults of their function" "$(folded --faults --root type --weight count | awk '/;touch_pages/ { n += $NF }
		END { print n + 0 }')" "$(told pages)" faults
	# A thread that is woken before it sleeps has waited only from the program's point of view.
	within "... waits, each for its own word" "$(waits)" $(($(told waits) - 10 - $(lost locks))) "$(told waits)"
	within "... memory, in kB" "$memory" 1000 400000
}
live one_by_one

# The collectors stand still, and their rings are too small for what happens during that time.
overfull()
{
	status "more than the rings of two collectors hold" 0 "$pyrograph" collect syscalls,locks,lanes --no-watchdog --min 1ns -o "$tmp/many.data" -- \
		sh -c 'kill -STOP $PPID; "$0/contended_locks" turns 80000; "$0/slow_calls" many 10000; kill -CONT $PPID' \
		"${program%/*}"
	cp "$tmp/err" "$tmp/said"
	some "... is counted, by collector: calls" "$(lost syscalls)" 10000
	some "... waits for locks" "$(lost locks)" 1000
	is "... and together" "$(sed -n 's/.* lost: \([0-9]*\) spans of time .*/\1/p' "$tmp/said")" \
		$(($(lost syscalls) + $(lost locks) + $(lost lanes)))
	some "... with what is there, they are all calls" \
		$(($(folded --syscalls --no-stack --root syscall --weight count | awk '{ n += $NF } END { print n + 0 }') + $(lost syscalls))) 170000
	some "... and all waits" \
		$(($(folded --locks --no-stack --root lock --weight count | awk '{ n += $NF } END { print n + 0 }') + $(lost locks))) \
		80000
}
live overfull
