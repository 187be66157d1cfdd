#!/bin/sh
# Are the checks of live recordings reliable?  Runs them again and again, and ends with a table: for each test file, in
# how many runs it passed, and how many checks needed a second try, a third, or failed.
#
#   tests/repeat.sh N [WORD ...]        N times those files that have a line "# live: ..." (tests/run.sh), or those
#                                       of them whose name contains a WORD
#   LOAD=1 tests/repeat.sh N ...        beside tests/load.sh
#   AGAIN=1 tests/repeat.sh 1           are second tries right, beside what the first ones left?
#   LIVE=all tests/repeat.sh N ...      all tests
#
# The output of the runs goes to build/repeat/.  Fails when any run did.
cd "$(dirname "$0")/.." || exit 1
times=${1:?usage: tests/repeat.sh N [WORD ...]}
shift
export LIVE="${LIVE:-only}"
to=${BUILD:-build}/repeat
rm -rf "$to"
mkdir -p "$to" || exit 1
running=
trap 'kill $running 2>/dev/null; wait; exit 1' HUP INT TERM

for n in $(seq "$times"); do
	${LOAD:+sh tests/load.sh} sh tests/run.sh "$@" >"$to/$n" 2>&1 &
	running=$!
	wait $running
	echo "run $n of $times${LOAD:+, beside others}: $(tail -2 "$to/$n" | paste -sd ';' | sed 's/;/; /')"
done

# Lines "FILE  N passed  N failed  N skipped  N ms of CPU time,  N ms", each with its own messages below, indented.
awk '
	/^[^ ].* passed .* failed .* skipped .* ms$/ {
		file = $1
		if (!(file in runs))
			order[++files] = file
		runs[file]++
		green[file] += $4 == 0
		failed[file] += $4
		took[file] += $(NF - 1)
	}
	/^    tries: 2/ { second[file]++ }
	/^    tries: 3/ { third[file]++ }
	END {
		form = "%-40s %12s %11s %10s %7s %8s\n"
		printf form, "file", "green runs", "second try", "third try", "failed", "seconds"
		for (i = 1; i <= files; i++) {
			file = order[i]
			printf form, file, green[file] " of " runs[file], second[file] + 0, third[file] + 0, failed[file] + 0,
				sprintf("%.1f", took[file] / runs[file] / 1000)
			if (green[file] != runs[file])
				bad = 1
		}
		exit bad || !files
	}' "$to"/[0-9]*
