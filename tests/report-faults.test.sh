#!/bin/sh
# pyrograph report, without an option that says what to look for, names the thread and the function of a planted fault
# (tests/workloads/faults.c, and a JVM that collects garbage): on the terminal, in *-why.txt, and on the page.
# slow: records some programs, and draws their charts
# live: explanations
# alone: it says who had the CPUs
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
faults=${BUILD:-build}/tests/workloads/faults

if ! "$pyrograph" collect cpu,sched,offcpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "reports of faults" "cannot record here: $(tail -1 "$tmp/err")"
	exit 0
fi
urgent= # beside the whole machine, so that what others do is seldom worse
! nice -n -15 true 2>/dev/null || urgent="nice -n -15"
on_disk=$(mktemp -p /var/tmp) || exit 1
trap 'rm -f "$on_disk"' EXIT

# report TARGET...: what happened in a second, or two with the next try, goes to $tmp/fact.  $process ends with the recording:
# it need not keep the CPUs busy while charts are drawn.
report()
{
	rm -rf "$tmp/charts" "$tmp/drawn"
	{ "$pyrograph" report -d "$try" -o "$tmp/charts" "$@" 2>&1 >"$tmp/out" && : >"$tmp/drawn"; } |
		while IFS= read -r line; do
			echo "$line"
			case $line in *'.data: '*) [ -z "$process" ] || kill $process ;; esac
		done >"$tmp/err"
	[ -e "$tmp/drawn" ] || not_ok "report $*" "$tmp/err"
	sed -n '/ used .* CPUs\{0,1\} for /{n;s/^pyrograph report: //p;}' "$tmp/err" >"$tmp/fact"
}

# everywhere WHAT: what was said on the terminal is in the page and in *-why.txt, whose first cause it begins with.
everywhere()
{
	cause=$(sed -n 's/^1\. //p' "$tmp"/charts/*-why.txt)
	[ "$cause" ] || cause=$(sed -n '/^Nothing stands out/s/\.$//p' "$tmp"/charts/*-why.txt)
	case $(sed 's/^Nothing made threads wait long; //' "$tmp/fact") in
	"$cause" | "$cause; besides, "*) ok "... and *-why.txt says so" ;;
	*) not_ok "... and *-why.txt says so" "$tmp/fact" "$cause" ;;
	esac
	if sed 's/>/\\u003e/g' "$tmp/fact" | grep -qFf - "$tmp/charts/index.html"; then
		ok "... and so does the page"
	else
		not_ok "... and so does the page" "$tmp/fact"
	fi
}

# is_about PROCESS: is it a victim or guilty in the first finding?
is_about()
{
	"$pyrograph" collapse -q --explain=json "$tmp"/charts/*.data | python3 -c 'import json, sys
for found in json.load(sys.stdin)["findings"][:1]:
    sys.exit(not any(one["process"] == sys.argv[1] for one in [found["guilty"]] + found["victims"]))' "$1"
}

# fault HOW NAME FACT [OTHER]: what report -p, or -a, or -- (HOW) says.  OTHER is true, too, where the machine is busy; and
# for the whole of it, others may be worse then.
fault()
{
	process=
	case $1 in
	-a) # shellcheck disable=SC2086 # words
	    $urgent "$faults" "$2" 60 "$on_disk" & process=$! ;;
	-p) "$faults" "$2" 60 "$on_disk" & process=$! ;;
	esac
	case $1 in
	-a) report -a ;;
	-p) report -p $process ;;
	--) report -- "$faults" "$2" 2.2 ;;
	esac
	[ -z "$process" ] || { kill $process; wait $process; } 2>/dev/null
	about=$process process=
	if grep -qE -e "$3" "$tmp/fact"; then
		ok "report $1, $2"
		everywhere
	elif { [ "${4:-}" ] && grep -qE -e "$4" "$tmp/fact"; } || { [ "$1" = -a ] && ! is_about "faults-$about"; }; then
		inconclusive "report $1, $2" "$(cat "$tmp/fact")"
	else
		not_ok "report $1, $2" "$tmp/fact" "$tmp/err"
	fi
}

cpu='waited for a CPU.*: caused by'
lock='waited for a lock.*: caused by'
stolen="request-1, which ran on CPU 0 only, $cpu batch-job of batch-job-[0-9]*"
hot='request-1 used [0-9.]* of a CPU, mostly in log_in > hash_password'
live fault -p convoy "$lock request-[1-4].*: with_the_book > price_order"
live fault -p stall "$lock cache-refresher: with_the_book > rebuild_index"
live fault -p disk 'journal-writer.* with_the_book > write_journal'
live fault -p inversion "request-1 $lock log-writer: .*(flush_log|write_log).*, which got .*CPU"
live fault -p sleep "$lock request-1: back_off > sleep_ms.*, which slept meanwhile"
live fault -p stolen "$stolen" "request-1, which ran on CPU 0 only, $cpu [0-9]* processes"
pinned="request-[12](,| and request-[12],) which ran on CPU 0 only, $cpu"
live fault -p pinned "$pinned.*price_on_one_cpu > price_order"
live fault -p hot "$hot"
live fault -p waker 'ticker (woke .* times,|used .* of a CPU, mostly) in ring_bells > ring_bell' "$cpu"
live fault -a stolen "$stolen: .*crunch_numbers" "$cpu"
live fault -a disk 'journal-writer.* with_the_book > write_journal'
live fault -a hot "$hot" "$cpu"
live fault -a pinned "$pinned request-[12].* > price_order" "$cpu"
live fault -- stall "$lock cache-refresher: with_the_book > rebuild_index"

# Who is healthy is not accused.
live fault -p idle '^Nothing stands out' 'waited for a CPU'
live fault -p compute '^Nothing made threads wait long; request-[12] used .* > price_order$' 'request-[12] .*waited for a CPU'

# collects: G1 stops the threads of a JVM, which knows their work by other names than the collectors of tests/jvm/pauses.
collects()
{
	java_start -Xmx80m -XX:+UseG1GC Collects
	report -p "$jvm"
	if grep -qE "request-|threads of java-.* had to stop for their JVM" "$tmp/fact" &&
		grep -qE "caused by garbage collection, in VM Thread: VM_G1Collect(ForAllocation|Full)::doit" "$tmp/fact"; then
		ok "report -p, garbage collection"
		everywhere
	else
		not_ok "report -p, garbage collection" "$tmp/fact" "$tmp/err"
	fi
	some "... a kind of wait of its own" "$(grep -c ';\[pause\];' "$tmp"/charts/*-offcpu.folded)" 1
	is "... idle threads are left out" "$(grep -c "ReferenceHandler.run;" "$tmp"/charts/*-offcpu.folded)" 0
	java_stop
}

need_java
live collects
