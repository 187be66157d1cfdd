# Whose processes are: control groups, and what they stand for.
. tests/tap.sh
. tests/collect/common.sh
need_sampling "owners"

id=5fe1c0ffee00aa11bb22cc33dd44ee55ff66007788990011223344556677889a
uid=1f2e0000-aaaa-bbbb-cccc-000000000001
service=a-service-with-a-name-that-is-longer-than-others.service

# A place where groups can be made: of version 2, or of a hierarchy of version 1 without rules of its own.
place=
for try in /sys/fs/cgroup/freezer /sys/fs/cgroup/pids /sys/fs/cgroup; do
	[ -e $try/cgroup.procs ] && mkdir $try/pyrograph-owners.slice 2>/dev/null || continue
	place=$try/pyrograph-owners.slice
	break
done
if [ -z "$place" ]; then
	skip "whose processes are" "no control group can be made here: not root?"
	exit
fi
trap 'rmdir $place/docker/$id $place/docker $place/kubepods/pod$uid/$id $place/kubepods/pod$uid $place/kubepods $place/$service $place; rm -rf "$tmp"' EXIT
mkdir -p "$place/docker/$id" "$place/kubepods/pod$uid/$id" "$place/$service"

# A manager, as a runtime is: it moves each child into a group before the child executes a program, which starts another.
cat >"$tmp/moves" <<'END'
for group in "docker/$3" "kubepods/pod$4/$3" a-service-with-a-name-that-is-longer-than-others.service; do
	sh -c 'echo $$ >"$1/cgroup.procs"; exec sh -c "\"\$1\" 0.4 1; :" sh "$2"' sh "$1/$group" "$2" >/dev/null &
done
wait
END

# sums ROOT: "FRAME SAMPLES" of what spins
sums()
{
	$pyrograph collapse -q --root "$1" "$tmp/own.data" |
		awk '/;spin_alpha|;spin_beta|;spin_gamma/ { frame = $0; sub(/;.*/, "", frame); n[frame] += $NF }
			END { for (i in n) print i, n[i] }' | LC_ALL=C sort
}
total_of() { $pyrograph collapse -q "$@" 2>/dev/null | awk '/;spin_alpha|;spin_beta|;spin_gamma/ { n += $NF } END { print n + 0 }'; }
samples_of() { $pyrograph collapse -q --no-stack "$@" | sed '/^#/d' | LC_ALL=C sort; }
total() { awk '{ n += $NF } END { print n + 0 }' "$@"; }
frames() { sed 's/ [0-9]*$//' "$1" | paste -sd,; }

of_groups()
{
	status "processes of several groups" 0 $pyrograph collect cpu -F 199 -o "$tmp/own.data" -- sh "$tmp/moves" $place "$spin" $id $uid
	for root in cgroup container pod unit; do sums $root >"$tmp/$root"; done
	sums container-id >"$tmp/both"
	sed -i 's/.*pyrograph-owners.slice//' "$tmp/cgroup"
	is "--root cgroup: three groups, with what they start" "$(frames "$tmp/cgroup")" \
		"/$service,/docker/$id,/kubepods/pod$uid/$id"
	some "... with samples" "$(total "$tmp/cgroup")" 3
	is "--root container: its id where it has no name" "$(frames "$tmp/container")" "5fe1c0ffee00,[no container]"
	is "--root pod: its uid where it has no name" "$(frames "$tmp/pod")" "[no pod],pod $uid"
	is "--root unit" "$(frames "$tmp/unit")" "[no unit],$service"
	is "--pod: only its processes" "$($pyrograph collapse -q --pod "^pod $uid" --root cgroup "$tmp/own.data" | grep -v '^#' |
		sed 's/.*slice//; s/;.*//' | sort -u)" "/kubepods/pod$uid/$id"
	is "--container: both" "$(total_of --container "^5fe1c0ffee00$" "$tmp/own.data")" \
		"$(awk '/^5fe1/ { print $NF }' "$tmp/container")"
	is "... by its whole id" "$(total_of --container "^$id$" "$tmp/own.data")" "$(grep -v '^.no' "$tmp/both" | total)"
	is "--pod by its uid" "$(total_of --pod "^$uid$" "$tmp/own.data")" "$(total_of --pod "^pod $uid$" "$tmp/own.data")"
	is "--root container-id, pod-uid" "$(frames "$tmp/both")" "$id,[no container id]"
	is "--systemd-unit" "$(total_of --systemd-unit "^$service$" "$tmp/own.data")" "$(awk '/^a-/ { print $NF }' "$tmp/unit")"
	is "--cgroup" "$(total_of --cgroup "/docker/" "$tmp/own.data")" "$(awk '/^.docker/ { print $NF }' "$tmp/cgroup")"
	is "... two of them: both match" "$(total_of --cgroup "/docker/" --pod . "$tmp/own.data")" 0
	status "a pattern that is none" 2 $pyrograph collapse --pod '(' "$tmp/own.data"
	has "... names the option" "$tmp/err" "--pod"
	for format in otlp pprof; do
		$pyrograph collapse -q --out $format "$tmp/own.data" >"$tmp/own.$format"
		for root in cgroup container container-id pod pod-uid; do
			is "--out $format and back: $root" "$(samples_of --root $root --event samples "$tmp/own.$format")" \
				"$(samples_of --root $root "$tmp/own.data")"
		done
	done
	for name in container.id k8s.pod.uid process.linux.cgroup; do
		has "--out otlp: attribute $name" "$tmp/own.otlp" $name
	done
	for root in container pod unit; do
		is "... --root $root: as many samples" "$(total "$tmp/$root")" "$(total "$tmp/cgroup")"
	done
}
live of_groups

# A machine, on which a pod runs whose name is only its host name.
of_host()
{
	unshare -u sh -c 'hostname shop-7f9c; echo $$ >"$1/cgroup.procs"; exec "$2" 60 1' sh "$place/kubepods/pod$uid/$id" "$spin" &
	spinner=$!
	before 10 grep -q "pod$uid" /proc/$spinner/cgroup
	status "a whole machine" 0 $pyrograph collect cpu,sched --events -a -d 1 -o "$tmp/host.data"
	kill $spinner
	finished $spinner
	is "--root pod: its host name" "$($pyrograph collapse -q --states --pod . --root pod --no-stack "$tmp/host.data" |
		sed "/^#/d; s/[; ].*//" | sort -u)" "shop-7f9c"
	for form in headline markdown json; do
		$pyrograph collapse -q --explain=$form --pod shop "$tmp/host.data" >"$tmp/explained"
		has "explain says whose a thread is: $form" "$tmp/explained" " (pod shop-7f9c) "
	done
	has "... and JSON of each" "$tmp/explained" "\"process\":\"${spin##*/}-$spinner\",\"container\":\"5fe1c0ffee00\",\"pod\":\"shop-7f9c\"}"
}
# in_group GROUP COMMAND ...: in the background, as $joined
in_group()
{
	sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$place/$1" "$2" "$3" "$4" &
	joined=$!
	before 10 grep -q "$1" /proc/$joined/cgroup
}
# The processes that have samples: "pid-N pid-N"
sampled() { $pyrograph collapse -q --root pid --no-stack "$1" | sed -n 's/^.*-\([0-9]*\) [0-9]*$/\1/p' | sort -n | paste -sd' '; }
has_begun() { [ -s "$tmp/by.data" ]; }
by_owner()
{
	in_group "kubepods/pod$uid/$id" "$spin" 60 1
	first=$joined
	in_group "docker/$id" "$spin" 60 1
	other=$joined
	rm -f "$tmp/by.data"
	$pyrograph collect cpu -F 199 --pod "$uid" --container "^5fe1c0ffee" -o "$tmp/by.data" 2>"$tmp/err" &
	recorder=$!
	before 20 has_begun
	in_group "kubepods/pod$uid/$id" "$spin" 60 1
	second=$joined
	# It has run for long enough after it must have been noticed; in ticks.
	before 30 ran_for 130
	kill -TERM $recorder
	finished $recorder
	kill $first $other $second
	finished $first
	finished $other
	finished $second
	is "--pod, --container: its processes, also one that comes later" "$(sampled "$tmp/by.data")" \
		"$(printf '%s\n' $first $second | sort -n | paste -sd' ')"
	some "... by its functions" "$($pyrograph collapse -q --root pid "$tmp/by.data" | grep -c -- "-$second;.*spin_")" 1
}
ran_for() { awk -v least="$1" '{ exit $14 < least }' /proc/$second/stat; }
$pyrograph collect cpu --pod no-such-pod -d 0.1 -o "$tmp/by.data" 2>"$tmp/err"
has "a pod that is not there" "$tmp/err" "nothing matches: a process of a pod that matches no-such-pod (--wait waits for one)"
status "a pattern that is none" 2 $pyrograph collect cpu --pod '(' -o "$tmp/by.data"
has "... names the option" "$tmp/err" "--pod"
status "--pod and -p" 2 $pyrograph collect cpu --pod x -p 1 -o "$tmp/by.data"
if $pyrograph collect usable sched 2>/dev/null | grep -q sched; then
	live by_owner
else
	skip "processes that come later" "no right to BPF"
fi

if unshare -u true 2>/dev/null && $pyrograph collect usable sched 2>/dev/null | grep -q sched; then
	live of_host
else
	skip "a pod's host name" "no namespace can be made here"
fi

# A control group with a quota, whose name shows the owner.
of_limit()
{
	status "a group with a quota" 0 $pyrograph collect cpu,sched --events -o "$tmp/limit.data" -- \
		sh -c 'echo $$ >"$1/cgroup.procs"; exec "$2" 2 1' sh "$limited" "$spin"
	$pyrograph collapse -q --explain "$tmp/limit.data" >"$tmp/explained"
	has "explain names the group and its limit" "$tmp/explained" "(0.2 CPUs, $limited_unit)"
}
limited_unit=shop.service
limited=
for try in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup; do
	[ -e $try/cgroup.procs ] && mkdir -p $try/$limited_unit 2>/dev/null || continue
	if echo 20000 >$try/$limited_unit/cpu.cfs_quota_us || echo 20000 100000 >$try/$limited_unit/cpu.max; then
		limited=$try/$limited_unit
		break
	fi 2>/dev/null
	rmdir $try/$limited_unit
done
if [ -n "$limited" ] && $pyrograph collect usable sched 2>/dev/null | grep -q sched; then
	live of_limit
else
	skip "a group with a quota" "none can be made here"
fi
[ -z "$limited" ] || rmdir "$limited"
