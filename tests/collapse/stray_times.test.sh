# The record of a broken sample, at time 0, does not affect axes or spans; it is counted and reported.
# live: files that perf records
. tests/tap.sh
. tests/served.sh

# made NAME: 100 records, 10 ms apart, and one at time 0; stdin has the lines before them; event TIME NUMBER prints the
# record
made()
{
	{
		cat
		echo "clock 9000000000000 1795342502000000000"
		i=0
		while [ $i -lt 100 ]; do
			[ $i != 20 ] || event 0 $i
			event $((9000000000000 + i * 10000000)) $i
			i=$((i + 1))
		done
	} >"$tmp/$1.txt"
	run_to "$tmp/none" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/$1.data" <"$tmp/$1.txt"
}

# observed FILE: the times in its header
observed() { head -1 "$1" | grep -oE '(start|end|from|to)=[^ ]*' | paste -sd' '; }

# observed_is WHAT FROM: checks the observed times of the last output
observed_is()
{
	is "$1: the observed time is that of the others" "$(observed "$tmp/out")" "start=2026-11-22T10:15:02.000000000Z \
end=2026-11-22T10:15:02.990000000Z from=2026-11-22T10:15:0$2Z to=2026-11-22T10:15:02.990000001Z"
}

event() { echo "sample $1 10 10 0 0x1100"; }
made heat <<'END'
event cpu-clock 1 0
comm 8999999999999 10 10 app
mmap 8999999999999 10 0x1000 0x1000 0 /bin/app
END
status "a sample" 0 "$pyrograph" collapse --heat "$tmp/heat.data"
observed_is "a sample" 1.999999999
has "... is said" "$tmp/err" "samples at time 0, as of broken records: 1; they have no time"
is "... and there, without a time" "$(grep -c '^@' "$tmp/out"):$(grep -v '^[@#]' "$tmp/out")" "100:app;app-10/app;cpu0;[app] 1"
cp "$tmp/out" "$tmp/heat.folded"
status "... left out of the chart" 0 "$pyrograph" render heat -o "$tmp/heat.svg" "$tmp/heat.folded"
has "... which says so" "$tmp/err" "skipped 1 line without a time of 101"
has "... whose axis is short" "$tmp/heat.svg" "<title>Subsecond-offset heat map: CPU activity within each second<"
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q "$tmp/heat.data"
is "... and counted in sums" "$(total "$tmp/out")" 101
status "... an offset begins at the first of the others" 0 "$pyrograph" collapse -q --from +500ms "$tmp/heat.data"
is "... and leaves it out" "$(total "$tmp/out")" 50

event() { echo "value $1 1 $2"; }
made lanes <<'END'
span-event lanes 0
lane 1 bytes udp;depth
END
status "a value" 0 "$pyrograph" collapse --lanes "$tmp/lanes.data"
observed_is "a value" 2.000000000
has "... is said" "$tmp/err" "samples at time 0, as of broken records: 1; they have no time"
cp "$tmp/out" "$tmp/lanes.folded"
status "... left out of the chart" 0 "$pyrograph" render lanes -o "$tmp/lanes.svg" "$tmp/lanes.folded"
has "... which says so" "$tmp/err" "skipped 1 line"

event() { if [ $(($2 % 2)) = 0 ]; then echo "switch $1 0 10 1 11"; else echo "switch $1 0 11 1 10"; fi; }
made sched <<'END'
tracepoint switch 316
comm 8999999999999 10 10 app
comm 8999999999999 11 11 two
END
status "a switch" 0 "$pyrograph" collapse --timeline "$tmp/sched.data"
observed_is "a switch" 1.999999999
has "... is said" "$tmp/err" "events of the scheduler at time 0, as of broken records: 1; they are left out"
has "... also in the header" "$tmp/out" 'losses="switches missing 1"'
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q --states "$tmp/sched.data"
is "... and makes no state of hours" "$(awk '!/^#/ { n += $(NF - 2) } END { print n }' "$tmp/out")" 1980000000

# ---- perf's own, by each clock ----
if ! command -v perf >/dev/null || ! perf record -q -B --no-bpf-event -o "$tmp/try" -- true 2>"$tmp/err"; then
	skip "perf's files" "perf record does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi
cat >"$tmp/stray.py" <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
attrs, _, at, size = struct.unpack_from("<4Q", data, 24)
kind = struct.unpack_from("<Q", data, attrs + 24)[0]  # sample_type
time_at = 8 + sum(8 for bit in (0x10000, 1, 2) if kind & bit)
samples, end = [], at + size
while at < end:
    number, _, length = struct.unpack_from("<IHH", data, at)
    samples += [at] if number == 9 else []
    at += length
struct.pack_into("<Q", data, samples[len(samples) // 2] + time_at, 0)
open(sys.argv[2], "wb").write(data)
END

stray_judged()
{
	# A loop that uses 60 ms of CPU time; how long it takes does not matter.
	perf record -q -k "$1" -e cpu-clock -F 999 --no-bpf-event -o "$tmp/perf.data" -- \
		sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done' >"$tmp/none" 2>"$tmp/err" || not_ok "perf record" "$tmp/err"
	run_to "$tmp/whole" "$tmp/err" "$pyrograph" collapse -q --heat "$tmp/perf.data"
	python3 "$tmp/stray.py" "$tmp/perf.data" "$tmp/stray.data"
	status "perf record -k $1" 0 "$pyrograph" collapse --heat "$tmp/stray.data"
	has "... a sample at time 0 is said" "$tmp/err" "samples at time 0, as of broken records: 1; they have no time"
	is "... the observed time is the same" "$(observed "$tmp/out")" "$(observed "$tmp/whole")"
	is "... the others have their times" "$(grep -c '^@' "$tmp/out")" $(($(grep -c '^@' "$tmp/whole") - 1))
}
for clock in monotonic monotonic_raw CLOCK_REALTIME; do
	live stray_judged $clock
done
