# collect wakeup --budget: threads that are woken very often, and count how often.  No wait and no time is lost, though
# most waits have no waker's stack.
# live: numbers and times of waits
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
talks=${BUILD:-build}/tests/workloads/talks

if ! $pyrograph collect wakeup -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "collect wakeup --budget" "$(tail -1 "$tmp/err")"
	exit 0
fi

# recorded WHAT OPTIONS TRIPS: what it says is in $tmp/said
recorded()
{
	status "$1" 0 $pyrograph collect sched,wakeup $2 -o "$tmp/talk.data" -- "$talks" talk "$3"
	cp "$tmp/err" "$tmp/said"
	$pyrograph collapse --wakeup --root thread,state --columns time,count "$tmp/talk.data" >"$tmp/folded" 2>"$tmp/err"
	$pyrograph collapse --states --root thread,state --no-stack --columns time,count "$tmp/talk.data" >"$tmp/states" 2>/dev/null
}
# of FILE NAME REGEXP BACK: the sum over the thread's lines that match of the last column but BACK
of()
{
	awk -v at="/$2(-[0-9]+)?;" -v regexp="$3" -v back="$4" '$0 ~ at && $0 ~ regexp { n += $(NF - back) }
		END { printf "%.0f\n", n }' "$1"
}
waiting=';(preempted|quantum-over|yielded|woken)[; ]'

# A thread that is woken on its way to sleep does not wait.  At a switch, the two collectors read the clock one after the
# other; the difference is less than a microsecond for each wait.
every_wait()
{
	for name in asks answers leaves partner; do
		waited=$(awk -v name=$name '$1 == name { n += $3 } END { print n + 0 }' "$tmp/out")
		seen=$(of "$tmp/states" $name ';woken[; ]' 0)
		within "... each wait of $name, which was woken $waited times" "$(of "$tmp/folded" $name ';woken;' 0)" \
			$((seen * 97 / 100 - 2)) $((seen + seen / 100 + 20))
		seen=$(of "$tmp/states" $name "$waiting" 1)
		slack=$((seen / 200 + 1000 * $(of "$tmp/folded" $name . 0) + 1000000))
		within "... as long as collect sched saw it wait" "$(of "$tmp/folded" $name "$waiting" 1)" $((seen - slack)) $((seen + slack))
	done
}

by_default()
{
	recorded "threads that talk" "" 30000
	every_wait
	[ "$(of "$tmp/folded" asks 'short waits' 0)" -gt $(($(of "$tmp/folded" asks ';woken;' 0) / 4)) ] ||
		inconclusive "... most have no stack" "they talk too slowly"
	some "... some have one" "$(of "$tmp/folded" asks ';woken;.*(pass_bytes|interrupt)' 0)" 1
	has "... the summary says it" "$tmp/said" 'of these without a stack, to keep to --budget'
}
live by_default

expressly()
{
	for how in "--budget none" "--min 1us" "--min 1us --budget none"; do
		recorded "all stacks: $how" "$how" 5000
		has_not "... no [short waits]" "$tmp/folded" 'short waits'
	done
	recorded "a budget, though --min is given" "--min 1ns --budget 0.1%" 20000
	has "... [short waits]" "$tmp/folded" 'asks;woken;[short waits]'
	every_wait
}
live expressly

# A wait that meets a condition is seen, whatever the budget: more threads than CPUs must wait.
status "the flight recorder" 0 $pyrograph collect wakeup --keep 5s --when 'runnable>1ms' --most 1 --budget 0.001% -o "$tmp/kept.data" -- \
	taskset -c "$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)" sh -c "$blocks spin 500"
has "... sees what it waits for" "$tmp/err" '1 recording written'
