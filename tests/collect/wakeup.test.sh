# collect wakeup: which thread waits for a CPU, for how long, which one woke it, and which one has the CPU.
# live: times of waiting
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
wakeup="$pyrograph collect wakeup"

if ! $wakeup -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] && grep -q 'cannot\|libbpf' "$tmp/err"; then
		not_ok "collect wakeup works here" "$tmp/err"
	else
		skip "collect wakeup" "$(tail -1 "$tmp/err")"
	fi
	exit 0
fi

# States are those of core/format/recording.h: 2 to 4 for threads put off the CPU, 5 for woken ones.
spinners()
{
	status "spinners on one CPU, who take it from each other" 0 $wakeup -o "$tmp/spin.data" -- "$blocks" spin 1000
	tid=$(tid_of "$tmp/out" parent) other=$(tid_of "$tmp/out" child)
	waited=$(sed -n 's/^waited \([0-9]*\) .*/\1/p' "$tmp/out")
	earlier=$(sed -n 's/^waited .* earlier //p' "$tmp/out") # just enough to be there at all on a busy machine
	if [ "$waited" -gt 0 ]; then
		got=$(sum "$tmp/spin.data" '$3 == tid && $11 < 5')
		within "... wait as long as the kernel says" "$got" $((waited * 97 / 100)) $((waited * 103 / 100 + earlier + 20000000))
	else
		skip "... wait as long as the kernel says" "no CONFIG_SCHED_INFO"
	fi
	# Each of two has the CPU half of the time; if it has less, another thread wants the CPU, too.
	all=$(sum "$tmp/spin.data" '$3 == tid && $11 < 5')
	if [ "$all" -lt 600000000 ]; then
		is "... for each other, mostly" "$(spans "$tmp/spin.data" '$3 == tid && $11 < 5' |
			awk '{ n[$12] += $5 } END { for (by in n) print n[by], by }' | sort -rn | sed 's/.* //;q')" "$other"
	elif [ "$all" -lt 800000000 ]; then
		some "... for each other, and others" "$(sum "$tmp/spin.data" "\$3 == tid && \$11 < 5 && \$12 == $other")" 1000000
	else # so many threads that the other one may never be the next
		some "... for others" "$(sum "$tmp/spin.data" '$3 == tid && $11 < 5 && $12 > 0')" $((all / 2))
	fi
	is "... nobody woke them for that" "$(spans "$tmp/spin.data" '$3 == tid && $11 < 5 && $13 != "-"' | wc -l)" 0
}
live spinners

yielders()
{
	status "two who yield to each other" 0 $wakeup -o "$tmp/yield.data" -- "$blocks" yield 1000
	tid=$(tid_of "$tmp/out" parent)
	some "... wait since they yielded" "$(counted "$tmp/yield.data" '$3 == tid && $11 == 4')" 3
}
live yielders

a_pair()
{
	status "a pair" 0 $wakeup -o "$tmp/pair.data" -- "$blocks" pair 10 20
	main=$(tid_of "$tmp/out" main) tid=$(tid_of "$tmp/out" waiter)
	within "... the waiter was woken ten times by main" \
		"$(counted "$tmp/pair.data" "\$3 == tid && \$11 == 5 && \$13 == $main")" 7 12
	stacks "$tmp/pair.data" "$tid" >"$tmp/stacks"
	has "... where it was signalled" "$tmp/stacks" signal_word
	has_not "... without what traces" "$tmp/stacks" bpf_
}
live a_pair

# signals HOW: per mille of the time for which main woke the waiter of the pair, with main's whole stack
signals()
{
	"$pyrograph" collapse -q --wakeup "$tmp/bare.data" >"$tmp/folded"
	awk -v whole="$1" '/;woken;/ && /signal_word|futex_wake/ && !/\[interrupt\]/ && !/exit_.w./ {
			all += $NF
			if ($0 ~ whole)
				found += $NF
		} END { printf "%d\n", all ? 1000 * found / all : -1 }' "$tmp/folded"
}
main_signals='signal_word_.w.;main_.w.;.*_start_.w.;bare_blocks_.w.'
without_frame_pointers()
{
	status "a pair without frame pointers" 0 $wakeup "$@" -o "$tmp/bare.data" -- "$bare" pair 50 2
	some "... is woken by main, called from where programs start" "$(signals "$main_signals")" 990
	has_not "... and no word about frame pointers" "$tmp/err" "frame pointers"
	[ $# = 0 ] || perf_reads "wakers" "$tmp/bare.data" "$tmp/err" # not sums
}
by_frame_pointers()
{
	status "cpu,wakeup --call-graph fp" 0 "$pyrograph" collect cpu,wakeup -q --call-graph fp -o "$tmp/bare.data" -- \
		"$bare" pair 50 2
	within "... follows frame pointers" "$(signals "$main_signals")" 0 500
}
with_offcpu()
{
	status "offcpu,wakeup --wakers" 0 "$pyrograph" collect offcpu,wakeup --wakers -o "$tmp/bare.data" -- "$bare" pair 50 2
	some "... walks wakers for one" "$(signals "$main_signals")" 990
	is "... and for the other" "$("$pyrograph" collapse -q --offcpu "$tmp/bare.data" | grep 'signal_word_.w.' |
		grep -cv "$main_signals")" 0
	some "... which saw them too" "$("$pyrograph" collapse -q --offcpu "$tmp/bare.data" | grep -c "$main_signals")" 1
}
if bare_blocks; then
	live without_frame_pointers
	live without_frame_pointers --min 1ns
	live by_frame_pointers
	live with_offcpu
else
	skip "a pair without frame pointers" "no compiler"
fi

# The timer fires while another thread has the CPU; that thread is not the waker.
by_timer()
{
	last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
	status "naps beside a spinner" 0 beside_spinner $wakeup --min 1ns -o "$tmp/timer.data" -- \
		taskset -c "$last" "$blocks" nap 100 5
	tid=$(tid_of "$tmp/out" main)
	"$pyrograph" collapse -q --wakeup --root thread,state,waker --no-stack --weight count "$tmp/timer.data" >"$tmp/folded"
	woken=$(sed -n 's/^blocks.*;woken;\[interrupt\] \([0-9]*\)$/\1/p' "$tmp/folded" | awk '{ n += $1 } END { print n + 0 }')
	# A thread that is put off the CPU on its way to sleep, for so long, need not be woken.
	some "... were ended by interrupts" "$woken" 80
	is "... never by the one that was interrupted" "$(grep -c 'woken;yes' "$tmp/folded")" 0
}
live by_timer

minimum()
{
	status "--min" 0 $wakeup --min 1us -o "$tmp/min.data" -- "$blocks" nap 20 5
	some "... makes single waits" "$(spans "$tmp/min.data" | wc -l)" 3
	is "... not shorter" "$(spans "$tmp/min.data" '$5 < 1000 || $10 % 2 == 0' | wc -l)" 0
	is "... from their beginning to their end" "$(spans "$tmp/min.data" '$9 - $8 != $5' | wc -l)" 0
	perf_reads "waits" "$tmp/min.data" "$tmp/err"
}
live minimum

printed()
{
	(cd "$tmp" && "$OLDPWD/$pyrograph" collect wakeup --min 1us --print -- "$OLDPWD/$blocks" nap 20 5 >lines 2>err)
	is "--print writes lines" "$(head -1 "$tmp/lines" | tr -s ' ')" \
		"TIME COMM TID LAT(us) STATE BY_COMM BY_TID WAKER_COMM WAKER_TID"
	tid=$(tid_of "$tmp/lines" main)
	line="^20[0-9-]{8} [0-9:]{8}\\.[0-9]{6} blocks +$tid"
	some "... with the time, the thread, how long, and who" "$(grep -cE "$line +[0-9]+ (woken|preempted|quantum-over|yielded) +[^ ]+ +[0-9]+ +[^ ]+ +(-|[0-9]+)$" "$tmp/lines")" 3
	is "... and no recording" "$(cd "$tmp" && echo pyrograph.data*)" 'pyrograph.data*'
	has "... but a sum" "$tmp/err" "waits for a CPU, total"
}
live printed

# Collectors start and stop one after the other; before and after that, the waiting threads have had the CPU again and
# again.
combined()
{
	last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online) spinners=
	for spinner in 1 2 3 4 5 6; do
		taskset -c "$last" yes >/dev/null &
		spinners="$spinners $!"
	done
	status "$1: spinners on one CPU" 0 "$pyrograph" collect $1 --min 1ns -d 0.5 -o "$tmp/all.data" -p "$(echo $spinners | tr ' ' ,)"
	kill $spinners
	wait $spinners 2>/dev/null
	"$pyrograph" collapse -q --wakeup --timed --root tid --no-stack "$tmp/all.data" | sed -n 's/^@//; s/\./ /p' >"$tmp/waits"
	some "... most wait until the end" "$(awk '
		{ end[NR] = $1 % 100000 * 1e9 + $2 + $NF; if (end[NR] > last) last = end[NR] }
		END { for (i in end) if (end[i] > last - 1000) n++; print n + 0 }' "$tmp/waits")" 3
	states=$("$pyrograph" collapse -q --states --root tid "$tmp/all.data" | awk '!/^#/ { ns += $(NF - 2) } END { printf "%.0f\n", ns }')
	within "... none before the begin" "$(awk '{ ns += $NF } END { printf "%.0f\n", ns }' "$tmp/waits")" 1 "$states"
}
live combined wakeup,sched,offcpu,locks
live combined sched,offcpu,locks,wakeup
cp "$blocks" "$tmp/two words"
two_words()
{
	status "... of a name with a blank" 0 $wakeup --min 1us --print -- "$tmp/two words" nap 20 5
	has "... it is one word" "$tmp/out" " two_words "
	has_not "... and can be printed" "$tmp/out" "two?words"
}
live two_words

(cd "$tmp" && "$OLDPWD/$pyrograph" collect wakeup --print -- "$OLDPWD/$blocks" nap 20 5 >/dev/full 2>err)
is "... nowhere to write: status 1, said once" "$? $(grep -c 'No space left' "$tmp/err")" "1 1"

no_room()
{
	status "no room for all threads" 0 $wakeup --max-threads 2 -o "$tmp/few.data" -- \
		sh -c "for i in 1 2 3 4 5 6; do $blocks nap 10 10 & done; wait"
	has "... is counted" "$tmp/err" "threads that found no room"
}
live no_room
