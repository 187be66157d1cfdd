# collect offcpu --budget: threads that wait very often, and count how often.  No wait and no time is lost, though most
# waits have no stack; all long ones have one.
# live: numbers of waits
. tests/tap.sh
. tests/collect/common.sh
talks=${BUILD:-build}/tests/workloads/talks

if ! $pyrograph collect offcpu -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "collect offcpu --budget" "$(tail -1 "$tmp/err")"
	exit 0
fi

# waited NAME: how often the threads of that name waited, as they themselves count
waited() { awk -v name="$1" '$1 == name { n += $3 } END { print n + 0 }' "$tmp/out"; }

# in_sum NAME COLUMN [REGEXP]: the sum over the thread's lines (that match) of the time, or of the number of waits
in_sum()
{
	awk -v name="$1" -v back="$2" -v regexp="${3:-.}" '$0 ~ "/" name "(-[0-9]+)?;" && $0 ~ regexp { n += $(NF - back) }
		END { printf "%.0f\n", n }' "$tmp/folded"
}
time_of()   { in_sum "$1" 1 "${2:-}"; }
number_of() { in_sum "$1" 0 "${2:-}"; }

# folded FILE
folded() { $pyrograph collapse --offcpu --root thread --waits all --columns time,count "$1" >"$tmp/folded" 2>"$tmp/err"; }

# every_wait NAME: as many waits as the thread counted.  Waits that ended before the thread had left the CPU, or within
# a microsecond, are left out by default; one wait may be for a page of the thread.
every_wait()
{
	counted=$(waited "$1")
	within "... each wait of $1" "$(number_of "$1")" $((counted * 97 / 100 - 2)) $((counted + counted / 100 + 20))
}

# sleeping NAME: collect sched, which runs in parallel, saw as much time.  At a switch, the two read the clock one after
# the other; the difference is less than a microsecond for each wait.
sleeping()
{
	by_states=$($pyrograph collapse --states --root thread,state --no-stack --columns time,count "$tmp/talk.data" 2>/dev/null |
		awk -v line="/$1;sleeping" 'index($0, line) { n += $(NF - 1) } END { printf "%.0f\n", n }')
	least=$((by_states - by_states / 200 - 1000 * $(number_of "$1")))
	within "... as long as collect sched saw $1 sleep" "$(time_of "$1")" "$least" $((by_states + by_states / 200 + 1000000))
}

within()
{
	if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; then ok "$1"; else not_ok "$1" "$2, wanted $3 to $4" "$tmp/folded"; fi
}

by_default()
{
	# By default, waits of less than a microsecond are left out.  There are many of them if both CPUs are busy.
	status "threads that talk" 0 $pyrograph collect sched,offcpu --min 0 --budget 3% -o "$tmp/talk.data" -- "$talks" talk 30000
	cp "$tmp/err" "$tmp/said"
	folded "$tmp/talk.data"
	for name in asks answers leaves partner naps; do
		every_wait $name
	done
	for name in asks answers leaves; do
		sleeping $name
	done
	short=$(number_of asks '\[short waits\]')
	[ "$short" -gt $(($(waited asks) / 4)) ] || inconclusive "... most have no stack" "they talk too slowly: $short"
	some "... some have one" "$(number_of asks pass_bytes)" 1
	has "... the summary says it" "$tmp/said" 'without a stack, to keep to --budget'
	some "... naps of 30 ms have theirs, per mille" $((1000 * $(time_of naps nap_long) / ($(time_of naps) + 1))) 980
}
some() { if [ "${2:-0}" -ge "$3" ]; then ok "$1"; else not_ok "$1" "$2, wanted at least $3" "$tmp/folded"; fi; }
live by_default

# With a small budget, one long wait stands for others.
long_ones()
{
	status "many that nap" 0 $pyrograph collect offcpu --budget 1% -o "$tmp/naps.data" -- "$talks" naps 40 300
	cp "$tmp/err" "$tmp/said"
	folded "$tmp/naps.data"
	every_wait often
	some "... under their function, per mille" $((1000 * $(time_of often nap_often) / ($(time_of often) + 1))) 850
	grep -q 'with the stack of another one' "$tmp/said" ||
		inconclusive "... one stands for others" "they nap too slowly for that"
}
live long_ones

# The 1,000 longest waits, of 10 to 29 ms, have their stacks, however many short ones there are beside them.  Kernels that
# hide switches of some processes hide the end of a few.
longest()
{
	status "1,000 long waits beside very many short ones" 0 $pyrograph collect offcpu --min 0 --budget 3% -o "$tmp/long.data" -- "$talks" long 50 20
	folded "$tmp/long.data"
	counted=$(waited naps) # a thread that is off its CPU as its timer ends, on its way to sleep, does not wait
	within "... each is there with its stack" "$(awk '/hrtimer_nanosleep/ { n += $NF } END { print n + 0 }' "$tmp/folded")" \
		$((counted - 5)) $((counted + 20))
	is "... whatever the budget" "$(number_of naps 'waits without a stack')" 0
	every_wait asks
	[ "$(number_of asks 'short waits')" -gt 1000 ] || inconclusive "... most short ones have none" "they talk too slowly"
}
live longest

expressly()
{
	for how in "--budget none" "--min 1us" "--min 1us --budget none" --events; do
		status "all stacks: $how" 0 $pyrograph collect offcpu $how -o "$tmp/all.data" -- "$talks" talk 5000
		folded "$tmp/all.data"
		has_not "... no [short waits]" "$tmp/folded" 'short waits'
	done
	status "a budget, though --min is given" 0 $pyrograph collect offcpu --min 1us --budget 0.1% -o "$tmp/all.data" -- "$talks" talk 20000
	folded "$tmp/all.data"
	has "... [short waits]" "$tmp/folded" 'asks;[short waits]'
}
live expressly

# A wait that meets a condition is seen, whatever the budget.
status "the flight recorder" 0 $pyrograph collect offcpu --keep 5s --when 'offcpu>1ms' --most 1 --budget 0.001% -o "$tmp/kept.data" -- \
	"$talks" naps 4 50
has "... sees what it waits for" "$tmp/err" '1 recording written'

for wrong in -1 3x "" 2000%; do
	status "--budget '$wrong'" 2 $pyrograph collect offcpu --budget "$wrong" -o "$tmp/no.data" -- true
	has "... says what it takes" "$tmp/err" "percent"
done
