# collect --threads matches whole names.  Short-lived threads have names, and so have threads in every kind of
# recording.  Recording causes no safepoints in the JVM.
# live: threads that come and go
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_sampling "collect --threads"
need_java
names="python3 tests/jvm/names.py"

# tids NAME_REGEXP: the tids that the recording has under such a name, one a line; only of this JVM, since there may be
# others.
tids() { $names list "$tmp/rec.data" | grep -aE "^${inside:-$jvm} [0-9]+ $1" | cut -d' ' -f2 | sort; }
inside=

# all_sampled: the tid of each sample.
all_sampled() { perf script --symfs "$tmp" -i "$tmp/rec.data" -F pid,tid 2>/dev/null | sed -n 's,^ *[0-9]*/\([0-9]*\).*,\1,p'; }

# sampled: the tids that have samples, without threads that have just started, whose names are not known yet.
sampled()
{
	all_sampled | grep -xFf "$tmp/lived" |
		sort | uniq -c | awk '{ n[$2] = $1; all += $1 } END { for (t in n) if (n[t] > all / 10) print t }' | sort
}

# only WHAT NAME_REGEXP: only threads with such names have samples.
only() { is "$1" "$(sampled)" "$(tids "$2")"; }

# Names cannot be read during a garbage collection, which takes long on a busy machine; then another try is needed.

# ---- --threads ----
by_name()
{
	status "--threads" 0 for_cpu_rest 30 "$tmp/rec.data" $collect -q -p "$jvm" --threads '^churn-1-was-renamed' -F 999
	only "... only that one has samples" 'churn-1-'
}

by_the_end()
{
	status "... by what is behind the kernel's 15 bytes" 0 for_cpu_rest 30 "$tmp/rec.data" \
		$collect -q -p "$jvm" --threads 'Monitor Deflation Thread|churn-0-.*-times$' -F 999
	only "... only that one" 'churn-0-'
}

by_none()
{
	status "... that none has" 0 for_cpu_rest 20 "$tmp/rec.data" $collect -p "$jvm" --threads 'no such thread' -F 499
	is "... no samples" "$(sampled)" ""
	has "... which is said" "$tmp/err" "no thread whose name matches 'no such thread'"
}

by_all_collectors()
{
	status "--threads, all that can be recorded" 0 for_cpu_rest 60 "$tmp/rec.data" \
		$pyrograph collect cpu,sched,offcpu,wakeup -q -p "$jvm" --threads '^churn-1-'
	only "... only that one" 'churn-1-'
}

waiting_ones()
{
	status "collect sched" 0 for_cpu_rest 20 "$tmp/rec.data" $pyrograph collect sched -q -p "$jvm"
	is "... has names, too" "$(tids 'idle-[0-4]-waits-for-the-end' | wc -l)" 5
}

java_start Renames 5
ls "/proc/$jvm/task" >"$tmp/lived"
live by_name
live by_the_end
live by_none
if $pyrograph collect sched -p "$jvm" -d 0.1 -o "$tmp/rec.data" 2>/dev/null; then
	live by_all_collectors
	live waiting_ones
else
	skip "--threads of sched" "no right, or no BPF"
fi
java_stop

# ---- in a PID namespace, where the JVM knows its threads by other numbers ----
inside_a_namespace()
{
	status "a PID namespace" 0 for_cpu_rest 20 "$tmp/rec.data" $collect -q -p "$inside"
	for tid in $(tids 'idle-[0-4]-waits-for-the-end'); do
		cat "/proc/$inside/task/$tid/comm"
	done | sort >"$tmp/comms"
	is "... names are those of the same threads" "$(tr '\n' ' ' <"$tmp/comms")" \
		"idle-0-waits-fo idle-1-waits-fo idle-2-waits-fo idle-3-waits-fo idle-4-waits-fo "
}

if unshare -pf --mount-proc true 2>/dev/null; then
	printf '#!/bin/sh\nexec unshare -pf --mount-proc java "$@"\n' >"$tmp/java-inside"
	chmod +x "$tmp/java-inside"
	java=$tmp/java-inside java_start Renames 5
	inside=$(tr -d ' ' <"/proc/$jvm/task/$jvm/children")
	target=$inside
	live inside_a_namespace
	inside= target=
	java_stop
else
	skip "a PID namespace" "no right to make one"
fi

# ---- blanks and tabs, which Java allows: found as they are, and shown in the form of folded text ----
tab=$(printf '\t')
java_start Spin " a${tab}tab "
odd_name()
{
	status "a name with blanks at its ends and a tab" 0 for_cpu_rest 25 "$tmp/rec.data" $collect -q -p "$jvm" -F 999
	for re in '^ a\ttab $' '^ ' '\t' ' $'; do
		"$pyrograph" collapse -q --threads "$re" --root thread --no-stack "$tmp/rec.data" >"$tmp/out"
		is "... --threads '$re' finds it, and only it" "$(grep -v '^#' "$tmp/out" | sed 's/ [0-9]*$//')" "java-$jvm/_a?tab_"
	done
	status "... --threads of collect" 0 for_cpu_rest 25 "$tmp/rec.data" $collect -q -p "$jvm" -F 999 --threads '^ a\ttab $'
	"$pyrograph" collapse -q --root thread --no-stack "$tmp/rec.data" >"$tmp/out"
	is "... finds it, too" "$(grep -v '^#' "$tmp/out" | sed 's/ [0-9]*$//')" "java-$jvm/_a?tab_"
}
live odd_name
java_stop

# ---- programs other than JVMs have the kernel's names ----
not_java()
{
	: >"$tmp/spin.out"
	"$spin" 30 2 >"$tmp/spin.out" & jvm=$!
	before 30 lines "$tmp/spin.out" '^tid' 2 || not_ok "the target starts"
	status "--threads, no JVM" 0 for_cpu 40 "$tmp/rec.data" $collect -q -p "$jvm" --threads '^spinner 1$' -F 499
	is "... only that one" "$(perf script --symfs "$tmp" -i "$tmp/rec.data" -F comm 2>/dev/null | grep -v '^$' | sed 's/^ *//; s/ *$//' | sort -u)" "spinner 1"
	kill "$jvm"
	wait "$jvm" 2>/dev/null
}
live not_java
status "--threads wants an expression" 2 $collect -p 1 --threads '[' -o "$tmp/rec.data"

# ---- threads that start while we look ----
short_ones()
{
	status "threads that live for 2 ms" 0 for_cpu_rest 50 "$tmp/rec.data" $collect -q -p "$jvm" -F 999
	if [ "$can_follow" ]; then
		some "... have names" "$(tids 'short-lived worker number [0-9]+$' | wc -l)" 10
	else
		skip "... have names" "no right, or no BPF"
	fi
	is "... and the others" "$($names list "$tmp/rec.data" | grep -acE "^$jvm [0-9]+ the one that (stays|starts others)\$")" 2
}

short_ones_only()
{
	status "--threads, of those that start later" 0 for_cpu_rest 50 "$tmp/rec.data" \
		$collect -q -p "$jvm" --threads '^short-lived' -F 999
	tids 'the one that stays' >"$tmp/stays"
	is "... not the one that stays" "$(all_sampled | grep -cxFf "$tmp/stays")" 0
	some "... but those" "$(perf script --symfs "$tmp" -i "$tmp/rec.data" -F comm 2>/dev/null | grep -c 'short-lived')" 50
}

java_start -Xlog:safepoint:file="$tmp/safepoints" Short
can_follow=
$pyrograph collect sched -p "$jvm" -d 0.1 -o "$tmp/x.data" 2>/dev/null && can_follow=yes
live short_ones
live short_ones_only
java_stop
is "no safepoint of ours" "$(grep -oE 'Safepoint "[^"]*"' "$tmp/safepoints" | grep -cE 'ThreadDump|PrintThreads')" 0
