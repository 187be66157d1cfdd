#!/bin/sh
# What pyrograph report says first of programs with a planted fault, in five languages (tests/planted.sh): it names the
# guilty thread and function, and nobody else.  Ten further faults: report-faults.test.sh, report-locks.test.sh.
# slow: records many programs
# live: explanations
# alone: it says who had the CPUs
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
. tests/faults.sh
. tests/planted.sh

# says HOW FAULT RIGHT FALSE: the headline has RIGHT, and does not have FALSE (extended regular expressions).
says()
{
	what="report $1, $2"
	priority=
	[ "$1" != -a ] || priority=$urgent
	if ! plant "$2"; then
		skip "$what" "$lacks"
	elif ! headline "$1"; then
		not_ok "$what" "$tmp/err"
	elif grep -qE -e "$4" "$tmp/headline"; then
		not_ok "$what" "this is false: $4" "$tmp/headline"
	elif grep -qE -e "$3" "$tmp/headline"; then
		ok "$what"
	else
		not_ok "$what" "this is not said: $3" "$tmp/headline"
	fi
	uproot
}

# still_wrong HOW FAULT RIGHT FALSE: as above, of a fault that report does not understand yet.  Once it does, its row has to
# move.
still_wrong()
{
	says "$@" >"$tmp/still.tap"
	case $(cat "$tmp/still.tap") in
	*"#   this is false:"*|*"#   this is not said:"*) ok "report $1, $2: known to be wrong" ;;
	*"# SKIP"*|not*) cat "$tmp/still.tap" ;;
	*) not_ok "report $1, $2: known to be wrong" "it is right: its row belongs to the others" "$tmp/headline" ;;
	esac
}

live still_wrong -p pool 'request-.* waited.*request-[1-4].*(run_query|store_order|take_connection)' 'Nothing|caused by [^r]'
live still_wrong -p mmap_lock 'caused by remapper: .*remap_arena' 'caused by [^r]|caused by request'
live still_wrong -p quota '(quota|limit).*control group|control group.*(quota|limit)' 'which had it|caused by [0-9a-z_]+ (processes|of)'
