# --cgroup: threads of a control group and of those below it, in hierarchies of versions 1 and 2, alone and hybrid.
# live: groups
. tests/tap.sh
. tests/collect/common.sh

if ! $pyrograph collect sched -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "control groups" "$(tail -1 "$tmp/err")"
	exit 0
fi

name=pyrograph-cgroup-$$
group=
trap '[ -z "$group" ] || rmdir "$group/below" "$group"' EXIT

# in_group GROUP: two spinners, in the group and below it, and one that is in neither
begin_spinners()
{
	inside= below= outside=
	"$spin" 60 1 >"$tmp/inside" & inside=$!
	"$spin" 60 1 >"$tmp/below" & below=$!
	"$spin" 60 1 >/dev/null & outside=$!
	echo $inside >"$group/cgroup.procs"
	echo $below >"$group/below/cgroup.procs"
}

# of COLLECTOR NAME: whom it records
of()
{
	$pyrograph collect "$1" --cgroup "$2" -o "$tmp/of.data" 2>"$tmp/said" & recorder=$!
	before 30 ended_or begun "$tmp/of.data"
	for runs in $inside $below; do before 60 ended_or ran "/proc/$runs" $((10 + $(ticks "/proc/$runs"))); done
	kill -TERM $recorder 2>/dev/null
	finished $recorder
	$pyrograph collapse -q --all --root pid --event all --no-stack "$tmp/of.data" | sed -n 's/^spin_shares-\([0-9]*\).*/\1/p' | sort -u | paste -sd' '
}

hierarchy() # DIRECTORY
{
	begin_spinners
	both=$(printf '%s\n%s\n' "$inside" "$below" | sort | paste -sd' ')
	for collector in sched cpu wakeup wall; do
		is "$1: collect $collector --cgroup DIRECTORY" "$(of $collector "$group")" "$both"
	done
	is "$1: below the mount point" "$(of sched "/$name")" "$both"
	is "... one below it" "$(of sched "$name/below")" "$below"
	end_spinners $inside $below $outside
}

for mount in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpuacct /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
	if [ -e $mount/cgroup.procs ] && mkdir $mount/$name 2>/dev/null && mkdir $mount/$name/below; then
		group=$mount/$name
		live hierarchy $mount
		rmdir $group/below $group
		group=
	else
		skip "$mount" "no control group can be made there"
	fi
done

status "a directory that is no group" 1 $pyrograph collect sched --cgroup /tmp -o "$tmp/none.data"
has "... says so" "$tmp/err" "no such control group"
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # for that shell
	status "no control groups" 1 unshare -m sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec "$0" collect sched --cgroup x -o "$1"' \
		$pyrograph "$tmp/none.data"
	has "... says so, and what to do" "$tmp/err" "no control groups are mounted in /sys/fs/cgroup: mount them there, in a container by -v"
else
	skip "no control groups" "no mount namespace can be made"
fi
