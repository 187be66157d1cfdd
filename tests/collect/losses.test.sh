# What is missing is counted: a reader that comes late, rings that overflow.
. tests/tap.sh
. tests/collect/common.sh
need_sampling "losses of collect cpu"

$collect -a -F 9999 -m 16k -o "$tmp/a.data" -- "$spin" 2 2 >"$tmp/out" 2>"$tmp/err" & collector=$!
before 5 larger "$tmp/a.data" 20000
kill -STOP $collector
sleep 0.5 # the rings overflow meanwhile
kill -CONT $collector
finished $collector
is "a reader that slept: status 0" $? 0
perf script -D -i "$tmp/a.data" 2>/dev/null |
	sed -n 's/.*PERF_RECORD_LOST.*lost[ :]*\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n + 0 }' >"$tmp/lost"
lost=$(sed -n 's/.*lost: \([0-9]*\) samples.*/\1/p' "$tmp/err")
cpu_ns=$(sed -n 's/^cpu //p' "$tmp/out")
some "... its losses are in the summary" "$lost" 500
if [ "$(cat "$tmp/lost")" != 0 ]; then
	some "... as many as the LOST records say" "$lost" "$(cat "$tmp/lost")"
fi
has "... the late reads too" "$tmp/err" "times that a ring was found more than half full"
has "... and what to do" "$tmp/err" "a larger --ring or a lower -F helps"
has_not "... it does not say that nothing is lost" "$tmp/err" "nothing lost"
some "... what is there and what is lost make up all" \
	"$(($(said "$tmp/err") + lost))" $((cpu_ns * 9999 / 1000000000 * 9 / 10))

# No record follows these losses to tell of them: the target has ended.
$collect -F 9999 -m 16k -o "$tmp/end.data" -- "$spin" 1 >"$tmp/end.out" 2>"$tmp/end.err" & collector=$!
before 5 larger "$tmp/end.data" 10000
kill -STOP $collector
before 10 grep -q '^cpu ' "$tmp/end.out"
sleep 0.1
kill -CONT $collector
finished $collector
cpu_ns=$(sed -n 's/^cpu //p' "$tmp/end.out")
if perf evlist -v -i "$tmp/end.data" 2>/dev/null | grep -q 'read_format: ID|LOST'; then
	lost_at_end=$(sed -n 's/.*lost: \([0-9]*\) samples.*/\1/p' "$tmp/end.err")
	some "losses at the very end are counted" \
		"$(($(said "$tmp/end.err") + ${lost_at_end:-0}))" $((cpu_ns * 9999 / 1000000000 * 9 / 10))
else
	skip "losses at the very end" "Linux before 6.0 does not count them"
fi

# strings: the loss table is text in the recording.
strings -n 8 "$tmp/a.data" 2>/dev/null >"$tmp/strings" || tr -c '[:print:]\n' '\n' <"$tmp/a.data" >"$tmp/strings"
has "the recording holds the number" "$tmp/strings" "lost_samples $lost"
has "... and every other, also when 0" "$tmp/strings" "throttled 0"

status "a calm recording" 0 $collect -F 99 -o "$tmp/b.data" -- "$spin" 0.2
has "... says that nothing is lost" "$tmp/err" "nothing lost"
perf report -i "$tmp/b.data" --header-only >"$tmp/header" 2>/dev/null
for line in "# hostname : $(uname -n)" "# os release : $(uname -r)" "# arch : $(uname -m)" \
	"# nrcpus online : " "# cpudesc : " "# total memory : " "# cmdline : " "clockid: monotonic" \
	"reference time: $(date +%Y)" "# time of first sample : "; do
	has "the header has $line" "$tmp/header" "$line"
done
