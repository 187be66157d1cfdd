# collect --keep, the flight recorder: when something happens, the time before it becomes a recording.
# live: what is kept
. tests/tap.sh
. tests/collect/common.sh
. tests/collect/blocks.sh
. tests/jvm/java.sh
processes=${BUILD:-build}/tests/workloads/processes
slow_calls=${BUILD:-build}/tests/workloads/slow_calls
need_sampling "collect --keep"

# usage_says WHAT PATTERN ARG...
usage_says()
{
	what=$1 pattern=$2
	shift 2
	status "$what" 2 "$pyrograph" collect "$@" -- true
	has "... and says what to do" "$tmp/err" "$pattern"
}

matches() { if grep -q -e "$3" "$2"; then ok "$1"; else not_ok "$1" "no match of '$3' in:" "$2"; fi; }

usage_says "a condition without --keep" '--when needs --keep' offcpu --when 'offcpu>50ms'
usage_says "--after without --keep" 'belong to --keep' cpu --after 1s
usage_says "--report without --keep" 'belong to --keep' cpu --report
usage_says "no such condition" "Did you mean 'offcpu'" offcpu --keep 1s --when 'ofcpu>50ms'
usage_says "a condition without a limit" 'offcpu>TIME' offcpu --keep 1s --when offcpu
usage_says "a limit that is no time" "'soon' is not a time" offcpu --keep 1s --when 'offcpu>soon'
usage_says "a lane without a name" 'which lane' lanes --keep 1s --when 'lane>1M'
usage_says "a lane's limit that is no quantity" 'is not a quantity' lanes --keep 1s --when 'lane:udp.depth>much'
usage_says "no such system call" "no system call 'wrote'" syscalls --keep 1s --when 'syscall:wrote>1ms'
usage_says "a line without a file" 'FILE=REGEXP' cpu --keep 1s --when-line ERROR

status "trigger, and nobody is there" 1 "$pyrograph" trigger -p $$
has "... says so" "$tmp/err" 'does not record with --keep'

if ! $pyrograph collect usable offcpu 2>/dev/null | grep -q offcpu; then
	skip "what is kept" "$($pyrograph collect usable offcpu 2>&1 >/dev/null | tail -1)"
	exit 0
fi

# sleeper FILE [SECONDS]: sleeps for short times; once FILE exists, sleeps long, logs the beginning and end of that, and
# then sleeps for short times again.
sleeper='
import os, sys, time
def ns(): return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
go, log = sys.argv[1], sys.argv[2]
print("ready", flush=True)
slept = False
while True:
    time.sleep(0.002)
    if not slept and os.path.exists(go):
        a = ns(); time.sleep(float(sys.argv[3])); b = ns()
        with open(log + ".new", "w") as f: f.write("%d %d\n" % (a, b))
        os.rename(log + ".new", log)
        slept = True
'
start_sleeper()
{
	rm -f "$tmp/go" "$tmp/log"
	: >"$tmp/sleeper"
	python3 -c "$sleeper" "$tmp/go" "$tmp/log" "$1" >"$tmp/sleeper" &
	sleeper_pid=$!
	before 30 grep -q ready "$tmp/sleeper"
}
end_sleeper() { kill "$sleeper_pid" 2>/dev/null; wait "$sleeper_pid" 2>/dev/null; }

# recorder ARG...: runs a flight recorder in the background.
recorder()
{
	rm -rf "$tmp/kept"
	mkdir "$tmp/kept"
	: >"$tmp/recorder.err" # of the one before, which the shell's child empties only later
	$pyrograph collect "$@" -o "$tmp/kept/k.data" 2>"$tmp/recorder.err" &
	recorder_pid=$!
	before 60 grep -q 'keeping the last' "$tmp/recorder.err" || not_ok "the recorder has begun" "$tmp/recorder.err"
}
end_recorder()
{
	kill -INT $recorder_pid
	finished $recorder_pid
	recorder_status=$?
}
kept()     { ls "$tmp/kept" | grep -c '^k-.*\.data$'; }
kept_are() { [ "$(kept)" -ge "$1" ]; }
first()    { echo "$tmp/kept/$(ls "$tmp/kept" | grep '^k-.*\.data$' | head -1)"; }

# Memory of data that is too old is given back: the file in memory has holes.
forgotten()
{
	recorder syscalls -a --min 1ns --call '^getppid$' --keep 100ms
	memory=$(ls -l /proc/$recorder_pid/fd | sed -n 's/.* \([0-9]*\) -> .memfd:pyrograph.*/\1/p' | head -1)
	before 60 has_grown
	before 60 has_holes
	is "what is too old is forgotten" "$(has_holes && echo yes)" yes
	end_recorder
}
in_memory() { stat -L -c '%s %b' /proc/$recorder_pid/fd/$memory; }
has_grown()
{
	"$slow_calls" many 30000
	set -- $(in_memory)
	[ "$1" -gt 3000000 ]
}
has_holes()
{
	set -- $(in_memory)
	[ "$1" -gt 3000000 ] && [ $(($2 * 512)) -lt $(($1 / 2)) ]
}

# Names of files are forgotten when no data in memory refers to them, even if new files are used all the time.  Here,
# the program writes each file once, which takes long enough to be recorded by itself.  It goes on until the names of
# the first files must have been forgotten: 6 s, then 10 s more until data are old enough, and 6 s again.
many_files='
import os, select, sys, time
bytes, n, enough, path = bytes(16384), 0, None, sys.argv[1] + "/one-of-many-%d"
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    fd = os.open(path % n, os.O_WRONLY | os.O_CREAT)
    os.write(fd, bytes)
    os.close(fd)
    os.unlink(path % n)
    n += 1
    if n == 20000:
        enough = time.monotonic() + 25
    if enough and time.monotonic() > enough:
        print("enough", flush=True)
        enough = None
    if n % 100 == 0:
        time.sleep(0.01 if n < 20000 else 0.5)
print("made", n, flush=True)
'
forgets_files()
{
	mkfifo "$tmp/fifo" 2>/dev/null
	dir=$(mktemp -d /dev/shm/keep.XXXXXX) || { skip "names of files" "no /dev/shm"; return; }
	: >"$tmp/many"
	python3 -c "$many_files" "$dir" <"$tmp/fifo" >"$tmp/many" &
	many_pid=$!
	exec 7>"$tmp/fifo"
	before 30 grep -q ready "$tmp/many"
	recorder syscalls --min 1us --call write -p $many_pid --keep 200ms --rest 10ms --after 10ms
	before 120 grep -q enough "$tmp/many"
	$pyrograph trigger -p $recorder_pid >"$tmp/asked"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	kill -INT $recorder_pid
	exec 7>&-
	finished $recorder_pid
	finished $many_pid
	rmdir "$dir"
	made=$(sed -n 's/^made //p' "$tmp/many")
	forgot=$(sed -n 's/.*forgot \([0-9]*\) names of files.* kept \([0-9]*\)$/\1/p' "$tmp/recorder.err")
	left=$(sed -n 's/.*forgot \([0-9]*\) names of files.* kept \([0-9]*\)$/\2/p' "$tmp/recorder.err")
	has "names of files are forgotten" "$tmp/recorder.err" "names of files that nothing in memory refers to"
	within "of $made files, the first are forgotten" "${forgot:-0}" 16384 "$made"
	is "... so that fewer are left" "$(awk "BEGIN { print (${left:-$made} < $made - 16383) }")" 1
	$pyrograph collapse --syscalls --root file --no-stack "$(first)" >"$tmp/folded" 2>/dev/null
	some "... and a recording names those that it has" "$(grep -c "/one-of-many-" "$tmp/folded")" 1
	has_not "... all of them" "$tmp/folded" '[file '
}

# Data that wait until they are old enough are in a directory of their own.
mkdir "$tmp/aside"
aside()
{
	tmp=$tmp/aside
	live forgotten
	live forgets_files
}
aside >"$tmp/aside.tap" &
aside=$!

a_long_wait()
{
	start_sleeper 0.4
	recorder cpu,offcpu -p $sleeper_pid --keep 2s --after 100ms --when 'offcpu>350ms'
	sleep 1.7 # with the wait, more than is kept
	: >"$tmp/go"
	before 30 kept_are 1
	before 30 test -e "$tmp/log"
	end_recorder
	end_sleeper
	read -r from_ns to_ns <"$tmp/log"
	is "a wait of 0.4 s: the recorder ends well" $recorder_status 0
	is "... with one recording" "$(kept)" 1
	matches "... told with its cause" "$tmp/recorder.err" "k-.*: offcpu>350ms at .*thread $sleeper_pid of process $sleeper_pid"
	matches "... and counted at the end" "$tmp/recorder.err" '1 recording written'
	is "... and nothing else is left" "$(ls "$tmp/kept" | wc -l)" 1
	$pyrograph collapse --offcpu --columns time,longest "$(first)" >"$tmp/folded" 2>"$tmp/err"
	longest=$(awk '{ if ($NF + 0 > n) n = $NF + 0 } END { print n }' "$tmp/folded")
	within "... which has the wait" "$longest" 350000000 $((to_ns - from_ns))
	$pyrograph collapse --offcpu --timed "$(first)" 2>/dev/null | sed -n 1p >"$tmp/header"
	begin=$(sed -n 's/.* from=\([^ ]*\).*/\1/p' "$tmp/header") end=$(sed -n 's/.* to=\([^ ]*\).*/\1/p' "$tmp/header")
	window=$(awk "BEGIN { print $(date -d "$end" +%s.%N) - $(date -d "$begin" +%s.%N) }")
	all=$(sed -n 's/.*; \([0-9.]*\) s before it.*/\1/p' "$tmp/recorder.err")
	is "... and two seconds before it" "$(awk "BEGIN { print ($all >= 2) }")" 1
	is "... and what was after it" "$(awk "BEGIN { print ($window >= $all - 0.05 + 0.1) }")" 1 # that was rounded
	$pyrograph explain "$(first)" >"$tmp/why" 2>/dev/null
	matches "explain says what it was written for" "$tmp/why" "Written for offcpu>350ms: [0-9.]* m*s of thread $sleeper_pid"
	perf script --symfs "$tmp" -i "$(first)" >"$tmp/script" 2>"$tmp/err" # perf reads it, too
	some "perf reads it" "$(grep -c "^python3 *$sleeper_pid" "$tmp/script")" 1
}
live a_long_wait

# The collector that a condition needs is added, and gets its options wherever they stand.
added()
{
	start_sleeper 0.4
	recorder cpu --wakers -p $sleeper_pid --keep 2s --after 100ms --when 'offcpu>350ms' --when 'syscall:read>30'
	: >"$tmp/go"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	end_recorder
	end_sleeper
	is "conditions add their collectors, told once" "$(grep -c -e '--when adds offcpu, syscalls to what' "$tmp/recorder.err")" 1
	matches "... which see them" "$tmp/recorder.err" "k-.*: offcpu>350ms at .*thread $sleeper_pid of process $sleeper_pid"
	some "... and are in the recording" "$($pyrograph collapse --offcpu "$(first)" 2>/dev/null | wc -l)" 1
}
live added

by_hand()
{
	recorder cpu -a --keep 1s --rest 10ms --most 2
	is "with no condition: nothing yet" "$(kept)" 0
	for n in 1 2 3; do
		$pyrograph trigger -p $recorder_pid >"$tmp/asked"
		before 30 lines "$tmp/recorder.err" 'k-.*: asked for at' $n
		before 30 lines "$tmp/recorder.err" "wrote" $n
	done
	is "trigger says whom it asked" "$(cat "$tmp/asked")" $recorder_pid
	: >"$tmp/kept/k-2020-01-01T000000Z.data"
	ln -s "$tmp/asked" "$tmp/kept/k-2020-01-01T000001Z.data"
	kill -USR1 $recorder_pid
	before 30 lines "$tmp/recorder.err" "wrote" 4
	end_recorder
	is "four by hand" "$(grep -c 'asked for at' "$tmp/recorder.err")" 4
	is "... of which the last two are there" "$(find "$tmp/kept" -type f -size +1k | wc -l)" 2
	is "... and what others made stays" "$(ls "$tmp/kept"/k-2020* | wc -l)" 2
	some "... with samples and names" "$($pyrograph collapse "$(ls "$tmp"/kept/k-20[!2]*Z*.data "$tmp"/kept/k-202[!0]*.data 2>/dev/null | tail -1)" 2>"$tmp/err" | wc -l)" 1
}
live by_hand

# Of several recordings in one second, the first name is the oldest: STEM-TIME.data, STEM-TIME-2.data, ...,
# STEM-TIME-10.data.
oldest_go()
{
	recorder cpu -a --keep 100ms --rest 10ms --most 3
	for n in '' -2 -9 -10; do printf PERFILE2 >"$tmp/kept/k-2021-01-01T000000Z$n.data"; done
	$pyrograph trigger -p $recorder_pid >"$tmp/asked"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	end_recorder
	is "the recorder has ended well" "$recorder_status $(grep -c wrote "$tmp/recorder.err")" "0 1"
	is "the oldest go, by time and number" "$(cd "$tmp/kept" && echo k-2021*)" \
		"k-2021-01-01T000000Z-10.data k-2021-01-01T000000Z-9.data"
}
live oldest_go

# --report: each recording gets a directory, drawn by another process, and pruned with the recording.
reports()
{
	"$spin" 600 1 0 20 >"$tmp/spin.out" &
	spinner=$!
	recorder cpu -p $spinner -F 499 --keep 200ms --rest 10ms --after 10ms --most 2 --report
	mkdir "$tmp/kept/k-2021-01-01T000000Z" "$tmp/kept/k-2021-01-02T000000Z"
	for day in 01 02; do # of runs before: with a file of somebody's own, and without
		printf PERFILE2 >"$tmp/kept/k-2021-01-${day}T000000Z.data"
		: >"$tmp/kept/k-2021-01-${day}T000000Z/index.html"
	done
	: >"$tmp/kept/k-2021-01-01T000000Z/notes"
	for n in 1 2 3; do
		$pyrograph trigger -p $recorder_pid >"$tmp/asked"
		before 30 lines "$tmp/recorder.err" 'wrote' $n
		before 120 lines "$tmp/recorder.err" 'drew .*/index.html' $n
	done
	end_recorder
	end_spinners $spinner
	is "--report: the recorder ends well" $recorder_status 0
	is "... with three reports" "$(grep -c 'drew ' "$tmp/recorder.err")" 3
	is "... of which those of the last two recordings are left" "$(cd "$tmp/kept" && ls -d k-*/ | grep -v 2021)" \
		"$(cd "$tmp/kept" && ls k-*.data | grep -v 2021 | sed 's,\.data$,/,')"
	some "... with a page" "$(grep -c 'k-.*-heat.svg' "$(first | sed 's/\.data$//')/index.html")" 1
	is "... and the recording, without another copy" "$(stat -c %h "$(first)")" 2
	is "... and of older ones what is not ours" "$(cd "$tmp/kept" && find k-2021* | tr "\n" " ")" \
		"k-2021-01-01T000000Z k-2021-01-01T000000Z/notes "
}
live reports

# A failing report (its program is missing) is reported, and nothing else fails.
no_report()
{
	mkdir -p "$tmp/bin"
	cp "$(dirname "$pyrograph")/pyrograph-collect" "$tmp/bin/pyrograph-collect"
	rm -rf "$tmp/kept"
	mkdir "$tmp/kept"
	: >"$tmp/recorder.err"
	PATH=/usr/bin:/bin "$tmp/bin/pyrograph-collect" cpu -a --keep 200ms --rest 10ms --report -o "$tmp/kept/k.data" \
		2>"$tmp/recorder.err" &
	recorder_pid=$!
	before 60 grep -q 'keeping the last' "$tmp/recorder.err"
	kill -USR1 $recorder_pid
	before 30 lines "$tmp/recorder.err" 'its report could not be drawn (status 1)' 1
	end_recorder
	is "a report that fails: the recorder ends well" $recorder_status 0
	matches "... and counts it" "$tmp/recorder.err" '0 reports drawn, 1 failed'
	is "... and the recording is there" "$(kept)" 1
}
live no_report

# The wall clock is set during the recording, but only for the recorder, which reads the clock through this library.
clock_steps()
{
	cat >"$tmp/step.c" <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>

		int clock_gettime(clockid_t id, struct timespec *t)
		{
			long status = syscall(SYS_clock_gettime, id, t), seconds;
			FILE *f = id == CLOCK_REALTIME ? fopen(getenv("STEP"), "r") : NULL;

			if (f && fscanf(f, "%ld", &seconds) == 1)
				t->tv_sec += seconds;
			if (f)
				fclose(f);
			return (int)status;
		}

		time_t time(time_t *to)
		{
			struct timespec t;

			clock_gettime(CLOCK_REALTIME, &t);
			if (to)
				*to = t.tv_sec;
			return t.tv_sec;
		}
	END
	cc -shared -fPIC -o "$tmp/step.so" "$tmp/step.c" || { skip "steps of the clock" "no compiler"; return; }
	echo 0 >"$tmp/step"
	start_sleeper 0
	export STEP="$tmp/step" LD_PRELOAD="$tmp/step.so"
	recorder offcpu --events -p $sleeper_pid --keep 2s --rest 10ms --after 10ms --most 2
	unset STEP LD_PRELOAD
	step 0 1
	step -3600 2 # before the recordings that are there
	is "set back an hour: what was before and after is in one recording" "$(hours)" "-1 0"
	has "... which says so" "$tmp/header" "clock steps 1"
	matches "... and has the time before it" "$tmp/recorder.err" 'asked for at .*; [2-9][.0-9]* s before it'
	step 3600 3
	is "set forward two hours: the same" "$(hours)" "-1 1"
	is "the last two are left, whatever their names say" "$(kept) $(ls "$tmp/kept" | grep -c "$(basename "$(last)")")" "2 1"
	sleep 2.5
	step 3600 4
	is "later nothing is left of it" "$(hours)" 1
	has_not "... and nothing is said" "$tmp/header" "clock steps"
	end_recorder
	end_sleeper
	is "the recorder ends well" $recorder_status 0
}
# step SECONDS N: sets the clock off by SECONDS, which the recorder notices within a second; then writes the Nth
# recording.
step()
{
	[ "$2" != 3 ] || sleep 1 # nothing must be left of the previous step
	echo "$1" >"$tmp/step"
	[ "$2" = 4 ] || sleep 1.5
	$pyrograph trigger -p $recorder_pid >"$tmp/asked"
	before 30 lines "$tmp/recorder.err" 'wrote' "$2"
}
last() { sed -n 's/.*wrote //p' "$tmp/recorder.err" | tail -1; }
# off the true time of an event in the last recording, in hours
hours()
{
	$pyrograph collapse --offcpu --waits all --timed "$(last)" 2>"$tmp/err" >"$tmp/folded"
	sed -n 1p "$tmp/folded" >"$tmp/header"
	now=$(date +%s)
	sed -n 's/^@\([0-9]*\)\..*/\1/p' "$tmp/folded" |
		awk -v now="$now" '{ h = ($1 - now) / 3600; printf "%.0f\n", (h < 0 && h > -0.5) ? 0 : h }' | sort -nu | xargs
}
live clock_steps

always_true()
{
	recorder offcpu -a --keep 1s --when 'offcpu>1ms' --rest 1h --after 10ms
	before 30 grep -q 'again: no other recording' "$tmp/recorder.err"
	before 30 kept_are 1
	end_recorder
	is "a condition that is always true: one recording" "$(kept)" 1
	matches "... how often it held is told" "$tmp/recorder.err" 'conditions held [0-9]* more times'
	is "... and said once meanwhile" "$(grep -c 'again: no other' "$tmp/recorder.err")" 1
}
live always_true

a_line()
{
	echo 'ERROR before' >"$tmp/some.log"
	recorder cpu -a --keep 1s --after 10ms --rest 10ms --when-line "$tmp/some.log=ERROR|late" --when-line "$tmp=a directory"
	has "a log that is not a file is told" "$tmp/recorder.err" "--when-line: $tmp: is not a file: its lines are not heard"
	echo 'all is well' >>"$tmp/some.log"
	printf 'an ERR' >>"$tmp/some.log"
	echo 'OR in two parts' >>"$tmp/some.log"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	mv "$tmp/some.log" "$tmp/some.log.1"
	echo 'too late' >"$tmp/some.log"
	before 30 lines "$tmp/recorder.err" 'wrote' 2
	end_recorder
	is "lines in a log, also in the next one" "$(grep -c 'k-.*: .*some.log=ERROR' "$tmp/recorder.err")" 2
}
live a_line

of_each_kind()
{
	printf '' >"$tmp/queue.csv"
	start_sleeper 0.3
	recorder syscalls,lanes -p $sleeper_pid --keep 1s --after 10ms --rest 10ms --when 'syscall:clock_nanosleep>250ms' \
		--when 'lane:queue>20' --csv "queue=$tmp/queue.csv" --csv-clock monotonic
	: >"$tmp/go"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	matches "a system call" "$tmp/recorder.err" 'k-.*: syscall:clock_nanosleep>250ms at .*, 3[0-9][0-9] ms'
	now=$(python3 -c 'import time; print(time.clock_gettime(time.CLOCK_MONOTONIC))')
	echo "$now,19" >>"$tmp/queue.csv"
	echo "$now,21.5" >>"$tmp/queue.csv"
	before 30 lines "$tmp/recorder.err" 'wrote' 2
	end_recorder
	end_sleeper
	matches "a lane" "$tmp/recorder.err" 'k-.*: lane:queue>20 at .*, 21.5;'
}
live of_each_kind

# Record with the lowest limit, a microsecond, a program that wakes up, starts programs and writes, and threads that
# wait for a lock.
writes='while sleep 0.02; do
	dd if=/dev/zero of="$0" bs=64k count=4 oflag=direct conv=fsync || dd if=/dev/zero of="$0" bs=64k count=4 conv=fsync
done 2>/dev/null'
kind_of() # SOURCE CONDITION
{
	if [ "$1" = locks ]; then "$blocks" pair 100000 2 >"$tmp/pair" & else sh -c "$writes" "$tmp/kept.bytes" & fi
	works=$!
	recorder $1 -p $works --keep 100ms --after 10ms --rest 1h --when "$2"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	end_recorder
	kill $works
	wait $works 2>/dev/null
	matches "$2" "$tmp/recorder.err" "k-.*: $2 at "
	some "... in a recording that has some of $1" "$($pyrograph collapse --$1 "$(first)" 2>/dev/null | wc -l)" 1
}
live kind_of wakeup 'runnable>1us'
live kind_of faults 'fault>1us'
live kind_of io 'io>1us'
live kind_of locks 'lock>1us'

# Killed between two recordings: what was written stays whole, and no other file is left.
killed()
{
	recorder cpu -a --keep 1s --rest 10ms
	$pyrograph trigger -p $recorder_pid >"$tmp/asked"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	kill -KILL $recorder_pid
	finished $recorder_pid
	is "killed: one file is there" "$(ls "$tmp/kept" | wc -l)" 1
	status "... which is whole" 0 $pyrograph collapse -o "$tmp/folded" "$(first)"
	has_not "... without a warning" "$tmp/err" "cut off"
}
live killed

# Processes that ended long ago are forgotten, with the names of their Java threads and the files of their programs.
# This happens only when records about processes take many bytes.  So start and end many processes of a program with a
# long path, which each process has in a record, until the files are closed.
forgets()
{
	if ! command -v java >/dev/null || [ ! -d "$classes" ]; then
		skip "who ended is forgotten" "no JVM"
		return
	fi
	recorder cpu -a -F 999 --keep 100ms --rest 10ms --after 10ms
	java_start Short
	gone=$tmp/gone
	cp "$(command -v sleep)" "$gone"
	"$gone" 0.5
	rm "$gone"
	before 30 keeps_files
	is "the file of a program that was removed is kept" "$(keeps_files && echo yes)" yes
	$pyrograph trigger -p $recorder_pid >"$tmp/asked"
	before 30 lines "$tmp/recorder.err" 'wrote' 1
	some "... and names of threads that have ended" "$(grep -ac 'short-lived worker number' "$(first)")" 2
	java_stop
	rm "$(first)"
	long=$tmp
	for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do long=$long/$(printf %0200d $n); done
	mkdir -p "$long" && cp "$processes" "$long"
	for n in 1 2 3 4; do # the first ones are probably enough; the recorder needs 12 s for them
		"$long/processes" burst 1500 2 >"$tmp/burst"
		before 15 keeps_none && break
	done
	is "... until nothing that is kept is from then" "$(keeps_files && echo still)" ""
	"$long/processes" burst 20000 2 >"$tmp/burst" & burst=$!
	before 30 ran "/proc/$burst" 5
	$pyrograph trigger -p $recorder_pid >"$tmp/asked"
	before 30 lines "$tmp/recorder.err" 'wrote' 2
	kill $burst
	wait $burst 2>/dev/null
	end_recorder
	is "... and those of threads, too" "$(grep -ac 'short-lived worker number' "$(first)")" 0
	$pyrograph collapse --pid "$(first)" >"$tmp/folded" 2>"$tmp/err"
	some "... while others have their names" "$(grep -c ';processes\[\|;main' "$tmp/folded")" 1
}
keeps_none()  { ! keeps_files; }
keeps_files() { ls -l /proc/$recorder_pid/fd 2>/dev/null | grep -q "$gone (deleted)"; }
live forgets

full_disk()
{
	mkdir -p "$tmp/small"
	mount -t tmpfs -o size=16m none "$tmp/small" 2>/dev/null || { skip "a full disk" "no right to mount"; return; }
	: >"$tmp/recorder.err"
	$pyrograph collect cpu -a -F 2999 --keep 1s --rest 10ms -o "$tmp/small/k.data" 2>"$tmp/recorder.err" &
	recorder_pid=$!
	before 60 grep -q 'keeping the last' "$tmp/recorder.err"
	head -c 16m /dev/zero >"$tmp/small/filler" 2>/dev/null
	kill -USR1 $recorder_pid
	before 30 grep -q 'k-.*: cannot' "$tmp/recorder.err"
	rm "$tmp/small/filler"
	before 30 lines "$tmp/recorder.err" "cannot" 1
	kill -USR1 $recorder_pid
	before 30 lines "$tmp/recorder.err" 'asked for at' 2
	end_recorder
	is "a full disk: told by the exit status" $recorder_status 1
	matches "... and in words" "$tmp/recorder.err" '1 recording could not be written'
	umount "$tmp/small"
}
live full_disk

wait $aside
cat "$tmp/aside.tap"
