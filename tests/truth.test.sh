# From a running program to its folded shares, compared with what the program itself measured; and our recording,
# compared with `perf script`.
# live: shares of time
. tests/tap.sh

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "shares" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

shares()
{
	"$pyrograph" collect cpu -q -F 999 -o "$tmp/rec.data" -- "$BUILD/tests/workloads/shares" 1.25 >"$tmp/truth" 2>"$tmp/err" ||
		not_ok "record" "$tmp/err"
	"$pyrograph" collapse -q --files=never --root thread "$tmp/rec.data" >"$tmp/folded"
	python3 - "$tmp/truth" "$tmp/folded" <<'END'
import sys
spent, total = {}, {}
for line in open(sys.argv[1]):
    thread, function, ns = line.split()
    spent[thread, function] = int(ns)
    total[thread] = total.get(thread, 0) + int(ns)
seen, samples = {}, {}
for line in open(sys.argv[2]):
    if line.startswith("#"):
        continue
    stack, count = line.rsplit(" ", 1)
    root, *frames = stack.split(";")
    thread = root.split("/")[-1]
    samples[thread] = samples.get(thread, 0) + int(count)
    for function in set(frames):
        seen[thread, function] = seen.get((thread, function), 0) + int(count)
for (thread, function), ns in spent.items():
    true, n = ns / total[thread], samples.get(thread, 0)
    got = seen.get((thread, function), 0) / max(1, n)
    slack = 0.01 + 3 * (true * (1 - true) / max(1, n)) ** 0.5 # what so many samples vary by
    verdict = "ok" if abs(true - got) <= slack <= 0.1 else "not ok"
    print("%s - %s in thread %s: %.1f %% of %d samples, truly %.1f %%, give or take %.1f" %
          (verdict, function, thread, 100 * got, n, 100 * true, 100 * slack))
END
}
live shares

if ! command -v perf >/dev/null; then
	skip "perf reads our recording" "no perf"
	exit 0
fi

# warnings FILE: perf's warnings, except those about losses
warnings() { grep -v '^Warning:$\|^Processed .* lost\|^Check IO\|^$' "$1"; }

# compare WHAT FILE [COMM]: perf script has the same stacks and counts
compare()
{
	perf script -i "$2" --no-inline -F comm,pid,tid,time,event,ip,sym,symoff,dso \
		>"$tmp/perf.txt" 2>"$tmp/perf.err"
	is "$1: perf script has no warning" "$(warnings "$tmp/perf.err")" ""
	"$pyrograph" collapse -q --files=never --event all --no-inline "$2" >"$tmp/ours.txt" 2>"$tmp/err" || not_ok "$1" "$tmp/err"
	python3 tests/collapse/compare.py "$1: the stacks and counts of perf script" \
		"$tmp/perf.txt" "$tmp/ours.txt" $3
	perf report -i "$2" --stdio >/dev/null 2>"$tmp/perf.err"
	is "$1: perf report has no warning" "$(warnings "$tmp/perf.err")" ""
}

a_command()
{
	[ $try = 1 ] || "$pyrograph" collect cpu -q -F 999 -o "$tmp/rec.data" -- "$BUILD/tests/workloads/shares" 1.25 >"$tmp/truth"
	compare "a command" "$tmp/rec.data"
}

two_events()
{
	"$pyrograph" collect cpu -q --call-graph fp -F 499 -e cpu-clock -e page-faults -o "$tmp/two.data" -- \
		sh -c "$BUILD/tests/workloads/deep 300; ls -R /usr/include >/dev/null"
	compare "two events, several programs" "$tmp/two.data"
}

whole_machine()
{
	"$BUILD/tests/workloads/deep" 20000 &
	"$pyrograph" collect cpu -q -a -F 499 -d 0.7 -o "$tmp/all.data"
	kill $! 2>/dev/null
	wait
	compare "the whole machine" "$tmp/all.data" deep
}

# Other samplers on the machine are not disturbed: in Linux 6.18, a request for build-ids by one event leaks into other
# programs' records, and perf 6.1 crashes on these.
beside_perf()
{
	perf record -q -a -F 99 -g -o "$tmp/beside.data" -- "$BUILD/tests/workloads/spin_shares" 1.5 1 >/dev/null 2>"$tmp/err" &
	"$pyrograph" collect cpu -q -a -d 0.7 -o "$tmp/we.data"
	wait $!
	is "perf record beside us" "$? $(cat "$tmp/err")" "0 "
}

live a_command
live two_events
live whole_machine
live beside_perf

# On another machine: without the files, the maps and the kernel's symbols, the text is the same.  An empty root
# directory simulates such a machine.
mkdir -p "$tmp/root/bin" "$tmp/root/tmp"
if [ -n "${SAN:-}" ]; then
	skip "a recording gives the same text elsewhere" "the sanitizers need /proc"
elif [ "$(id -u)" = 0 ] && ldd "$BUILD/pyrograph-collapse" >"$tmp/libs" 2>&1; then
	for lib in $(grep -o '/[^ ]*' "$tmp/libs"); do
		mkdir -p "$tmp/root/$(dirname "$lib")" && cp -L "$lib" "$tmp/root/$lib"
	done
	cp "$BUILD/pyrograph-collapse" "$tmp/root/bin"
	cp "$tmp/all.data" "$tmp/root"
	chroot "$tmp/root" /bin/pyrograph-collapse -q all.data >"$tmp/there" 2>"$tmp/err" || cp "$tmp/err" "$tmp/there"
	"$pyrograph" collapse -q "$tmp/all.data" >"$tmp/here"
	same "a recording gives the same text elsewhere" "$tmp/there" "$tmp/here"
else
	skip "a recording gives the same text elsewhere" "needs root for chroot"
fi
