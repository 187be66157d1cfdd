# --weight latency of live recordings: a program has a serial part, foo, of 0.45 s, and a parallel part, bar, of 0.05 s.
# The kernel's switches tell how long each part really took.
# live: shares of time
. tests/tap.sh
. tests/collect/common.sh
program=${BUILD:-build}/tests/workloads/parallel

if ! "$pyrograph" collect cpu,sched -q -a --events -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "collect cpu,sched" "$(tail -1 "$tmp/err")"
	exit 0
fi

# From lines "name value": the share of foo in the sum of foo and bar, in thousandths.
share() { awk '$1 == "foo" { foo = $2 } $1 == "foo" || $1 == "bar" { all += $2 } END { if (all) printf "%.0f", 1000 * foo / all }' "$1"; }
latency() { "$pyrograph" collapse --sampled --weight latency --no-stack --threads '^(foo|bar)$' "$@" >"$tmp/latency" 2>"$tmp/err"; }

# The program has real-time priority, so that it gets all CPUs when it wants them, and runs for less than a second, of
# which the kernel gives real-time threads 0.95 s.  On all of this machine's CPUs, bar's part lasts 50 ms.  (perf takes
# the first sample of a thread after a whole period, so threads that end before that are not sampled; with 128 threads,
# this would be noticeable.)
urgent() { chrt -r 1 "$@"; }
load() { echo "$program 450 16 $(($(nproc) * 50))"; }

# near WHAT GOT WANTED [MOST]: equal within one point, or within MOST thousandths
near()
{
	if [ "$2" ] && [ "$3" ] && [ "$2" -ge $(($3 - ${4:-10})) ] && [ "$2" -le $(($3 + ${4:-10})) ]; then
		ok "$1: $2 of 1000"
	else
		not_ok "$1" "got $2, wanted $3, in thousandths"
	fi
}

truth()
{
	"$pyrograph" collapse -q --event sched --state running --root comm --no-stack --timed --columns time \
		--threads '^(foo|bar)$' "$1" | python3 tests/collapse/shares.py >"$tmp/truth"
	share "$tmp/truth"
}

serial_and_parallel()
{
	# shellcheck disable=SC2046,SC2086 # words
	urgent "$pyrograph" collect cpu,sched -q -F 1999 --events $1 -o "$tmp/rec.data" -- chrt -r 1 $(load) 2>"$tmp/err"
	latency "$tmp/rec.data"
	has "${1:-a process}: parallelism is from switches" "$tmp/err" "parallelism is exact"
	spans=$(truth "$tmp/rec.data")
	near "... foo has the share of time that it took" "$(share "$tmp/latency")" "$spans"
	if [ "${spans:-0}" -lt 894 ] || [ "$spans" -gt 906 ]; then
		inconclusive "... 90 to 10" "the machine was busy: foo took $spans of 1000"
	else
		near "... 90 to 10" "$(share "$tmp/latency")" 900
	fi
	"$pyrograph" collapse -q --sampled --weight period --no-stack --threads '^(foo|bar)$' "$tmp/rec.data" >"$tmp/latency"
	is "... and less of the CPU time" "$([ "$(share "$tmp/latency")" -lt 850 ] || [ "$(nproc)" = 1 ] && echo yes)" yes
}
live serial_and_parallel
live serial_and_parallel -a

# perf's own switch records, and samples only.
by_perf()
{
	# shellcheck disable=SC2046,SC2086 # words
	if ! urgent perf record -q $1 -o "$tmp/perf.data" -- chrt -r 1 $(load) 2>"$tmp/err" >&2; then
		skip "perf record $1" "$(tail -1 "$tmp/err")"
		return
	fi
	latency "$tmp/perf.data"
	has "perf record $1: parallelism is $2" "$tmp/err" "parallelism is $2"
	foo=$(share "$tmp/latency")
	if [ "${foo:-0}" -lt 890 ]; then
		inconclusive "... 90 to 10" "foo has $foo of 1000: bar did not have all CPUs"
	else
		near "... 90 to 10" "$foo" 900 20 # the recording does not tell what the machine really gave to each
	fi
}
if ! command -v perf >/dev/null; then
	skip "perf record" "there is no perf"
else
	live by_perf "-F 1999 --switch-events" exact
	live by_perf "-F 1999 --switch-events -a" exact
	live by_perf "-F 1999" estimated
	live by_perf "-a -e cpu-clock -e sched:sched_switch" exact
	if perf report -h 2>&1 | grep -q -- --latency; then
		as_perf()
		{
			# shellcheck disable=SC2046 # words
			urgent perf record -q --latency -F 1999 -o "$tmp/perf.data" -- chrt -r 1 $(load) 2>"$tmp/err" >&2
			latency "$tmp/perf.data"
			perf report --latency -F latency,comm --stdio -i "$tmp/perf.data" 2>"$tmp/err" | awk '/%/ { print $2, $1 * 100 }' >"$tmp/theirs"
			near "as perf report --latency" "$(share "$tmp/latency")" "$(share "$tmp/theirs")"
		}
		live as_perf
	else
		skip "as perf report --latency" "$(perf --version) has no --latency (6.15 does)"
	fi
fi

# ---- a control group ----
group=
trap 'rmdir $group 2>/dev/null' EXIT
for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ -e $root/cgroup.controllers ] && group=$root/pyrograph-test-$$
done
of_a_group()
{
	rm -f "$tmp/go" "$tmp/group.data"
	# shellcheck disable=SC2046 # words
	sh -c 'echo $$ >"$0/cgroup.procs"; while [ ! -e "$1" ]; do sleep 0.05; done; shift; exec "$@"' \
		"$group" "$tmp/go" chrt -r 1 $(load) &
	loading=$!
	chrt -r 1 "$pyrograph" collect cpu,sched -q -F 1999 --events --cgroup "${group##*/}" -o "$tmp/group.data" 2>"$tmp/err" &
	collecting=$!
	before 30 begun "$tmp/group.data" # all is attached
	: >"$tmp/go"
	wait $loading
	kill -INT $collecting
	wait $collecting
	"$pyrograph" collapse --sampled --weight latency --no-stack "$tmp/group.data" >"$tmp/latency" 2>"$tmp/err"
	has "a control group: parallelism is from switches" "$tmp/err" "parallelism is exact"
	near "... foo has the share of time that it took" "$(share "$tmp/latency")" "$(truth "$tmp/group.data")"
	# A thread that ends no longer has ids; perf then shows :-1, too.
	is "... others are not there" "$(grep -v '^#' "$tmp/latency" | grep -v '^\(foo\|bar\|sh\|sleep\|chrt\|parallel\|:-1\) ')" ""
}
if [ -n "$group" ] && mkdir "$group" 2>/dev/null; then
	live of_a_group
else
	skip "a control group" "none of version 2 can be made"
fi
