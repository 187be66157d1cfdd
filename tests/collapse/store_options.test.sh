#!/bin/sh
# Options that do not work with a store are refused before the store is asked, with the reason, and with what to do
# instead.
. tests/tap.sh
nowhere=clickhouse://127.0.0.1:1/perf
while IFS='|' read -r options why; do
	# shellcheck disable=SC2086
	status "a store and $options" 2 $pyrograph collapse $options $nowhere
	has "... says why" "$tmp/err" "${options%% *} needs a recording, not a store: "
	has "... and what instead" "$tmp/err" "$why"
done <<'END'
--names jstack.txt|collapse the recordings themselves
--pool|or take --root pid
--parallelism 1|recordings of that time, which watch keeps
--timeline|or take --states and --offcpu
--wall|or take --event cpu-clock and --offcpu
--explain|recordings of that time, which watch keeps
--between slow|collapse these
--lengths|collapse these
--quality|collapse that
--scan-only|about one recording
--owner-stack while|collapse the recordings
--srcline|names of functions, not their addresses
--addrs|names of functions, not their addresses
--offsets|names of functions, not their addresses
END
status "--sampled of all events" 2 $pyrograph collapse --sampled --root event $nowhere
has "... says what instead" "$tmp/err" "give --event"
status "a regular expression that is none" 2 $pyrograph collapse --threads '(' $nowhere
has "... is told" "$tmp/err" "--threads"
for options in "--threads x" "--min 1ms" "--max 1s" "--leaf file" --sampled; do
	# shellcheck disable=SC2086
	status "a store takes $options" 1 $pyrograph collapse $options $nowhere
	has "... but this one is away" "$tmp/err" "is away"
done
