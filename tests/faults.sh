# faults: shell functions for tests of reports on a planted fault (tests/workloads/faults.c); use after ". tests/tap.sh"
# and ". tests/collect/common.sh".  If nothing can be recorded, the test ends.
faults=${BUILD:-build}/tests/workloads/faults

if ! "$pyrograph" collect cpu,sched,offcpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "reports of faults" "cannot record here: $(tail -1 "$tmp/err")"
	exit 0
fi
urgent= # runs a fault at a high priority, so that other programs seldom cause longer waits than the fault
! nice -n -15 true 2>/dev/null || urgent="setsid sh tests/urgent.sh"
on_disk=$(mktemp -p /var/tmp) || exit 1
trap 'rm -f "$on_disk"' EXIT

# report TARGET...: the headline's statement about a second (or two, at the next try) goes to $tmp/fact.  $process ends
# with the recording, so that it does not keep the CPUs busy while charts are drawn.
report()
{
	rm -rf "$tmp/charts" "$tmp/drawn"
	{ "$pyrograph" report -d "$try" -o "$tmp/charts" "$@" 2>&1 >"$tmp/out" && : >"$tmp/drawn"; } |
		while IFS= read -r line; do
			echo "$line"
			case $line in *'.data: '*) [ -z "$process" ] || kill $process ;; esac
		done >"$tmp/err"
	[ -e "$tmp/drawn" ] || not_ok "report $*" "$tmp/err"
	# The fact is above the line that says where to look, or else above the line about what was recorded.
	awk '{ sub(/^pyrograph report: /, "") }
		/^Look at / || / used [0-9.]* (of [0-9]* )?CPUs? for / { print last; exit }
		{ last = $0 }' "$tmp/err" >"$tmp/fact"
}

# everywhere WHAT: the text on the terminal is also on the page and in *-why.txt, and begins with the first cause in
# *-why.txt.
everywhere()
{
	cause=$(sed -n 's/^1\. //p' "$tmp"/charts/*-why.txt)
	[ "$cause" ] || cause=$(sed -n '/^Nothing /{s/^Nothing blocked threads for long; //;s/\.$//p;}' "$tmp"/charts/*-why.txt)
	case $(sed 's/^Nothing blocked threads for long; //' "$tmp/fact") in
	"$cause" | "$cause; besides, "*) ok "... and *-why.txt says so" ;;
	*) not_ok "... and *-why.txt says so" "$tmp/fact" "$cause" ;;
	esac
	if sed 's/>/\\u003e/g' "$tmp/fact" | grep -qFf - "$tmp/charts/index.html"; then
		ok "... and so does the page"
	else
		not_ok "... and so does the page" "$tmp/fact"
	fi
}

# is_about PROCESS: is the process victim or guilty in the first finding?
is_about()
{
	"$pyrograph" collapse -q --explain=json "$tmp"/charts/*.data | python3 -c 'import json, sys
for found in json.load(sys.stdin)["findings"][:1]:
    sys.exit(not any(one["process"] == sys.argv[1] for one in [found["guilty"]] + found["victims"]))' "$1"
}

# fault HOW NAME FACT [OTHER]: the statement of report -p, -a, or -- (HOW) must be FACT.  On a busy machine OTHER is
# true, too, and for the whole machine other programs' trouble may be worse.
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

