# java: shell functions for tests with real JVMs; use after ". tests/tap.sh" and ". tests/collect/common.sh".
#
# JAVAS: the java commands that are tried, [java]; with JAVAS="java /opt/jdk-21/bin/java" a test
# that calls each_java runs for each.  Classes of tests/jvm/*.java are compiled into $classes.
classes=$PWD/${BUILD:-build}/tests/jvm
JAVAS=${JAVAS:-java}

# each_java CHECK [ARG ...]: runs the live check with each of them as $java; messages about others than "java" begin
# with their version
each_java()
{
	for java in $JAVAS; do
		if [ "$java" = java ]; then
			live "$@"
		else
			live "$@" | sed "s/^\(ok\|not ok\) - /&Java $(java_version "$java"), /"
		fi
	done
	java=
}

# Ends the test file if there is no JVM, or if the classes could not be compiled.
need_java()
{
	command -v java >/dev/null || { skip "a JVM" "no java: apt install openjdk-17-jdk-headless"; exit 0; }
	[ -d "$classes" ] || { skip "a JVM" "no javac: apt install openjdk-17-jdk-headless"; exit 0; }
}

# java_version JAVA: 17
java_version()
{
	"$1" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p'
}

# java_start [JVM_OPTION ...] CLASS [ARG ...]: starts $java (or java), and returns when the program has printed a line
# "ready"; its output goes to $tmp/java.out.  Its pid is $jvm.  The programs end when their input does: java_stop.
# $java may be a shell script that executes the JVM.
java_start()
{
	java_start_only "$@"
	java_ready
}

# java_start_only: does not wait; java_ready does, later.
java_start_only()
{
	mkfifo "$tmp/java.in.$$" 2>/dev/null
	: >"$tmp/java.out"
	"${java:-java}" -cp "$classes" "$@" <"$tmp/java.in.$$" >"$tmp/java.out" 2>"$tmp/java.err" &
	jvm=$!
	exec 9>"$tmp/java.in.$$"
}

java_ready()
{
	tail -n +1 -f --pid="$jvm" "$tmp/java.out" 2>/dev/null | grep -qm1 '^ready'
	kill -0 "$jvm" 2>/dev/null || not_ok "the JVM starts" "$tmp/java.err"
}

# read_cpu: sets $used to the CPU time of $jvm, or of $target where that is the JVM, in hundredths of a second; 0 if it
# is gone
read_cpu()
{
	read -r used 2>/dev/null <"/proc/${target:-$jvm}/stat" || used=") "
	set -- ${used##*) }
	used=$((${12:-0} + ${13:-0}))
}
cpu_used() { read_cpu; echo "$used"; }
target=
cpus=$(nproc)

# for_cpu HUNDREDTHS FILE COLLECT...: records into FILE until $jvm has used so much CPU time during the recording,
# however long that takes.  Returns the recorder's exit status.
for_cpu() { record_for_cpu : : : "$@"; }

# A program that computes all the time is of no use while the collector ends, or while the recording is examined; it
# only takes CPU time from these.  for_cpu_still: the JVM is stopped from then on, until the next one or java_stop.
# for_cpu_rest: the JVM continues, but its program, which knows the commands "c" and "p", rests; for_cpu_only: it also
# rests until the recording has begun.
for_cpu_still() { record_for_cpu "kill -CONT $jvm" : "kill -STOP $jvm" "$@"; }
for_cpu_rest()  { record_for_cpu "java_tell c" : "java_tell p" "$@"; }
for_cpu_only()  { record_for_cpu "java_tell p" "java_tell c" "java_tell p" "$@"; }
java_tell()     { ! kill -0 "$jvm" 2>/dev/null || echo "$1" >&9; }

# record_for_cpu FIRST BEGUN THEN HUNDREDTHS FILE COLLECT...
record_for_cpu()
{
	first=$1 begun=$2 then=$3 enough=$4 recorded=$5
	shift 5
	rm -f "$recorded"
	$first
	"$@" -o "$recorded" 9>&- &
	recorder=$!
	before 60 is_recording
	$begun
	read_cpu
	enough=$((used + enough))
	before 60 has_used_enough
	$then
	kill -INT "$recorder" 2>/dev/null
	wait "$recorder"
}
is_recording() { gone "$recorder" || larger "$recorded" 4000; } # what was there before has been written

# Sleep for the shortest time in which it could be done, on all CPUs, rather than poll, because polling starts
# processes.
has_used_enough()
{
	read_cpu
	[ "$used" -lt "$enough" ] || return 0
	! gone "$recorder" || return 0
	left=$(((enough - used) / cpus))
	[ "$left" -lt 5 ] || sleep "$((left / 100)).$((left / 10 % 10))$((left % 10))"
	return 1
}

# Ends it, and waits until it has.
java_stop()
{
	kill -CONT "$jvm" 2>/dev/null
	exec 9>&-
	wait "$jvm" 2>/dev/null
}

# for_others: from here on, the classes are in $open, where other users can read them; the tree and $tmp may be in a
# directory that they cannot enter, such as root's home.
for_others()
{
	open=$(TMPDIR=/tmp mktemp -d)
	trap 'rm -rf "$open"' EXIT
	chmod 755 "$open"
	cp -r "$classes" "$open/classes"
	classes=$open/classes
	chmod -R go+rX "$classes"
}
