# planted: shell functions that start a program with a planted fault, in C, Java, Python, node or Go, and record it like
# report.  Both have a high priority, so that other programs' trouble is seldom worse.  Use after ". tests/tap.sh", ".
# tests/collect/common.sh", ". tests/jvm/java.sh" and ". tests/faults.sh".
planted=${BUILD:-build}/tests/workloads/planted_faults
group=
trap 'rm -f "$on_disk"; [ -z "$group" ] || rmdir "$group"' EXIT

# make_group CONTROLLER FILE VALUE FILE2 VALUE2: creates $group, a control group: in version 1 with VALUE in FILE, in
# version 2 with VALUE2 in FILE2.  If it cannot be created, $lacks says why.
make_group()
{
	group=/sys/fs/cgroup/$1/pyrograph-test-$$ group_file=$2 group_value=$3
	[ -d "/sys/fs/cgroup/$1" ] || group=/sys/fs/cgroup/pyrograph-test-$$ group_file=$4 group_value=$5
	if ! mkdir "$group" 2>/dev/null; then
		lacks="no control group can be made" group=
	elif ! echo "$group_value" 2>/dev/null >"$group/$group_file"; then
		rmdir "$group"
		lacks="no $group_file in a new control group" group=
	fi
	[ "$group" ]
}

# lack COMMAND: is the command missing?  Then $lacks says so.
lack() { ! command -v "$1" >/dev/null && lacks="no $1"; }

# begin_planted COMMAND...: starts $process, and returns when it has said that it is ready.
begin_planted()
{
	: >"$tmp/planted.out"
	# shellcheck disable=SC2086 # words
	$urgent "$@" >"$tmp/planted.out" 2>"$tmp/planted.err" </dev/null & process=$!
	before 30 has_said_ready
	grep -q ready "$tmp/planted.out" || lacks="it did not begin: $(tail -1 "$tmp/planted.err")"
}
has_said_ready() { grep -q ready "$tmp/planted.out" || gone "$process"; }

in_group() { begin_planted sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$@"; }

# plant FAULT: starts $process, a program with this fault; $seconds are enough to see the fault.  If that is not
# possible here, fails with the reason in $lacks.
plant()
{
	process= lacks= seconds=1.2
	case $1 in
	monitor|starved|resolver)
		lack java || [ -d "$classes" ] || lacks="no javac"
		[ "$lacks" ] || java_begins "$1" ;;
	gil|pictures|sorter|keeper|executor)
		lack python3 || begin_planted python3 tests/workloads/planted_faults.py "$1" 60 ;;
	turn|saturated|endless)
		seconds=2.2
		lack node || begin_planted node --perf-basic-prof --interpreted-frames-native-stack \
			--no-logfile-per-isolate --logfile="$tmp/v8.log" \
			tests/workloads/planted_faults.js "$1" 60 ;;
	go_fsync)
		lack go || go_program
		[ "$lacks" ] || begin_planted "$tmp/go_fsync" 60 "$on_disk" ;;
	quota)
		make_group cpu cpu.cfs_quota_us 10000 cpu.max "10000 100000" && in_group "$planted" "$1" 60 ;;
	reclaim)
		seconds=2.5
		make_group memory memory.limit_in_bytes 67108864 memory.max 67108864 &&
			in_group "$planted" "$1" 60 "$on_disk" ;;
	*)
		begin_planted "$planted" "$1" 60 "$on_disk" ;;
	esac
	[ -z "$lacks" ]
}

java_begins()
{
	printf '#!/bin/sh\nexec %s java "$@"\n' "$urgent" >"$tmp/java"
	chmod +x "$tmp/java"
	java=$tmp/java
	java_start Planted "$1"
	java= process=$jvm
}

go_program()
{
	[ -x "$tmp/go_fsync" ] || GOFLAGS=-mod=mod GOCACHE=$tmp/go.cache GO111MODULE=off \
		go build -o "$tmp/go_fsync" tests/workloads/planted_faults.go 2>"$tmp/go.err" ||
		lacks="go cannot build: $(tail -1 "$tmp/go.err")"
}

uproot()
{
	if [ "${jvm:-}" ] && [ "$process" = "$jvm" ]; then
		java_stop
		jvm=
	elif [ "$process" ]; then
		{ kill "$process"; wait "$process"; } 2>/dev/null
		rm -f "/tmp/perf-$process.map" # of node
	fi
	[ -z "$group" ] || ! before 10 rmdir "$group" || group=
	process=
}

# headline HOW: puts the first lines of report -p, or -a (HOW), about a moment of $process into $tmp/headline.  It runs
# the stages as report does, but without charts.  $planted_by: the collectors, if not those of report.
planted_by=
headline()
{
	case $1 in -p) set -- -p "$process" ;; esac
	[ "$planted_by" = cpu ] || set -- --wakers --events=1ms "$@"
	rm -f "$tmp/planted.data"
	# shellcheck disable=SC2086 # words
	$urgent "$pyrograph" collect "${planted_by:-cpu,sched,offcpu}" -q "$@" -d "$seconds" -o "$tmp/planted.data" 2>"$tmp/err" &&
		"$pyrograph" collapse -q --explain=headline --if-any "$tmp/planted.data" >"$tmp/headline" 2>>"$tmp/err" &&
		sed -i '/^On CPUs: /d; /^Of [a-z]*: /d' "$tmp/headline" # for some charts only
}
