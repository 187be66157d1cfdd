# --weight latency and --parallelism: samples divided by the number of threads that ran.
# slow: large recordings
. tests/tap.sh
. tests/served.sh

made() { run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/$1"; }
# example OPTIONS: $rec becomes the recording that parallel.py makes.
example()
{
	rec="$tmp/rec$*"
	[ ! -e "$rec" ] || return
	run_to "$tmp/parallel" "$tmp/err" python3 tests/collapse/parallel.py "$@"
	made "rec$*" <"$tmp/parallel"
}
lines() { sed '/^#/d' "$1"; }
# shows WHAT LINES: compares with the lines of the last output
shows()
{
	lines_of "$tmp/out"
	is "$1" "$listed" "$2"
}
latency() { run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse --event cpu-clock --weight latency --no-stack "$@"; }

# ---- 9 s of foo in one thread, then 1 s of bar in 128, on 128 CPUs: exactly 90 and 10 % of the time ----
example none
status "the plain weight" 0 "$pyrograph" collapse --weight period --no-stack "$rec"
shows "... shows CPU time: bar has 93.4 %" "bar 128000000000
foo 9000000000"
while read -r kind source; do
	example $kind
	latency "$rec"
	shows "$kind: foo has 90 %, bar 10 %, to the ns" "bar 1000000000
foo 9000000000"
	has "... and where that comes from is said" "$tmp/err" "parallelism is $source"
	status "$kind: only while few ran" 0 "$pyrograph" collapse --event cpu-clock --parallelism 1-2 --no-stack "$rec"
	shows "... that is foo" "foo 900"
	status "$kind: only while many ran" 0 "$pyrograph" collapse --event cpu-clock --parallelism 5,100- --no-stack "$rec"
	shows "... that is bar" "bar 12800"
done <<'END'
none estimated from samples: no context switches were recorded
spans exact, from spans of running time (sched)
short estimated from samples: 93.4 % of the running time was not recorded as single spans
records exact, from context switches (PERF_RECORD_SWITCH)
wide exact, from context switches (PERF_RECORD_SWITCH)
tracepoint exact, from context switches (sched:sched_switch)
END
# Each CPU has its own sampling clock: samples of threads that run at the same time are up to a period apart.
example none 78000
latency "$rec"
is "samples that are spread over a period give the same" "$(lines "$tmp/out" | awk '$1 == "foo" { foo = $2 } { all += $2 } END { printf "%.1f", 100 * foo / all }')" 90.0
example records
latency --threads '^bar$' --parallelism 128 "$rec"
shows "target threads are those of --threads" "bar 1000000000"

# Spans of other threads than the sampled ones: from a collector that did not see all threads.
made others <<'END'
span-event sched 1
span 1000000000 1100000000 10 10 0 100000000 1 100000000 single state:running
event cpu-clock 1 0
period 10000000
sample 1050000000 10 10 0 0x1000
sample 1250000000 10 11 0 0x2000
sample 1250000001 10 12 1 0x2000
END
status "samples that the spans know nothing of" 0 "$pyrograph" collapse --weight latency --no-stack --root tid "$tmp/others"
has "... are the better source" "$tmp/err" "estimated from samples: of 66.7 % of them, no context switch was recorded"
is "... for all" "$(lines "$tmp/out" | cut -d' ' -f2 | tr '\n' ' ')" "10000000 5000000 5000000 "

# ---- over time ----
# The values in order, without repetitions.
in_turn() { awk '/^@.* lane;parallelism/ && $NF != last { printf "%s ", last = $NF }' "$1"; }
while read -r kind values; do
	example $kind
	status "$kind: --lanes" 0 "$pyrograph" collapse --lanes "$rec"
	is "... the parallelism over time" "$(in_turn "$tmp/out")" "$values "
	is "... repeated each second" "$(grep -c '^@.* lane;parallelism ' "$tmp/out" | sed 's/^1[0-2]$/10 to 12/')" "10 to 12"
done <<'END'
spans 1 128
short 1 128
records 1 64.5 128
wide 1 64.5 128
tracepoint 1 64.5 128
END
has "... with its unit" "$tmp/out" "# lane: unit=threads name=lane;parallelism"
cp "$tmp/out" "$tmp/lanes"
status "below a heat map" 0 "$pyrograph" collapse -q --event cpu-clock --heat -o "$tmp/heat" "$rec"
status "... it is drawn" 0 "$pyrograph" render heat --lanes "$tmp/lanes" -o "$tmp/heat.svg" "$tmp/heat"
has "... with its name" "$tmp/heat.svg" ">parallelism<"
made both <<'END'
span-event sched 1
span 1000000000 1015000000 10 10 0 15000000 1 15000000 single state:running
span 1005000000 1010000000 10 11 0 5000000 1 5000000 single state:running
span 1015000000 1040000000 10 11 0 25000000 1 25000000 single state:sleeping
span-event lanes 1
value 1000000000 0 81920000
value 1040000000 0 0
lane 0 bytes memory;free
END
status "with other lanes" 0 "$pyrograph" collapse -q --lanes "$tmp/both"
is "... both are there" "$(lines "$tmp/out")" "@1.000000000 lane;memory;free 81920
@1.000000000 lane;parallelism 1.5
@1.010000000 lane;parallelism 0.5
@1.020000000 lane;parallelism 0
@1.040000000 lane;memory;free 0"
example none
status "a recording without switches" 1 "$pyrograph" collapse --lanes "$rec"
has "... is said to have no lanes" "$tmp/err" "has no quantities over time"
sed '/^in/d' tests/collapse/golden/parallel.txt >"$tmp/part"
for turn in 1 2 3; do
	echo "out 100000010$turn 10 10 0"
done >>"$tmp/part"
made part.data <"$tmp/part"
status "a recording with part of the switches" 1 "$pyrograph" collapse --lanes "$tmp/part.data"
has "... says so" "$tmp/err" "nor all context switches"
status "... which is nothing for --if-any" 3 "$pyrograph" collapse --if-any --lanes "$tmp/part.data"
is "... and no message" "$(cat "$tmp/err")" ""
status "... its samples tell how many ran" 0 "$pyrograph" collapse --weight latency "$tmp/part.data"
has "... as is said" "$tmp/err" "only part of the context switches was recorded"

# ---- what cannot be ----
made sched <tests/collapse/golden/sched.txt
for bad in 0 1-0 x 1,,2 "1," "," 2-1 -3 1-2-3 99999999999999999999-1 1.5; do
	status "wrong usage: --parallelism $bad" 2 "$pyrograph" collapse --parallelism "$bad" "$rec"
	has "... what is right" "$tmp/err" "try 1-2, or 1,4-8,64-"
done
for bad in "--weight latency --states" "--columns latency,samples --offcpu" "--parallelism 1 --timeline" \
	"--parallelism 2 --explain" "--weight latency --event sched" "--parallelism 1 --event sched"; do
	# shellcheck disable=SC2086 # words
	status "wrong usage: $bad" 2 "$pyrograph" collapse $bad "$tmp/sched"
	if [ -s "$tmp/out" ]; then not_ok "... leaves stdout empty" "$tmp/out"; else ok "... leaves stdout empty"; fi
done
status "no samples of running code" 1 "$pyrograph" collapse --weight latency "$tmp/sched"
has "... is said" "$tmp/err" "has no samples of running code"
status "a number of threads that never ran at once" 1 "$pyrograph" collapse --event cpu-clock --parallelism 7 "$rec"
has "... is said" "$tmp/err" "is left after --event cpu-clock --parallelism 7"
echo 'a;b 1' >"$tmp/folded"
for option in "--weight latency" "--parallelism 1"; do
	# shellcheck disable=SC2086 # words
	status "$option of text" 2 "$pyrograph" collapse --format folded $option "$tmp/folded"
done
