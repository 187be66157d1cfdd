#!/bin/sh
# fleet: a directory of charts of many machines, for any web server, or to open as files: examples/README.md.
#
#   sh fleet.sh DIR STORE [HOURS]           out of a store: clickhouse://store:8123/perf; the last hour, or so many
#   sh fleet.sh DIR RECORDING...            out of files of many hosts
#
# PYROGRAPH: the program [pyrograph].  EVENT: what is drawn [that of the first recording].  ACCESS: options for a store,
# such as '--user perf --password-file FILE'.
set -e
pyrograph=${PYROGRAPH:-pyrograph}
[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2; exit 2; }
dir=$1
shift
case $1 in
clickhouse*://*)
	store=$1
	since=$(date -u -d "-${2:-1} hour" +%FT%H:%M:%SZ)
	event=${EVENT:-cpu-clock}
	# shellcheck disable=SC2086
	read_all() { $pyrograph collapse -q $ACCESS --from "$since" "$@" "$store"; }
	timed="--resolution 20ms" # the store adds up: a number for each row and second
	;;
*)
	store=
	files=$(mktemp -d)
	trap 'rm -rf "$files"' EXIT
	for file in "$@"; do ln -s "$(realpath "$file")" "$files/$(printf %06d "$(ls "$files" | wc -l)").data"; done
	event=${EVENT:-$($pyrograph collapse -q --no-stack --root none "$1" | sed -n '1s/.* event=\([^ ,"]*\).*/\1/p')}
	read_all() { $pyrograph collapse -q "$@" "$files"/*.data; }
	timed=
	;;
esac
mkdir -p "$dir"

# chart NAME VERB OPTIONS... <LINES: what has no lines has no picture
chart()
{
	name=$1
	shift
	lines=$(mktemp)
	cat >"$lines"
	if grep -q -v '^#' "$lines"; then
		$pyrograph render "$@" -q "$lines" >"$dir/.new.svg" && mv "$dir/.new.svg" "$dir/$name.svg"
	fi
	rm -f "$lines"
}

# The event; states and waits have events of their own.
read_event() { read_all --event "$event" "$@"; }
heat_lines() {
	# shellcheck disable=SC2086
	read_event --timed --root host --no-stack $timed
}

read_event --root host --no-stack >"$dir/hosts.folded"
read_event --root host | chart fleet flame --title 'Where the fleet spends its time'
read_event --root none | chart all-hosts flame --title 'All hosts as one'
heat_lines | chart fleet-heat heat --title 'All hosts on one clock'
heat_lines | chart hosts-heat heat --per host --title 'Host by host'
[ -z "$store" ] || read_event --root service,host | chart services flame --title 'By service'
read_all --states --root host,comm,state --no-stack 2>/dev/null | chart states flame --title 'Running, waiting, asleep'
read_all --offcpu --root host 2>/dev/null | chart offcpu flame --title 'What the fleet waits for'
$pyrograph web -q "$dir"
