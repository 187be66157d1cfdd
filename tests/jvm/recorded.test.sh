#!/bin/sh
# Java frames in recordings: of processes that become JVMs while they are recorded, of classes that are
# unloaded, of code that is made again and again, of a JVM that ends; and how perf reads them.
# live: JVMs that begin, change and end
. tests/tap.sh
. tests/jvm/java.sh
. tests/collect/common.sh
need_java
rec=$tmp/rec.data

# record WHAT COMMAND ...
record()
{
	what=$1
	shift
	if "$pyrograph" collect cpu --call-graph dwarf -F 999 -o "$rec" -- "$@" >"$tmp/out" 2>"$tmp/said"; then
		return 0
	fi
	if grep -q 'permission\|may not' "$tmp/said"; then skip "$what" "$(tail -1 "$tmp/said")"; else not_ok "$what" "$tmp/said"; fi
	return 1
}

# share FILE REGEXP [OF]: the percentage of matches among the samples that match OF.
share()
{
	awk -v want="$2" -v of="${3:-.}" '$0 ~ of { all += $NF; if ($0 ~ want) n += $NF } END { printf "%d", all ? 100 * n / all : 0 }' "$1"
}

more_than()
{
	if [ "$2" -ge "$3" ]; then ok "$1 ($2 %)"; else not_ok "$1" "$2 %, less than $3 %" "$4" "$tmp/said"; fi
}

# frames_of_others FILE: frames of classes that the thread never ran, "0040 0023".
# "turn0007;...;Victim0007.spin_[0];Victim0007.work_[j]"
frames_of_others()
{
	sed -n 's/^turn\([0-9]*\);.*;Victim\([0-9]*\).*/\1 \2/p' "$1" | awk '$1 != $2'
}

only_its_own()
{
	frames_of_others "$tmp/turns" >"$tmp/wrong"
	if grep -q ';Victim' "$tmp/turns" && [ ! -s "$tmp/wrong" ]; then
		ok "$1"
	else
		not_ok "$1" "$tmp/wrong" "$tmp/turns"
	fi
}

classes_come_and_go()
{
	record "$v: classes come and go" sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exec "$@"' sh \
		"$java" -Xmx64m -cp "$classes" Churn 40 60 || return
	"$pyrograph" collapse --all "$rec" >"$tmp/folded" 2>"$tmp/err"
	is "$v: collapse says nothing" "$(cat "$tmp/err")" ""

	grep '^turn[0-9]*;' "$tmp/folded" >"$tmp/turns"
	grep -v ';java\.lang\.reflect\.Method\.acquireMethodAccessor_' "$tmp/turns" >"$tmp/called" # it makes classes, long in 28
	more_than "$v: frames of classes that were unloaded have names" "$(share "$tmp/called" ';Victim[0-9]*\.spin_\[')" 85 "$tmp/called"
	only_its_own "$v: ... and never those of others"
	grep -v ';JavaThread::post_run[;_]\|;advise_stack_range' "$tmp/turns" >"$tmp/lives" # a thread ends below other functions
	more_than "$v: stacks reach Thread.run" "$(share "$tmp/lives" ';java\.lang\.Thread\.run_\[')" 95 "$tmp/lives"

	"$pyrograph" collapse --srcline "$rec" >"$tmp/lines" 2>&1
	line=$(grep -n 'n += work(n)' tests/jvm/Churn.java | cut -d: -f1)
	more_than "$v: lines" "$(share "$tmp/lines" "Victim[0-9]*[.]spin:Churn[.]java:($line|$((line - 1)))" 'Victim[0-9]*[.]work')" 90 "$tmp/lines"

	if command -v perf >/dev/null; then
		perf script -i "$rec" >"$tmp/script" 2>"$tmp/err"
		grep -v '^Warning:$\|^Processed .* lost\|^Check IO\|^$' "$tmp/err" >"$tmp/other" # but for what was lost
		is "$v: perf script says nothing" "$(cat "$tmp/other")" ""
		if grep -q '(\[java\])' "$tmp/script"; then ok "$v: perf finds [java]"; else not_ok "$v: perf finds [java]"; fi
	fi
}

# turn: the number of the turn of the JVM that $collector has started, or 0
turn() { cat "/proc/$(tr -d ' ' <"/proc/$collector/task/$collector/children")/task/"*/comm 2>/dev/null | sed -n 's/^turn0*//p' | tail -1; }
turned() { gone "$collector" || [ "$(turn)" -ge "$1" ]; }

# Samples wait in the rings until their classes have been unloaded, and other classes have taken their places.
no_time()
{
	"$pyrograph" collect cpu --call-graph dwarf -F 199 -o "$tmp/stalled.data" -- \
		"$java" -Xmx64m -cp "$classes" Churn 70 40 5 2>"$tmp/said" &
	collector=$!
	before 60 larger "$tmp/stalled.data" 30000 || not_ok "$v: a collector that gets no time" "$tmp/said"
	for stop in 1 2 3; do
		before 60 turned $((stop * 20 - 15))
		kill -STOP $collector
		before 60 turned $((stop * 20 + 2))
		kill -CONT $collector
	done
	wait $collector
	"$pyrograph" collapse --all "$tmp/stalled.data" 2>"$tmp/err" | grep '^turn[0-9]*;' >"$tmp/turns"
	only_its_own "$v: a collector that gets no time: no frame of others"
}

# wrong_frames TURNS: "turn0007;...;Recompiled.turn_[j];Recompiled.call_[i];Work0007.work_[i];Recompiled.burn_[i]", or a
# part of it, is right.  At its beginning and end, a thread runs no Java code; on a busy machine, that can be a large
# part of its samples.  When the JVM is gone, frames cannot be looked up, and the collector may have been too late for
# some samples.
wrong_frames()
{
	awk '{ all += $NF }
	$1 ~ /;\[java-gone\]/ { gone += $NF; next }
	$1 !~ /java.lang.Thread.run/ { if ($1 !~ /^[^;]*;(clone3;)?start_thread/) ended += $NF; next }
	{
		n = split($1, frames, ";"); known = ""
		for (i = 2; i <= n; i++)
			if (frames[i] ~ /^(Recompiled|Work)[0-9]*[.](turn|call|work|burn)_/)
				known = known " " substr(frames[i], 1, index(frames[i], "_") - 1)
		whole = " Recompiled.turn Recompiled.call Work" substr($1, 5, 4) ".work Recompiled.burn"
		if (substr(whole, 1, length(known)) != known)
			print "want" whole ": " $0
	}
	END {
		if (ended > all / 10) print ended " of " all " ended early"
		if (gone > all / 4) print gone " of " all " came when the JVM was gone"
	}' "$1"
}
while IFS='|' read -r what count stack; do
	{
		echo 'turn0007;clone3;start_thread;java.lang.Thread.run_[0];Recompiled.turn_[j];Recompiled.call_[i] 70'
		echo "$stack 30"
	} >"$tmp/made"
	is "made stacks: $what" "$(wrong_frames "$tmp/made" | wc -l)" "$count"
done <<'END'
right|0|turn0007;clone3;start_thread;java.lang.Thread.run_[0];Recompiled.turn_[j];Recompiled.call_[i];Work0007.work_[i]
of another turn|1|turn0007;clone3;start_thread;java.lang.Thread.run_[0];Recompiled.turn_[j];Recompiled.call_[i];Work0006.work_[i]
without a caller|1|turn0007;clone3;start_thread;java.lang.Thread.run_[0];Recompiled.call_[i]
many at the end of threads|0|turn0007;clone3;start_thread;thread_native_entry;JavaThread::post_run
many that end early|1|turn0007;Recompiled.burn_[j]
many of a JVM that is gone|1|turn0007;[java-gone]
END

made_again()
{
	record "$v: code is made again and again" "$java" -Xmx64m -cp "$classes" Recompiled 40 60 || return
	"$pyrograph" collapse --all "$rec" 2>"$tmp/err" | grep '^turn[0-9]*;' >"$tmp/turns"
	wrong_frames "$tmp/turns" >"$tmp/wrong"
	if [ -s "$tmp/turns" ] && [ ! -s "$tmp/wrong" ]; then
		ok "$v: ... and no frame is wrong"
	else
		not_ok "$v: ... and no frame is wrong" "$tmp/wrong" "$tmp/err"
	fi
	more_than "$v: ... compiled" "$(share "$tmp/turns" '_\[[1ij?]\] [0-9]*$')" 50 "$tmp/turns"
}

for java in $JAVAS; do
	v=java$(java_version "$java")
	live classes_come_and_go
	live no_time
	live made_again
done
java=

# Names are written at the end.
killed()
{
	java_start Spin
	"$pyrograph" collect cpu -F 999 --call-graph dwarf -o "$tmp/killed.data" -p "$jvm" 2>"$tmp/said" 9>&- &
	collector=$!
	before 60 larger "$tmp/killed.data" 60000 || not_ok "SIGKILL: the file grows" "$tmp/said"
	kill -KILL $collector
	wait $collector 2>/dev/null
	java_stop
	"$pyrograph" collapse "$tmp/killed.data" >"$tmp/folded" 2>"$tmp/err"
	grep -q 'frames of Java and Python have no names' "$tmp/err" && ok "SIGKILL: says that Java frames have no names" ||
		not_ok "SIGKILL: says that frames of Java and Python have no names" "$tmp/err" "$tmp/folded"
}
live killed
