# Losses are counted, when a reader comes late, and when rings overflow.
# live: what is lost; sanitized, too
. tests/tap.sh
. tests/collect/common.sh
need_sampling "losses of collect cpu"

late_reader()
{
	rm -f "$tmp/a.data"
	: >"$tmp/out"
	$collect -a -F 9999 -m 16k -o "$tmp/a.data" -- "$spin" 2 2 >"$tmp/out" 2>"$tmp/err" & collector=$!
	before 30 lines "$tmp/out" ^tid 2 || not_ok "the command starts" "$tmp/err"
	before 30 begun "$tmp/a.data" || not_ok "it begins" "$tmp/err"
	kill -STOP $collector
	slept_ms=$(($(date +%s%N) / 1000000))
	sleep 0.5 # the rings overflow meanwhile
	slept_ms=$(($(date +%s%N) / 1000000 - slept_ms))
	kill -CONT $collector
	finished $collector
	is "a reader that slept: status 0" $? 0
	perf script --symfs "$tmp" --show-lost-events -F comm,tid --tid 1 -i "$tmp/a.data" 2>/dev/null | # that thread's, and all losses
		sed -n 's/.*PERF_RECORD_LOST.*lost[ :]*\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n + 0 }' >"$tmp/lost"
	lost=$(sed -n 's/.*lost: \([0-9]*\) samples.*/\1/p' "$tmp/err")
	cpu_ns=$(sed -n 's/^cpu //p' "$tmp/out")
	some "... its losses are in the summary" "$lost" 500
	if [ "$(cat "$tmp/lost")" != 0 ]; then
		some "... as many as the LOST records say" "$lost" "$(cat "$tmp/lost")"
	fi
	# The gaps cover the time in which samples were lost, on the CPU that was busy while the reader slept.
	"$pyrograph" collapse -q --heat "$tmp/a.data" >"$tmp/a.folded"
	sed -n 's/^# gap: start=\([0-9.]*\) end=\([0-9.]*\) cpu=[0-9]* lost=\([0-9]*\) why=lost$/\1 \2 \3/p' "$tmp/a.folded" |
		awk '{ ms = ($2 - $1) * 1000; if (ms > longest) longest = ms; n += $3 } END { printf "%d %d\n", longest, n }' >"$tmp/gaps"
	read -r longest_ms in_gaps <"$tmp/gaps"
	if [ "$(cat "$tmp/lost")" != 0 ]; then
		is "... all of them are in gaps" "$in_gaps" "$(cat "$tmp/lost")"
		some "... as long as the reader slept, in ms" "$longest_ms" $((slept_ms * 6 / 10))
		is "... in which no sample of that CPU is" "$(awk '
			/^# gap/ { split($3, a, "="); split($4, b, "="); split($5, c, "="); n++
				if ($0 ~ /why=lost/ && b[2] - a[2] > .1) { from[n] = a[2]; to[n] = b[2]; cpu[n] = "cpu" c[2] } }
			/^@/ { t = substr($1, 2); split($2, f, ";")
				for (i in from) if (t > from[i] + .02 && t < to[i] - .02 && f[3] == cpu[i]) inside++ }
			END { print inside + 0 }' "$tmp/a.folded")" 0
	fi
	has "... the late reads too" "$tmp/err" "buffer over half full"
	has "... and what to do" "$tmp/err" "a larger --ring or a lower -F helps"
	has_not "... it does not say that nothing is lost" "$tmp/err" "nothing lost"
	some "... what is there and what is lost make up all" \
		"$(($(said "$tmp/err") + lost))" $((cpu_ns * 9999 / 1000000000 * 9 / 10))

	# strings: the recording has the table of losses as text.
	strings -n 8 "$tmp/a.data" 2>/dev/null >"$tmp/strings" || tr -c '[:print:]\n' '\n' <"$tmp/a.data" >"$tmp/strings"
	has "the recording holds the number" "$tmp/strings" "lost_samples $lost"
	has "... and every other, also when 0" "$tmp/strings" "throttled 0"
}
live late_reader

# No record follows these losses to report them, because the target has ended.
losses_at_end()
{
	rm -f "$tmp/end.data" "$tmp/end.out"
	$collect --no-watchdog -F 9999 -m 16k -o "$tmp/end.data" -- "$spin" 1 >"$tmp/end.out" 2>"$tmp/end.err" & collector=$!
	before 30 larger "$tmp/end.data" 10000
	kill -STOP $collector
	before 30 grep -q '^cpu ' "$tmp/end.out"
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
}
live losses_at_end

calm()
{
	status "a calm recording" 0 $collect -F 99 -o "$tmp/b.data" -- "$spin" 0.2
	has "... says that nothing is lost" "$tmp/err" "nothing lost"
	perf report -i "$tmp/b.data" --header-only >"$tmp/header" 2>/dev/null
	for line in "# hostname : $(uname -n)" "# os release : $(uname -r)" "# arch : $(uname -m)" \
		"# nrcpus online : " "# cpudesc : " "# total memory : " "# cmdline : " "clockid: monotonic" \
		"reference time: $(date +%Y)" "# time of first sample : "; do
		has "the header has $line" "$tmp/header" "$line"
	done
}
live calm

# ---- stacks that are copied ----
# A thread has so much environment on its stack that each copy takes at least 16 kB: 2048 copies fill half of the buffer
# of 64 MB.  The stack is at a random place, and a page below the environment may be missing, where copies end.
if ! $pyrograph collect offcpu -q -p $$ -d 0.05 -o "$tmp/try.data" 2>/dev/null; then
	skip "stacks that were not copied" "no right, or no BPF"
	exit 0
fi
switches()  { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$sleeper/status"; }
has_slept() { [ "$(switches)" -ge "$that_often" ]; }

# The reader is stopped until the thread has slept 4000 times.
late_copies()
{
	rm -f "$tmp/copies.data"
	setarch -R python3 -c 'import time
def deep(n):
	while not n: time.sleep(0.0001)
	min([n], key=lambda n: deep(n - 1))
deep(150)' &
	sleeper=$! that_often=100
	before 60 has_slept
	$pyrograph collect offcpu -q --no-watchdog --budget none -p "$sleeper" -o "$tmp/copies.data" 2>"$tmp/err" & collector=$!
	before 60 begun "$tmp/copies.data" || not_ok "it begins" "$tmp/err"
	kill -STOP "$collector"
	slept=$(switches)
	that_often=$((slept + 4000))
	before 60 has_slept
	least=$(($(switches) - slept))
	kill -CONT "$collector"
	kill -INT "$collector"
	finished "$collector"
	is "stacks that came while the reader slept: status 0" $? 0
	most=$(($(switches) - slept))
	kill "$sleeper"
	wait "$sleeper" 2>/dev/null
	uncopied=$("$pyrograph" collapse -q --offcpu "$tmp/copies.data" |
		sed -n '1s/.*losses="[^"]*stacks by frame pointers \([0-9]*\).*/\1/p')
	# With the frames, a copy has 16 to 22 kB.
	some "... the recording says how many were not copied" "$uncopied" $((least - 2048))
	some "... and half of the buffer were" $((most - ${uncopied:-0})) 1450
}
live late_copies
