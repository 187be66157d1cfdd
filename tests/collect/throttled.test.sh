# Threads that the CPU limit of their control group has stopped: how long, by whose limit, on an idle CPU and beside a
# busy neighbour.
# live: quota
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
. tests/planted.sh
trap 'end_neighbour; [ -z "$group" ] || rmdir "$group"' EXIT
neighbour=

if ! $pyrograph collect sched,wakeup -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "throttled threads" "$(tail -1 "$tmp/err")"
	exit 0
fi
if ! make_group cpu cpu.cfs_quota_us 20000 cpu.max "20000 100000"; then
	skip "throttled threads" "$lacks"
	exit 0
fi
group_path=/${group##*/}
cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//')

end_neighbour() { [ -z "$neighbour" ] || end_spinners "$neighbour"; neighbour=; }

# What the kernel says: ns
throttled_by_now()
{
	awk '$1 == "throttled_time" { print $2 } $1 == "throttled_usec" { print $2 * 1000 }' "$group/cpu.stat"
}

# limited COLLECTORS FILE: records a busy thread that has a fifth of a CPU, until it was throttled for 0.3 s
limited()
{
	throttled_before=$(throttled_by_now)
	# shellcheck disable=SC2086 # options
	$urgent $pyrograph collect $1 -o "$2" -- \
		sh -c 'echo $$ >"$1/cgroup.procs" && exec taskset -c "$2" "$3" 60 1' sh "$group" "$cpu" "$spin" \
		>"$tmp/out" 2>"$tmp/said" & recorder=$!
	before 60 ended_or enough
	kill $(cat "$group/cgroup.procs")
	finished $recorder
	truth=$(($(throttled_by_now) - throttled_before))
}
enough() { [ $(($(throttled_by_now) - throttled_before)) -gt 300000000 ]; }

# near WHAT NS: NS is what the kernel says, within 2 %
near() { within "$1" "$2" $((truth * 98 / 100)) $((truth * 102 / 100)); }

# throttled_in FILE: the thread's time in this state; the kernel counts that of several threads on a CPU once
throttled_in() { awk '/^[^#]/ && /spinner_0;throttled/ { n += $(NF - 2) } END { printf "%.0f\n", n }' "$1"; }

look_at()
{
	limited sched,wakeup "$tmp/sums.data"
	some "$1: it was throttled" "$truth" 300000000
	$pyrograph collapse -q --states "$tmp/sums.data" >"$tmp/states"
	near "... --states: as long as cpu.stat says" "$(throttled_in "$tmp/states")"
	$pyrograph collapse -q --wakeup --root thread,state,by --columns time,count,longest "$tmp/sums.data" >"$tmp/wakeup"
	near "... --wakeup, likewise" "$(throttled_in "$tmp/wakeup")"
	limited "cpu,sched,offcpu,wall --events" "$tmp/spans.data"
	$pyrograph collapse -q --timeline "$tmp/spans.data" >"$tmp/timeline"
	near "... single spans, --timeline: as long as cpu.stat says" "$(throttled_in "$tmp/timeline")"
	whose_limit
}

# Each view says by whose limit, and none by whom.
limit="[limit: 0.2 CPUs, $group_path]"
whose_limit()
{
	for view in states wakeup timeline; do
		is "... --$view: by that limit" \
			"$(sed -n 's/^[^#].*spinner_0;throttled;\(.*\]\).*/\1/p' "$tmp/$view" | sort -u)" "$limit"
	done
	$pyrograph collapse -q --wall "$tmp/spans.data" >"$tmp/wall"
	near "... --wall: where it ran, by that limit" "$(awk -v limit="$limit" \
		'/spinner_0;.*;work;.*\[throttled\];/ && index($0, limit) { n += $NF } END { printf "%.0f\n", n }' "$tmp/wall")"
	$pyrograph collapse -q --event wall --root thread,state,by "$tmp/spans.data" >"$tmp/rounds"
	has "... collect wall" "$tmp/rounds" "spinner_0;throttled;$limit"
	$pyrograph collapse -q --explain "$tmp/spans.data" >"$tmp/explained"
	has "... --explain" "$tmp/explained" "control group (0.2 CPUs, $group_path)"
	for chart in states timeline; do
		$pyrograph render $chart "$tmp/$chart" >"$tmp/$chart.svg"
		has "... render $chart: by that limit" "$tmp/$chart.svg" "the CPU limit (0.2 CPUs, $group_path)"
		has_not "... which is no thread that had the CPU" "$tmp/$chart.svg" "limit (0.2 CPUs, $group_path) had"
	done
}

alone() { look_at "on an idle CPU"; }
live alone

beside()
{
	taskset -c "$cpu" "$spin" 60 1 >/dev/null & neighbour=$!
	look_at "beside a busy neighbour"
	end_neighbour
}
live beside

# The recorder of stalls writes once a thread was throttled for so long; a wait for a CPU is none.
recorder_of()
{
	$urgent $pyrograph collect sched,wakeup --keep 5s --when "$1" --most 1 -o "$2" -- \
		sh -c 'echo $$ >"$1/cgroup.procs" && exec taskset -c "$2" "$3" 60 1' sh "$group" "$cpu" "$spin" \
		>"$tmp/out" 2>"$tmp/said" & recorder=$!
}
when()
{
	throttled_before=$(throttled_by_now)
	recorder_of 'throttled>20ms' "$tmp/when.data"
	before 60 has_written
	kill $(cat "$group/cgroup.procs")
	finished $recorder
	has "--when 'throttled>20ms': says who" "$tmp/said" "throttled>20ms"
	recorder_of 'throttled>30s' "$tmp/never.data"
	before 60 ended_or enough
	kill $(cat "$group/cgroup.procs")
	finished $recorder
	has_not "... not for waits shorter than that" "$tmp/said" "throttled>30s:"
}
has_written() { gone $recorder || grep -q 'throttled>20ms' "$tmp/said"; }
live when

# Lanes of the group's cpu.stat: how often it was throttled, as the kernel counts it.
times_throttled() { awk '$1 == "nr_throttled" { print $2 }' "$group/cpu.stat"; }
lanes()
{
	times_before=$(times_throttled) throttled_before=$(throttled_by_now)
	$pyrograph collect lanes -a -o "$tmp/lanes.data" 2>"$tmp/said" & recorder=$!
	before 30 ended_or begun "$tmp/lanes.data"
	$urgent sh -c 'echo $$ >"$1/cgroup.procs" && exec taskset -c "$2" "$3" 60 1' sh "$group" "$cpu" "$spin" >"$tmp/out" &
	before 60 ended_or enough
	kill $(cat "$group/cgroup.procs")
	wait $!
	kill -TERM $recorder
	finished $recorder
	$pyrograph collapse -q --lanes "$tmp/lanes.data" >"$tmp/lanes"
	is "lanes: the limit of the group" "$(sed -n "s|^@[^ ]* lane;cpu-limit;$group_path;limit ||p" "$tmp/lanes" | sort -u)" 0.2
	is "... how often it was reached" "$(awk -v lane="lane;cpu-limit;$group_path;periods-throttled" \
		'$2 == lane { n += $3 } END { print n + 0 }' "$tmp/lanes")" $(($(times_throttled) - times_before))
	some "... how long" "$(awk -v lane="lane;cpu-limit;$group_path;throttled" \
		'$2 == lane && $3 > most { most = $3 } END { print int(most) }' "$tmp/lanes")" 20
}
live lanes
