# collect offcpu, with programs that are known to be blocked for known reasons and times.
# live: times of waiting
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
offcpu="$pyrograph collect offcpu"

if ! $offcpu -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect offcpu works here" "$tmp/err"
	else
		skip "collect offcpu" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# --- how long, and where ---

naps()
{
	status "twenty naps $1" 0 $offcpu $1 -o "$tmp/nap.data" -- "$blocks" nap 20 10
	tid=$(tid_of "$tmp/out" main)
	took=$(sed -n 's/^took \([0-9]*\) .*/\1/p' "$tmp/out")
	# On a busy machine, a thread is now and then put off the CPU on its way to sleep.
	within "... are so long" "$(sum "$tmp/nap.data" '$3 == tid && $7 > 9e6 && $11 == 6')" 140000000 "$took"
	# It sleeps; its only other blocks are for its own pages, from a slow disk.
	within "... and twenty, with one stack" "$(counted "$tmp/nap.data" '$3 == tid && $7 > 9e6 && $11 == 6')" 14 20
	is "... sleeping" "$(spans "$tmp/nap.data" '$3 == tid && $7 > 9e6 { print $11 }' | grep -vx 7 | sort -u)" 6
	stacks "$tmp/nap.data" "$tid" >"$tmp/stacks"
	has "... the kernel's part of the stack" "$tmp/stacks" nanosleep
	has "... and the program's" "$tmp/stacks" main
}
for how in "" --user-stacks-at-return; do
	live naps "$how"
done

each_nap()
{
	status "each for itself" 0 $offcpu --events -o "$tmp/events.data" -- "$blocks" nap 20 10
	tid=$(tid_of "$tmp/out" main)
	within "... twenty samples" "$(spans "$tmp/events.data" '$3 == tid && $5 > 9e6 && $10 % 4 == 1 && $11 == 6' | wc -l)" 14 20
	is "... from their beginning to their end" "$(spans "$tmp/events.data" '$9 - $8 != $5' | wc -l)" 0
	perf_reads "blocks" "$tmp/events.data" "$tmp/err"
}
live each_nap

# The naps are longer than 5 ms, unlike the start and end of main.
long_naps()
{
	status "the long ones for themselves" 0 $offcpu --min 0 --events=5ms -o "$tmp/long.data" -- "$blocks" nap 20 10
	tid=$(tid_of "$tmp/out" main)
	within "... twenty samples" "$(spans "$tmp/long.data" '$3 == tid && $5 > 9e6 && $10 % 2 == 1 && $11 == 6' | wc -l)" 14 20
	is "... the shorter ones are added up" "$(spans "$tmp/long.data" '$10 % 4 == 1 && $5 < 5e6' | wc -l)" 0
	status "all are short" 0 $offcpu --min 0 --events=50s -o "$tmp/long.data" -- "$blocks" nap 20 10
	tid=$(tid_of "$tmp/out" main)
	within "... twenty blocks" "$(counted "$tmp/long.data" '$3 == tid && $7 > 9e6 && $10 % 2 == 0 && $11 == 6')" 14 20
	within "... in a few samples" "$(spans "$tmp/long.data" '$3 == tid && $7 > 9e6' | wc -l)" 1 5
}
live long_naps

# More waits than a budget allows: the rest is added up, and counted.
storm()
{
	status "very many" 0 $offcpu --min 0 --events=100ns -o "$tmp/storm.data" -- "$blocks" pair 12000 0
	over=$(sed -n 's/.*offcpu: \([0-9]*\) spans\{0,1\} of .* summed: too many a second.*/\1/p' "$tmp/err")
	all=$(sed -n 's/.*offcpu: \([0-9]*\) blocks, total.*/\1/p' "$tmp/err")
	if [ "${all:-0}" -lt 10000 ]; then
		inconclusive "... the rest is added up" "only $all blocks"
		return
	fi
	some "... the rest is added up" "$over" 1
	# 1024 a second on each CPU, and those of the second before (collect/offcpu/offcpu_blocks.c).
	most=$(spans "$tmp/storm.data" | awk -v cpus="$(nproc)" '
		!first || $8 < first { first = $8 } $9 > last { last = $9 }
		END { printf "%d", cpus * 1024 * ((last - first) / 1e9 + 2) }')
	within "... and single ones are not too many" "$(spans "$tmp/storm.data" '$10 % 2' | wc -l)" 1 "$most"
	is "... none is missing" "$(counted "$tmp/storm.data")" "$all"
}
live storm

a_command()
{
	status "a command" 0 $offcpu --min 0 -o "$tmp/command.data" -- "$blocks" nap 1 50
	tid=$(tid_of "$tmp/out" main)
	stacks "$tmp/command.data" "$tid" >"$tmp/stacks"
	has "... is there" "$tmp/stacks" nanosleep
	has_not "... from when it is one: not how it waited for us" "$tmp/stacks" pipe_read
}
live a_command

# --- what is left out ---

minimum()
{
	status "--min" 0 $offcpu --min 200ms -o "$tmp/min.data" -- "$blocks" nap 3 20
	is "... leaves shorter ones out" "$(spans "$tmp/min.data" | wc -l)" 0
	some "... and says how many" "$(sed -n 's/.* \([0-9]*\) blocks were left out: shorter than --min$/\1/p' "$tmp/err")" 3
}
live minimum
maximum()
{
	status "--max" 0 $offcpu --max 15ms -o "$tmp/max.data" -- "$blocks" nap 3 20
	is "... leaves longer ones out" "$(spans "$tmp/max.data" '$7 > 15e6' | wc -l)" 0
}
live maximum
one_state()
{
	status "--state" 0 $offcpu --state blocked,blocked-io --min 0 -o "$tmp/state.data" -- "$blocks" nap 3 20
	is "... leaves other states out" "$(spans "$tmp/state.data" '$11 == 6' | wc -l)" 0
}
live one_state
status "--state with a word that is none" 2 $offcpu --state asleep -a -d 0.1 -o "$tmp/x.data"
has "... says which there are" "$tmp/err" "sleeping, blocked-io, blocked, stopped, traced, parked, idle"
status "--wakers with too many hops" 2 $offcpu --wakers=17 -a -d 0.1 -o "$tmp/x.data"
status "--wakers with a blank" 2 $offcpu --wakers 2 -d 0.1 -o "$tmp/x.data"
has "... says how" "$tmp/err" "--wakers=2"
status "--min with a word that is no time" 2 $offcpu --min soon -a -d 0.1 -o "$tmp/x.data"
spinners()
{
	status "spinners on one CPU, who take it from each other" 0 $offcpu --min 0 -o "$tmp/spin.data" -- "$blocks" spin 500
	tid=$(tid_of "$tmp/out" child)
	within "... are not blocked" "$(sum "$tmp/spin.data" '$3 == tid')" 0 50000000
}
live spinners

# --- who woke it ---

a_pair()
{
	status "a pair" 0 $offcpu --wakers -o "$tmp/pair.data" -- "$blocks" pair 10 20
	main=$(tid_of "$tmp/out" main) tid=$(tid_of "$tmp/out" waiter)
	is "... who woke the waiter" "$(spans "$tmp/pair.data" '$3 == tid && $7 > 9e6 { print $13 }' | sort -u)" "$main"
	within "... ten times" "$(counted "$tmp/pair.data" '$3 == tid && $7 > 9e6')" 7 10
	stacks "$tmp/pair.data" "$tid" >"$tmp/stacks"
	has "... where it waited" "$tmp/stacks" wait_for_word
	has "... where it was signalled" "$tmp/stacks" signal_word
	has_not "... without what traces" "$tmp/stacks" bpf_
	has_not "... none of it" "$tmp/stacks" __traceiter
}
live a_pair
a_chain()
{
	status "a chain" 0 $offcpu --wakers=3 -o "$tmp/chain.data" -- "$blocks" chain 10 20
	tid=$(tid_of "$tmp/out" waiter)
	hops=$(spans "$tmp/chain.data" '$3 == tid && $7 > 9e6 { print $13 }' | grep , | sed 's/^\([0-9]*,[0-9]*\),.*/\1/' | sort -u)
	is "... hop by hop" "$hops" "$(tid_of "$tmp/out" second),$(tid_of "$tmp/out" third)"
}
live a_chain

# --- what an interrupt woke ---

# naps_beside_spinner OPTIONS...: naps that the timer ends while another thread has the CPU
naps_beside_spinner()
{
	beside_spinner $offcpu "$@" -- taskset -c "$last" "$blocks" nap 100 5
}

last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
by_interrupt()
{
	status "naps beside a spinner" 0 naps_beside_spinner --wakers=3 --min 0 -o "$tmp/timer.data"
	tid=$(tid_of "$tmp/out" main)
	# For some waits, some kernels do not show what ended them.
	is "... no thread ended them" "$(spans "$tmp/timer.data" '$3 == tid && $7 > 4e6 && $11 == 6 && $13 != "-" { print $13 }' |
		sort -u)" 0
	"$pyrograph" collapse -q --offcpu "$tmp/timer.data" >"$tmp/folded"
	"$pyrograph" collapse -q --offcpu --root comm,waker --no-stack "$tmp/timer.data" >>"$tmp/folded"
	has "... but an interrupt" "$tmp/folded" "blocks;[interrupt] "
	entry='(asm_sysvec_|asm_common_interrupt|el[01][a-z0-9_]*_irq)[a-z_]*_\[w\]'
	some "... a timer's" "$(grep -cE "hrtimer_[a-z_]*_\[w\];.*$entry;\[interrupt\]_\[w\] [0-9]+$" "$tmp/folded")" 1
	is "... all stacks of such wakers end there" \
		"$(grep -F '[interrupt]_[w]' "$tmp/folded" | grep -cvE ";$entry;\[interrupt\]_\[w\] [0-9]+$")" 0
	has_not "... nothing is left of what was interrupted" "$tmp/folded" "yes_[w]"
}
live by_interrupt

# A mount namespace with its own /proc/kallsyms, as ordinary users see it.
if sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >"$tmp/kallsyms" &&
	unshare -m mount --bind "$tmp/kallsyms" /proc/kallsyms 2>/dev/null; then
	# shellcheck disable=SC2016 # for the inner shell
	status "without kallsyms" 0 unshare -m sh -c 'mount --bind "$1" /proc/kallsyms && shift && exec "$@"' - \
		"$tmp/kallsyms" $offcpu --wakers -o "$tmp/hidden.data" -- "$blocks" nap 3 5
	has "... it is said what that means for wakers" "$tmp/err" "the interrupted thread appears as the waker"
else
	skip "without kallsyms" "no mount namespace"
fi

# --- what does not end ---

# held_on PROGRAM STACK: how the stack of the thread begins
held_on()
{
	rm -f "$tmp/hold" "$tmp/hold.out" "$tmp/timeout.data"
	mkfifo "$tmp/hold"
	"$1" hold 0 <"$tmp/hold" >"$tmp/hold.out" &
	hold=$!
	exec 8>"$tmp/hold"
	before 30 grep -q holder "$tmp/hold.out"
	tid=$(tid_of "$tmp/hold.out" holder)
	status "a thread that is blocked all the time" 0 $offcpu -p $hold -d 0.5 -o "$tmp/hold.data"
	within "... is there" "$(sum "$tmp/hold.data" '$3 == tid')" 450000000 60000000000
	is "... once, at the end" "$(spans "$tmp/hold.data" '$3 == tid && $10 % 4 == 3' | wc -l)" 1
	has "... said to be open" "$tmp/err" "that had not ended"
	stacks "$tmp/hold.data" "$tid" >"$tmp/stacks"
	has "... with its stack" "$tmp/stacks" holder
	has "... in the kernel, too" "$tmp/stacks" pipe_read
	: >"$tmp/timeout.err"
	$offcpu -p $hold --timeout 200ms -o "$tmp/timeout.data" 2>"$tmp/timeout.err" 8>&- &
	collector=$!
	before 30 grep -q "/$tid still blocked after .*): $2;.*pipe_read_\[k\]" "$tmp/timeout.err"
	is "--timeout tells, while it is blocked" "$?, $(tail -1 "$tmp/hold.out")" "0, tid holder $tid"
	exec 8>&-
	wait $hold
	finished $collector
	is "... and ends with the process" "$?" 0
	has "... tells of the end" "$tmp/timeout.err" "/$tid was blocked for "
	is "... once each" "$(grep -c "/$tid " "$tmp/timeout.err")" 2
	is "... and both are samples" "$(spans "$tmp/timeout.data" '$3 == tid { print $1 }' | sort -u | tr '\n' ' ')" \
		"offcpu timeout "
	is "... with that stack" "$("$pyrograph" collapse -q --event timeout --root tid "$tmp/timeout.data" |
		grep -c "^[^;]*$tid;$2;.*pipe_read [0-9]*\$")" 1
}
live held_on "$blocks" "\([^;]*;\)*holder;hold_on"
if bare_blocks; then
	live held_on "$bare" "\([^;]*;\)*start_thread;holder;hold_on"
else
	skip "... without frame pointers" "no compiler"
fi
# The wait may be over when the line is written.
# shellcheck disable=SC2016 # for the inner shell
short_timeout()
{
	status "--timeout of naps that are hardly longer" 0 $offcpu --timeout 10ms -o "$tmp/short.data" -- \
		sh -c 'for nap in 1 2 3 4 5 6; do "$1" nap 60 12 & done; wait' - "$blocks"
	sed -nE 's/.* ([^ ]+) [^ ]+ ([0-9]+\/[0-9]+) (still blocked after|was blocked for) ([0-9.]+) (us|ms|s) .*/\2 \3 \4 \1 \5/p' \
		"$tmp/err" | awk '{ $5 *= $7 == "s" ? 1000 : $7 == "us" ? 0.001 : 1 } 1' >"$tmp/short"
	some "... tells of some" "$(grep -c ' was blocked for ' "$tmp/short")" 3
	has_not "... by the names that collapse gives, without versions" "$tmp/err" "@GLIBC"
	is "... never that one is still blocked that is not" "$(awk '$2 == "still" { ns[$1] = $5; at[$1] = $6 }
		$2 == "was" && (ns[$1] > $5 || at[$1] > $6)' "$tmp/short")" ""
}
live short_timeout

# Long blocks are written in parts, but each still counts as one.
# Some kernels do not show which thread comes back to a CPU after some processes; on a loaded machine, one in a hundred
# blocks is missed there.
two_long_naps()
{
	status "long naps" 0 $offcpu -o "$tmp/long.data" -- "$blocks" nap 2 3100
	tid=$(tid_of "$tmp/out" main)
	took=$(sed -n 's/^took \([0-9]*\) .*/\1/p' "$tmp/out")
	within "... are so long" "$(sum "$tmp/long.data" '$3 == tid && $7 > 9e8')" 6000000000 "$took"
	is "... two" "$(counted "$tmp/long.data" '$3 == tid && $7 > 9e8')" 2
	some "... in parts" "$(spans "$tmp/long.data" '$3 == tid && $6 == 0' | wc -l)" 2
	is "... each of which is over before the next one begins" "$(spans "$tmp/long.data" '$3 == tid && $7 > 9e8' |
		awk '$8 < last || $9 - $8 < $5 { wrong++ } { last = $8 + $5 } END { print wrong + 0 }')" 0
	is "... with one stack" "$(spans "$tmp/long.data" '$3 == tid && $7 > 9e8 { print $11, $14, $15 }' | sort -u | wc -l)" 1
}
live two_long_naps
one_long_nap()
{
	status "a long nap, --min 2s" 0 $offcpu --min 2s -o "$tmp/long.data" -- "$blocks" nap 1 2100
	tid=$(tid_of "$tmp/out" main)
	is "... counts what they are in all" "$(counted "$tmp/long.data" '$3 == tid')" 1
}
live one_long_nap

held() { $pyrograph collapse -q --offcpu --root tid "$1" 2>/dev/null | sed -n "s/.*$2;.*pipe_read.* \([0-9]*\)\$/\1/p"; }
killed()
{
	: >"$tmp/killed.out"
	"$blocks" hold 300000 >"$tmp/killed.out" & # not the previous run's file, which already has a holder
	hold=$!
	before 30 grep -q holder "$tmp/killed.out"
	tid=$(tid_of "$tmp/killed.out" holder)
	$offcpu -q -p $hold -o "$tmp/killed.data" 2>"$tmp/err" &
	collector=$!
	held_so_far() { [ "$(held "$tmp/killed.data" "$tid" | awk '{ n += $1 } END { print int(n / 1e6) }')" -ge 2000 ]; }
	before 30 begun "$tmp/killed.data"
	sleep 1.9 # to look in vain costs more
	before 60 held_so_far
	is "a collector that is killed has most of what goes on" "$?" 0
	kill -KILL $collector
	wait $collector 2>/dev/null
	kill $hold
	wait $hold 2>/dev/null
}
live killed

# --- disks ---

dd if=/dev/zero of="$tmp/file" bs=1M count=16 conv=fsync 2>/dev/null
if [ "$(stat -f -c %T "$tmp")" != tmpfs ] && "$blocks" read "$tmp/file" 1 2>/dev/null; then
	direct_reads()
	{
		status "reads past the page cache" 0 $offcpu --min 0 -o "$tmp/read.data" -- "$blocks" read "$tmp/file" 100
		some "... are blocked on I/O" "$(counted "$tmp/read.data" '$11 == 7')" 20
	}
	live direct_reads
	faults()
	{
		status "faults that read a file $1" 0 $offcpu $1 --min 0 -o "$tmp/touch.data" -- "$blocks" touch "$tmp/file"
		if [ "$(counted "$tmp/touch.data" '$11 == 7')" -ge 10 ]; then
			perf script -i "$tmp/touch.data" -F ip,sym >"$tmp/stacks" 2>/dev/null
			has "... are blocked on I/O, in the code that touched it" "$tmp/stacks" touch_pages
		else
			inconclusive "... are blocked on I/O" "the file stays in memory here"
		fi
	}
	for how in "" --user-stacks-at-return; do
		live faults "$how"
	done
else
	skip "reads past the page cache" "no disk, or no O_DIRECT, in $tmp"
fi

# --- live ---

status "--watch without -C" 2 $offcpu --watch 1s
watched()
{
	cpu=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
	rm -f "$tmp/watch.out"
	(cd "$tmp" && exec "$OLDPWD/$pyrograph" collect offcpu -C "$cpu" --watch 100ms --watch-counts >watch.out 2>watch.err) &
	watch=$!
	before 30 test -s "$tmp/watch.out"
	taskset -c "$cpu" "$blocks" nap 100 5 >"$tmp/out"
	if before 10 grep -q "for swapper/$cpu is" "$tmp/watch.out"; then
		ok "--watch shows the idle thread, too"
	else
		skip "--watch shows the idle thread, too" "CPU $cpu was never idle"
	fi
	kill $watch
	finished $watch
	is "--watch ends by itself" "$?" 0
	tid=$(tid_of "$tmp/out" main)
	read -r _ first last <<-END
		$(grep switched "$tmp/out")
	END
	returns=$(sed -n "s/.* max offcpu for [^ ]*-$tid is [0-9]*us of \([0-9]*\) times\$/\1/p" "$tmp/watch.out" |
		awk '{ n += $1 } END { printf "%d\n", n }')
	# On a busy machine, there may also be blocks from before its first nap.
	if grep -q ' more threads is ' "$tmp/watch.out"; then
		inconclusive "... counts every return to the CPU" "more threads than it shows came back"
	else
		within "... counts every return to the CPU, in one interval or another" "$returns" $((last - first)) $((last + 20))
	fi
	is "... in lines with the time" "$(grep -cvE \
		'^20[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{6} max offcpu for .* is [0-9]+us( of |$)' \
		"$tmp/watch.out")" 0
	is "... and writes no recording" "$(cd "$tmp" && echo pyrograph.data*)" 'pyrograph.data*'
}
live watched
many_watched()
{
	status "--watch where many come back" 0 $offcpu -C "$cpu" --watch 1s -d 2 -- \
		sh -c "for i in \$(seq -s ' ' 40); do taskset -c $cpu $blocks nap 30 50 & done; wait"
	cat "$tmp/out" >"$tmp/many.out"
	within "... shows the first twenty of an interval" "$(grep -c 'max offcpu for [^ ]*-[0-9]* is' "$tmp/many.out")" 20 88
	has "... and how many more there are" "$tmp/many.out" " more threads is "
	is "... after the others, in time too" "$(sed -n 's/\(.\{26\}\).* for \(.*\) is \([0-9]*\)us$/\1 \3 \2/p' "$tmp/many.out" |
		awk '$1 " " $2 == when && $3 > last { wrong++ } { when = $1 " " $2; last = $3 } END { print wrong + 0 }')" 0
}
live many_watched
$offcpu -C "$cpu" --watch 100ms >/dev/full 2>"$tmp/err"
is "... nowhere to write: said once" "$? $(grep -c 'No space left' "$tmp/err") $(wc -l <"$tmp/err")" "1 1 1"
watched_and_written()
{
	status "--watch with -o" 0 $offcpu -C "$cpu" --watch 200ms -o "$tmp/watch.data" -- taskset -c "$cpu" "$blocks" nap 10 60
	has "... writes both" "$tmp/out" "max offcpu for"
	some "... a recording" "$(spans "$tmp/watch.data" | wc -l)" 1
}
live watched_and_written

# --- bad days ---

no_room()
{
	status "no room for all threads" 0 $offcpu --max-threads 2 -o "$tmp/few.data" -- \
		sh -c "for i in 1 2 3 4 5 6; do $blocks nap 10 10 & done; wait"
	has "... is counted" "$tmp/err" "threads that found no room"
}
live no_room
