#!/bin/sh
# The headline of collapse --explain names the thread and the function of a planted fault (tests/workloads/faults.c).
# slow: records some programs
# live: explanations
. tests/tap.sh
faults=${BUILD:-build}/tests/workloads/faults

if ! "$pyrograph" collect cpu,sched,offcpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "explanations" "cannot record here: $(tail -1 "$tmp/err")"
	exit 0
fi
urgent= # so that what others do on this machine is seldom the reason
! nice -n -15 true 2>/dev/null || urgent="nice -n -15"
on_disk=$(mktemp -p /var/tmp) || exit 1
trap 'rm -f "$on_disk"' EXIT

# record TARGET COMMAND...: the command, as TARGET has it (command, pid or all)
record()
{
	how="cpu,sched,offcpu -q $events --wakers -o $tmp/rec.data"
	as=$1
	shift
	# shellcheck disable=SC2086 # words
	case $as in
	command) "$pyrograph" collect $how --events --call-graph dwarf -- "$@" ;;
	pid)     "$@" & "$pyrograph" collect $how -d 2 -p $! ;;
	all)     "$@" & "$pyrograph" collect $how -d 2 -a ;;
	esac || return
	planted=$!
	kill $planted 2>/dev/null
	wait
}

# first_is_of PROCESS: is it victim or guilty in the first finding?
first_is_of()
{
	"$pyrograph" collapse -q --explain=json "$tmp/rec.data" | python3 -c 'import json, sys
for found in json.load(sys.stdin)["findings"][:1]:
    sys.exit(not any(one["process"].startswith(sys.argv[1]) for one in [found["guilty"]] + found["victims"]))' "$1"
}

# fault TARGET NAME FACT [OTHER]: the line of fact matches.  OTHER is true, too, where the machine is busy; and others may
# be worse there.
fault()
{
	seconds=2.2
	[ "$1" = command ] || seconds=20
	# shellcheck disable=SC2086 # words
	record "$1" $urgent "$faults" "$2" $seconds "$on_disk" >"$tmp/out" 2>"$tmp/err" ||
		not_ok "$1 $2: recorded" "$tmp/err"
	"$pyrograph" collapse -q --explain=headline "$tmp/rec.data" >"$tmp/headline" 2>"$tmp/err" ||
		not_ok "$1 $2: explained" "$tmp/err"
	sed -n 2p "$tmp/headline" >"$tmp/fact"
	if grep -qE -e "$3" "$tmp/fact"; then
		ok "$1 $2"
	elif { [ "${4:-}" ] && grep -qE -e "$4" "$tmp/fact"; } || { [ "$1" = all ] && ! first_is_of "faults-$planted"; }; then
		inconclusive "$1 $2" "$(cat "$tmp/fact")"
	else
		not_ok "$1 $2" "$tmp/headline"
	fi
}

busy='waited for a CPU'
events=--events
live fault command stall 'waited for a lock.*: caused by cache-refresher: with_the_book > rebuild_index'
events=--events=1ms # as report does it
for target in pid all; do
	others= # on a busy machine, that may be worse for all of it
	[ $target = pid ] || others=$busy
	live fault $target convoy 'waited for a lock.*: caused by request-[1-4].*: with_the_book > price_order' "$others"
	live fault $target stall 'waited for a lock.*: caused by cache-refresher: with_the_book > rebuild_index' "$others"
	live fault $target disk 'journal-writer.* with_the_book > write_journal' "$others"
	live fault $target inversion 'request-1 waited for a lock.*: caused by log-writer: .*(flush_log|write_log)' "$busy"
	live fault $target sleep 'waited for a lock.*: caused by request-1: back_off > sleep_ms.*, which slept meanwhile' "$others"
	[ $target != all ] || continue # on a busy machine, others would be worse: that is what it would have to say
	live fault $target stolen "request-1.* $busy.*: caused by batch-job" "$busy"
	live fault $target pinned "$busy.*: caused by request-[12].* > price_order" "$busy"
	live fault $target hot 'request-1 used [0-9.]* of a CPU, mostly in log_in > hash_password' "$busy"
	live fault $target waker 'ticker (woke .* times,|used .* of a CPU, mostly) in ring_bells > ring_bell' "$busy"
done

# Who is healthy is not accused.
for target in command pid; do
	live fault $target idle '^Nothing stands out' "$busy"
	live fault $target compute '^Nothing made threads wait long; request-[12] used .* > price_order$' "$busy"
done
