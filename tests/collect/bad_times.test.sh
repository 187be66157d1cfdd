#!/bin/sh
# collect offcpu with its default budget and threads whose waits are the worst case for it; with a budget that cannot be
# kept; and in a control group with a quota.  No wait is lost, long waits have their stacks, and messages say what could
# not be done.
# slow: 2,000 threads, and bursts with pauses
# live: numbers of waits
. tests/tap.sh
. tests/collect/common.sh
program=${BUILD:-build}/tests/workloads/bad_times
rounds=10 # of bursts

if ! $pyrograph collect offcpu -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "bad times for collect offcpu" "$(tail -1 "$tmp/err")"
	exit 0
fi

waited()   { awk -v name="$1" '$1 == name { print $3 }' "$tmp/out"; } # by their own account
left_out() { sed -n 's/.* \([0-9]*\) blocks* were left out: shorter than --min.*/\1/p' "$tmp/said" | grep . || echo 0; }
said_number() { sed -n "s/.* \([0-9]*\) spans* of offcpu.*/\1/p" "$tmp/said"; }
# in_sum NAME COLUMN REGEXP: of the thread's lines that match: time, number of waits
in_sum()
{
	awk -v name="$1" -v back="$2" -v regexp="$3" '$0 ~ "/" name "(-[0-9]+)?;" && $0 ~ regexp { n += $(NF - back) }
		END { printf "%.0f\n", n }' "$tmp/folded"
}
folded() { $pyrograph collapse --offcpu --root thread --waits all --columns time,count "$1" >"$tmp/folded" 2>"$tmp/err"; }
within()
{
	if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; then ok "$1"; else not_ok "$1" "$2, wanted $3 to $4" "$tmp/said"; fi
}
# recorded WHAT HOW PROGRAM...: into $tmp/bad.data; what is said is in $tmp/said, what the program counted in $tmp/out
recorded()
{
	what=$1 how=$2
	shift 2
	status "$what" 0 $how -o "$tmp/bad.data" -- "$@"
	cp "$tmp/err" "$tmp/said"
	folded "$tmp/bad.data"
}
# Each wait that the threads count is a span, or is told to be shorter than --min.  A few are those of the main thread, and waits
# for a page.
every_wait()
{
	counted=$(awk '{ n += $3 } END { print n }' "$tmp/out")
	within "... each wait is there, or told to be too short" $(($(said_number) + $(left_out))) \
		$((counted - counted / 50 - 2)) $((counted + counted / 50 + 50))
}

bursts()
{
	recorded "bursts and silence" "$pyrograph collect offcpu" "$program" bursts $rounds
	every_wait
	is "... each silence has its stack" "$(in_sum bursty 0 keep_silent)" $rounds
	within "... and its time, in ms" $(($(in_sum bursty 1 keep_silent) / 1000000)) $((80 * rounds)) $((100 * rounds + 500))
	[ "$(in_sum bursty 0 'short waits')" -gt 1000 ] || inconclusive "... most of the bursts have none" "they come too slowly"
}
live bursts

crowd()
{
	recorded "2,000 threads that block ten times a second" "$pyrograph collect offcpu" "$program" crowd 2000 15
	every_wait
	is "... nothing is lost" "$(grep -c 'nothing lost' "$tmp/said")" 1
	is "... each thread is there" "$(awk '/\/crowd(-[0-9]+)?;/ { split($1, a, ";"); seen[a[1]] } END { for (t in seen) n++; print n + 0 }' "$tmp/folded")" 2000
	some "... where they wait, per mille of their time" $((1000 * $(in_sum crowd 1 be_idle) / $(in_sum crowd 1 .))) 200
}
live crowd

too_small()
{
	recorded "a budget that cannot be held" "$pyrograph collect sched,offcpu --budget 0.001%" "$program" bursts $rounds
	every_wait
	some "... short waits have no stack, per mille" $((1000 * $(in_sum bursty 0 'short waits') / $(in_sum bursty 0 .))) 900
	has "... said" "$tmp/said" "of the CPUs' time, above the budget of 0.00 %"
	recorded "one that holds anything" "$pyrograph collect offcpu --budget 100%" "$program" crowd 20 2
	has_not "... nothing is said" "$tmp/said" "above the budget"
}
live too_small

# Program and collector together have a quarter of a CPU.
group=/sys/fs/cgroup/cpu/pyrograph-test-$$ quota=cpu.cfs_quota_us amount=25000
if [ ! -d /sys/fs/cgroup/cpu ]; then
	group=/sys/fs/cgroup/pyrograph-test-$$ quota=cpu.max amount="25000 100000"
fi
confined() { sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$@"; }
in_group()
{
	recorded "in a control group with a quota" "confined $pyrograph collect offcpu" "$program" bursts 5
	every_wait
	is "... each silence has its stack" "$(in_sum bursty 0 keep_silent)" 5
	has_not "... the watchdog lets it go on" "$tmp/said" "spare the machine"
	some "... it was throttled, times" "$(awk '$1 == "nr_throttled" { print $2 }' "$group/cpu.stat")" 1
}
if mkdir "$group" 2>/dev/null && echo "$amount" 2>/dev/null >"$group/$quota"; then
	live in_group
else
	skip "in a control group with a quota" "none can be made here"
fi
rmdir "$group" 2>/dev/null || :
