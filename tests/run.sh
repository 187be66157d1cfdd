#!/bin/sh
# Runs every test and ends with one line: "N passed, N failed, N skipped".
#
#   tests/run.sh            all of them
#   tests/run.sh WORD ...   those whose file name contains a WORD
#
# A test is a program that prints TAP lines ("ok - what", "not ok - what",
# "ok - what # SKIP why"): build/tests/unit/*, tests/*.test.sh,
# tests/*/*.test.sh.  One that prints no such line, or exits with a status of
# its own accord, has failed.  "# figure: ..." is shown whatever comes of it, and
# so is "# tries: ..." (tests/tap.sh, live): checks of live recordings that needed
# a second or third one are counted in the line before the last.
cd "$(dirname "$0")/.." || exit 1
export BUILD="${BUILD:-build}"
export ASAN_OPTIONS="detect_leaks=0:abort_on_error=0:${ASAN_OPTIONS:-}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
passed=0 failed=0 skipped=0 second=0 third=0

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

for test in "$BUILD"/tests/unit/* tests/*.test.sh tests/*/*.test.sh; do
	case $test in *.d|*.dSYM) continue ;; esac
	[ -e "$test" ] && wanted "$test" "$@" || continue
	mkdir -p "$work/tmp"
	start=$(date +%s%N)
	case $test in
	*.sh) TMPDIR=$work/tmp sh "$test" ;;
	*)    TMPDIR=$work/tmp "./$test" ;;
	esac >"$work/out" 2>"$work/err" </dev/null
	status=$?
	ms=$((($(date +%s%N) - start) / 1000000))
	chmod -R u+w "$work/tmp" 2>/dev/null
	rm -rf "$work/tmp"

	p=$(grep -c '^ok' "$work/out")
	s=$(grep -c '^ok.*# SKIP' "$work/out")
	f=$(grep -c '^not ok' "$work/out")
	if [ "$f" = 0 ] && { [ "$status" != 0 ] || [ "$p" = 0 ]; }; then
		f=1
		echo "not ok - $test ended with status $status" >>"$work/out"
	fi
	passed=$((passed + p - s)) skipped=$((skipped + s)) failed=$((failed + f))
	printf '%-44s %3d passed %3d failed %3d skipped %6d ms\n' "$test" $((p - s)) "$f" "$s" "$ms"
	grep '^ok.*# SKIP' "$work/out" | sed 's/^ok/    skipped/'
	sed -n 's/^# figure: /    figure: /p' "$work/out"
	second=$((second + $(grep -c '^# tries: 2' "$work/out")))
	third=$((third + $(grep -c '^# tries: 3' "$work/out")))
	grep -E '^# (tries:|try .*: not ok)' "$work/out" | sed 's/^# /    /'
	if [ "$f" != 0 ]; then
		grep -A 30 '^not ok' "$work/out" | head -150 | sed 's/^/    /'
		tail -40 "$work/err" | sed 's/^/    stderr: /'
	fi
done

[ $((passed + failed)) -gt 0 ] || { echo "no test ran"; exit 1; }
echo "live recordings: $second needed a second try, $third a third"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
