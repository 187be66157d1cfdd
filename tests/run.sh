#!/bin/sh
# Runs every test and ends with one line: "N passed, N failed, N skipped".
#
#   tests/run.sh            all of them
#   tests/run.sh WORD ...   those whose file name contains a WORD
#   QUICK=1 tests/run.sh    what neither waits nor takes long: no file with one of the lines below
#   COSTS=1 tests/run.sh    ends with a table of what each file costs, by perf (as root: it counts programs started);
#                           JOBS=1 makes its column "waiting" right, which else has the waits for a CPU, too
#
# The names of all checks are left in $BUILD/tests/checks, the table of costs in $BUILD/tests/costs; tests/checks.py
# compares two such files.
#
# A test is a program that prints TAP lines ("ok - what", "not ok - what",
# "ok - what # SKIP why"): build/tests/unit/*, tests/*.test.sh,
# tests/*/*.test.sh.  A test that prints no such line, or exits with a non-zero status, has failed.  Lines "# figure:
# ..." are always shown, and so are "# tries: ..." (tests/tap.sh, live): the line before the last counts checks of live
# recordings that needed a second or third recording.
#
# JOBS test files run at once; the default is three more than there are CPUs, because many of them wait.  The output of
# each file is printed when it ends.  Three lines in a test file describe it:
#
#   # slow: WHY     it takes more than some seconds
#   # alone: WHY    nothing else runs beside it; these come last, one by one
#   # live: WHAT    it judges recordings of this machine; LIVE=only runs these and no others, and SAN=1, or LIVE=no,
#                   leaves them out, unless WHAT ends with "sanitized, too": the sanitizers repeat what parses,
#                   decodes and draws, and not what the browser does (tests/browser) with what was drawn
#
# A test file that has not ended after DEADLINE seconds is killed, with everything that it has started, and counts as
# failed.
cd "$(dirname "$0")/.." || exit 1
export BUILD="${BUILD:-build}"
export ASAN_OPTIONS="detect_leaks=0:abort_on_error=0:${ASAN_OPTIONS:-}"
jobs=${JOBS:-$(($(nproc) + 3))} deadline=${DEADLINE:-1200}
[ -z "${SAN:-}" ] || LIVE=${LIVE:-no}
work=$(mktemp -d) && chmod 711 "$work" || exit 1 # tests ask as other users, too
workers=
began=$(date +%s)
trap 'end_workers; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Use Debian's own Python, which check-deps installs: another one may be a script, such as pyenv's, which takes five
# times as long to start, and tests start hundreds.
if [ -x /usr/bin/python3 ]; then
	mkdir "$work/bin" && ln -s /usr/bin/python3 "$work/bin/python3"
	PATH=$work/bin:$PATH
fi

# Node reads all certificates in this file whenever it starts, which takes longer than the start itself; no test talks
# to a server with a certificate.
unset NODE_EXTRA_CA_CERTS

# The headless browser takes a third of the time; tests use "chromium" if nothing is set.
if [ -z "${CHROMIUM:-}" ] && browser=$(command -v chromium-headless-shell); then
	export CHROMIUM="$browser"
fi

# Which words of "$@" occur in the name $1; without words, every name is wanted.
wanted()
{
	[ $# -gt 1 ] || return 0
	name=$1
	shift
	for word; do
		case $name in *"$word"*) return 0 ;; esac
	done
	return 1
}

# that_say PATTERN: the tests that have a line "# PATTERN", separated by spaces.  For a unit test, the line is in its
# source.
that_say() { printf ' %s' $(grep -lsE "^(# | \* )$1" tests/*.test.sh tests/*/*.test.sh tests/unit/*.c) ''; }

# says TESTS TEST: is TEST one of TESTS?
says()
{
	case $2 in
	*.sh) file=$2 ;;
	*)    file=tests/unit/${2##*/}.c ;;
	esac
	case $1 in *" $file "*) ;; *) false ;; esac
}

# end_processes DIRECTORY: ends everything that a test has started: its processes have DIRECTORY in their environment.
end_processes()
{
	for process in $(grep -lzs "^TMPDIR=$1\$" /proc/[0-9]*/environ | cut -d/ -f3); do
		kill -KILL "$process" 2>/dev/null
	done
}

end_workers()
{
	[ -n "$workers" ] || return
	kill $workers 2>/dev/null
	wait $workers
	for running in "$work"/*.running; do
		[ -e "$running" ] || continue
		kill "$(cat "$running")" 2>/dev/null
		end_processes "${running%.running}"
	done
	workers=
}

# run TEST PLACE: runs a test; output goes to PLACE.out and PLACE.err, status to PLACE.status; PLACE is its directory
# for files.
run()
{
	mkdir "$2"
	case $1 in
	*.sh) set -- "$1" "$2" sh "$1" ;;
	*)    set -- "$1" "$2" "./$1" ;;
	esac
	place=$2
	shift 2
	[ -z "${COSTS:-}" ] || set -- perf stat -x, -o "$place.costs" -e page-faults,sched:sched_process_exec \
		sh -c '"$@"; exit $?' sh "$@" # if a signal ends a test, perf prints no costs
	# A background job ignores SIGINT and passes that on.
	TMPDIR=$place env --default-signal=INT,QUIT timeout -k 10 "$deadline" "$@" >"$place.out" 2>"$place.err" </dev/null &
	echo $! >"$place.running"
	wait $!
	echo $? >"$place.status"
	end_processes "$place"
	rm "$place.running"
	rm -rf "$place" 2>/dev/null || { chmod -R u+w "$place" 2>/dev/null; rm -rf "$place"; }
}

# report TEST PLACE MS CPU_MS: shows the result of the test; its counts go to PLACE.counts
report()
{
	status=$(cat "$2.status")
	grep -a '^# tries: [23] to start the browser' "$2.err" >>"$2.out" # the test may have taken stdout
	told=$(LC_ALL=C awk '/^ok/ { p++; if (/# SKIP/) s++ } /^not ok/ { f++ } /^# figure: / { figures++ } /^# tr(ies:|y )/ { tries++ }
		/^# tries: 2/ { second++ } /^# tries: 3/ { third++ }
		END { print p + 0, s + 0, f + 0, figures + 0, tries + 0, second + 0, third + 0 }' "$2.out")
	read -r p s f figures tries second third <<-END
		$told
	END
	if [ "$status" = 124 ] || [ "$status" = 137 ] && [ "$3" -ge "${deadline}000" ]; then
		f=$((f + 1))
		echo "not ok - $1 was killed after $deadline s" >>"$2.out"
	elif [ "$f" = 0 ] && { [ "$status" != 0 ] || [ "$p" = 0 ]; }; then
		f=1
		echo "not ok - $1 ended with status $status" >>"$2.out"
	fi
	if [ -s "$2.err" ] && missing=$(grep -a "^$1: [0-9]*: .*: not found$" "$2.err"); then # such a check would never fail
		f=$((f + 1))
		echo "not ok - $missing" >>"$2.out"
	fi
	echo "$((p - s)) $f $s $second $third" >"$2.counts"
	LC_ALL=C sed -n "s/ # SKIP .*//; s,^ok - ,$1: ,p; s,^not ok - ,$1: ,p" "$2.out" >"$2.checks"
	printf '%-44s %3d passed %3d failed %3d skipped %6d ms of CPU time, %6d ms\n' "$1" $((p - s)) "$f" "$s" "$4" "$3"
	[ "$s" = 0 ] || grep -a '^ok.*# SKIP' "$2.out" | sed 's/^ok/    skipped/'
	[ "$figures" = 0 ] || sed -n 's/^# figure: /    figure: /p' "$2.out"
	[ "$tries" = 0 ] || grep -aE '^# (tries:|try .*: (not ok|#  ))' "$2.out" | head -60 | sed 's/^# /    /'
	: >"$2.failed"
	if [ "$f" != 0 ]; then
		grep -a '^not ok' "$2.out" | sed "s,^not ok - ,failed: $1: ," >"$2.failed"
		grep -aA 30 '^not ok' "$2.out" | head -150 | sed 's/^/    /'
		tail -40 "$2.err" | sed 's/^/    stderr: /'
	fi
}

# worker LIST: takes tests from the list, one by one, that no other worker has taken.
worker()
{
	trap 'exit 1' TERM
	before=0
	while read -r number test; do
		[ ! -e "$work/$number.taken" ] && mkdir "$work/$number.taken" 2>/dev/null || continue
		read -r start _ </proc/uptime
		run "$test" "$work/$number"
		read -r end _ </proc/uptime # 1/100 s
		ms=$(((${end%.*} - ${start%.*}) * 1000 + (1${end#*.} - 1${start#*.}) * 10))
		times >"$work/$number.times" # not of what outlived its parent, such as a browser's renderers
		cpu=$(sed -n '2s/[ms]/ /gp' "$work/$number.times" | awk '{ printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }')
		report "$test" "$work/$number" $ms $((cpu - before)) >"$work/$number.report"
		flock "$work/lock" cat "$work/$number.report"
		echo "$ms $test $((cpu - before))" >"$work/$number.ms"
		[ -z "${COSTS:-}" ] || awk -F, -v test="$test" -v ms=$ms -v cpu=$((cpu - before)) -v checks="$(wc -l <"$work/$number.checks")" '
			/page-faults/ { faults = $1 } /sched_process_exec/ { started = $1 }
			END { printf "%-44s %6d %8d %8d %8d %8d %10d\n", test, checks, ms, cpu, (ms > cpu ? ms - cpu : 0), started, faults }
		' "$work/$number.costs" >"$work/$number.cost"
		before=$cpu
	done <"$1"
}

# work_on LIST JOBS
work_on()
{
	[ -s "$1" ] || return
	for job in $(seq "$2"); do
		worker "$1" &
		workers="$workers $!"
	done
	wait $workers
	workers=
}

# Order by duration, longest first, as of the last run here; tests that never ran come first of all.
mkdir -p "$BUILD/tests"
took=$BUILD/tests/took
[ -e "$took" ] || : >"$took"
: >"$work/beside" && : >"$work/alone"
left_out= in_browser=
waiting=$(that_say '(slow|live|alone): .') live_ones=$(that_say 'live: .') small=$(that_say 'live: .*sanitized, too$')
lonely=$(that_say 'alone: .')
for test in "$BUILD"/tests/unit/* tests/*.test.sh tests/*/*.test.sh; do
	case $test in *.d|*.o|*.dSYM) continue ;; esac
	[ -e "$test" ] && wanted "$test" "$@" || continue
	[ -z "${QUICK:-}" ] || ! says "$waiting" "$test" || continue
	case ${SAN:+sanitized}$test in sanitizedtests/browser/*) in_browser=yes; continue ;; esac
	live=
	! says "$live_ones" "$test" || live=yes
	! says "$small" "$test" || live=small
	case ${LIVE:-all}$live in
	noyes) left_out="$left_out $(basename "$test" .test.sh)"; continue ;;
	only)  continue ;;
	esac
	if says "$lonely" "$test"; then echo "$test" >>"$work/alone"; else echo "$test" >>"$work/beside"; fi
done
awk 'FILENAME == ARGV[1] { ms[$2] = $1; next } { print ($1 in ms ? ms[$1] : 1e9), $1 }' "$took" "$work/beside" |
	sort -s -k1,1nr | awk '{ print NR, $2 }' >"$work/list"
awk '{ print "a" NR, $1 }' "$work/alone" >"$work/alone.list"

work_on "$work/list" "$jobs"
work_on "$work/alone.list" 1

cat "$work"/*.ms "$took" 2>/dev/null | awk '!seen[$2]++' >"$work/took" && cp "$work/took" "$took"
cat "$work"/*.checks 2>/dev/null | LC_ALL=C sort >"$took-checks" && mv "$took-checks" "${took%/*}/checks"
if [ -n "${COSTS:-}" ]; then
	costs=${took%/*}/costs
	{
		printf '%-44s %6s %8s %8s %8s %8s %10s\n' file checks ms 'CPU ms' waiting programs 'page faults'
		LC_ALL=C sort -k4,4nr "$work"/*.cost
		awk '{ for (i = 2; i <= 7; i++) n[i] += $i } END { printf "%-44s %6d %8d %8d %8d %8d %10d\n", "all", n[2], n[3], n[4], n[5], n[6], n[7] }' "$work"/*.cost
	} >"$costs"
	cat "$costs"
fi
set -- $(cat "$work"/*.counts 2>/dev/null | awk '{ for (i = 1; i <= 5; i++) n[i] += $i }
	END { for (i = 1; i <= 5; i++) print n[i] + 0 }')
[ $(($1 + $2)) -gt 0 ] || { echo "no test ran"; exit 1; }
[ -z "$left_out" ] || echo "left out, as they judge recordings of this machine:$left_out"
[ -z "$in_browser" ] || echo "left out, as they judge what the browser does: tests/browser"
cat "$work"/*.failed | head -40 # once more, for readers who see only the end of a long log
echo "took $(($(date +%s) - began)) s, and $(cat "$work"/*.ms | awk '{ ms += $3 } END { print int(ms / 1000) }') s of CPU time"
echo "live recordings: $4 needed a second try, $5 a third"
echo "$1 passed, $2 failed, $3 skipped"
[ "$2" = 0 ]
