# --call-graph dwarf: whole stacks of code without frame pointers, walked while recording;
# compared with fp and no; cuts are reported.
# live: stacks
. tests/tap.sh
. tests/collect/common.sh
need_sampling "call graphs of collect cpu"

# ---- what may be asked for ----
for wrong in lbr dwarfs fp,8 "" "dwarf," dwarf,0 dwarf,7 dwarf,65537 dwarf,65544 dwarf,65k dwarf,x; do
	status "--call-graph '$wrong'" 2 $collect --call-graph "$wrong" -a -d 0.1 -o "$tmp/none.data"
done
has "... says what can be copied" "$tmp/err" "BYTES must be a multiple of 8, at most 65528"
status "a ring in which no stack finds room" 2 $collect --call-graph dwarf -m 16k -a -d 0.1 -o "$tmp/none.data"
status "-g" 0 $collect -q -g -o "$tmp/none.data" -- true
status "... and dwarf" 2 $collect -g --call-graph dwarf -o "$tmp/none.data" -- true
for old in dwarf dwarf,8192 fp; do
	status "-g $old" 2 $collect -g $old -- true
	has "... is --call-graph $old" "$tmp/err" "Did you mean '--call-graph $old'?"
done
status "--call-graph -- true" 2 $collect --call-graph -- true
has "... lacks its value" "$tmp/err" "--call-graph needs a value: auto, fp, dwarf"
for size in 16k 64k 65536; do
	status "dwarf,$size" 0 $collect -q --call-graph dwarf,$size -F 99 -o "$tmp/none.data" -- true
done

if ! ${CC:-cc} -O1 -g -fomit-frame-pointer -fno-optimize-sibling-calls -std=c11 -D_GNU_SOURCE \
	tests/workloads/deep.c -o "$tmp/bare_deep" 2>"$tmp/cc.err"; then
	skip "stacks without frame pointers" "no compiler"
	exit 0
fi

# whole FILE: how many of the folded samples in functions of deep have everything that deep calls, in percent
deep=';main;work;(recurse;){6}((recurse;){7})?spin_[ab]'
whole()
{
	n=$(grep "^bare_deep;\(.*;\)*spin_[ab]" "$1" | weight)
	[ "$n" = 0 ] || echo $((100 * $(grep -E "^bare_deep;.*$deep" "$1" | weight) / n))
}
weight() { awk '{ n += $NF } END { print n + 0 }'; }

# ---- whole stacks ----
whole_stacks()
{
	stolen_before=$(stolen)
	status "dwarf" 0 $collect --call-graph dwarf -F 999 -o "$tmp/a.data" -- "$tmp/bare_deep" 400ms
	has "... nothing lost" "$tmp/err" "nothing lost"
	perf_reads "dwarf" "$tmp/a.data" "$tmp/err"
	some "... has samples, as many as its 400 ms of CPU time give" "$(said "$tmp/err")" "$(wanted_of 400000000 999 80)"
	"$pyrograph" collapse -q "$tmp/a.data" >"$tmp/a.folded" 2>"$tmp/collapse.err" || not_ok "collapse" "$tmp/collapse.err"
	some "... its stacks are whole, in percent" "$(whole "$tmp/a.folded")" 95
	some "... up to the first function, in percent" \
		"$(awk '/^#/ { next } { n += $NF } /;_start;/ { whole += $NF } END { print int(100 * whole / n) }' "$tmp/a.folded")" 95
	has_not "... the attribute is that of chains" "$tmp/perf.out" "STACK_USER"
	some "... and it keeps chains, not stacks: so many times smaller" \
		"$(($(said "$tmp/err") * 32768 / $(stat -c %s "$tmp/a.data")))" 4
}

# The frames must be those of perf script, whose [unknown] after a stack that ends early is our label.
as_perf_script()
{
	perf script -i "$tmp/a.data" --no-inline --max-stack 8192 -F comm,pid,tid,time,event,ip,sym,symoff,dso \
		2>"$tmp/perf.err" | sed '/^[[:space:]]*4c04[0-9a-f]* \[unknown\] (\[unknown\])$/d' >"$tmp/perf.txt"
	is "perf script has no warning" "$(cat "$tmp/perf.err")" ""
	no_inline=$("$pyrograph" collapse --help | grep -o -e '--no-inline' | head -1)
	"$pyrograph" collapse -q --files=never $no_inline --event all "$tmp/a.data" >"$tmp/ours.txt" 2>/dev/null
	python3 tests/collapse/compare.py "the stacks and counts of perf script" "$tmp/perf.txt" "$tmp/ours.txt" bare_deep
}
shapes()
{
	whole_stacks
	as_perf_script
}
live shapes

# ---- what nobody asked for ----
pointers="user stacks by frame pointers: "
by_default()
{
	status "by default" 0 $collect -F 99 -o "$tmp/y.data" -- "$tmp/bare_deep" 600ms
	has_not "... needs no word about it" "$tmp/err" "frame pointers"
	"$pyrograph" collapse -q "$tmp/y.data" >"$tmp/y.folded" 2>/dev/null
	some "... whole stacks, in percent" "$(whole "$tmp/y.folded")" 95
	status "by default, the whole machine" 0 $collect -a -F 999 -o "$tmp/y.data" -- "$tmp/bare_deep" 200ms
	"$pyrograph" collapse -q "$tmp/y.data" >"$tmp/y.folded" 2>/dev/null
	some "... whole stacks, in percent" "$(whole "$tmp/y.folded")" 95
	rm -rf "$tmp/charts"
	status "the report" 0 "$pyrograph" report -q --only cpu -F 999 -o "$tmp/charts" -- "$tmp/bare_deep" 200ms
	zcat -f "$tmp"/charts/*.folded* >"$tmp/y.folded"
	some "... whole stacks" "$(grep -cE "$deep" "$tmp/y.folded")" 1
}
live by_default

# falls_back WHAT WORDS OPTION...
falls_back()
{
	what=$1 words=$2
	shift 2
	status "$what" 0 $collect "$@" -o "$tmp/z.data" -- "$tmp/bare_deep" 100ms
	is "... frame pointers, said in one line" "$(grep -c "$pointers.*$words" "$tmp/err")" 1
	is "... and no stack was walked" "$("$pyrograph" collapse -q "$tmp/z.data" 2>/dev/null | grep -cE "$deep")" 0
}
live falls_back "a rate that is too high" "9999 Hz, too many to be copied; use -F 8192 or less" -F 9999
live falls_back "a ring that is too small" "rings of 128 KiB .* hold too few copies at 999 Hz" -F 999 -m 128k
live falls_back "a rate that nobody knows" "how often the event happens is not known" -e cpu-clock -c 5000000
smaller_copies()
{
	status "4999 Hz" 0 $collect -F 4999 -o "$tmp/y.data" -- "$tmp/bare_deep" 100ms
	has_not "... smaller copies" "$tmp/err" "$pointers"
	"$pyrograph" collapse -q "$tmp/y.data" >"$tmp/y.folded" 2>/dev/null
	some "... and whole stacks, in percent" "$(whole "$tmp/y.folded")" 95
}
live smaller_copies

# Kernel frames stand on user frames, once.
in_the_kernel()
{
	status "in the kernel" 0 $collect -q --call-graph dwarf -F 1999 -o "$tmp/k.data" -- \
		dd if=/dev/zero of=/dev/null bs=64k count=50000
	"$pyrograph" collapse -q "$tmp/k.data" >"$tmp/k.folded" 2>/dev/null
	some "... has samples" "$(awk '!/^#/ && /do_syscall|el0_svc/ { n += $NF } END { print n + 0 }' "$tmp/k.folded")" 20
	is "... each on the user frames that led there" \
		"$(awk '!/^#/ && /^dd;.*;(vfs|ksys)_(read|write);/ && !/;(_start|_dl_start|__libc_start_main[^;]*);/ { n += $NF }
			END { print n + 0 }' "$tmp/k.folded")" 0
}
live in_the_kernel

# ---- beside others ----
several_events()
{
	status "several events, one of them with fields" 0 $collect --call-graph dwarf -F 999 -e cpu-clock -e page-faults \
		-o "$tmp/e.data" -- "$tmp/bare_deep" 100ms
	perf_reads "several events" "$tmp/e.data" "$tmp/err"
}
live several_events
if [ -r /sys/kernel/tracing/events/sched/sched_process_exec/id ]; then
	a_tracepoint()
	{
		status "a tracepoint" 0 $collect --call-graph dwarf -e sched:sched_process_exec -o "$tmp/t.data" -- \
			sh -c 'ls / >/dev/null'
		perf script --symfs "$tmp" -i "$tmp/t.data" >"$tmp/script" 2>&1
		is "... its fields are kept" "$(grep -c 'filename=.*ls pid=' "$tmp/script")" 1
	}
	live a_tracepoint
else
	skip "a tracepoint" "no right to read /sys/kernel/tracing"
fi
if "$pyrograph" collect usable sched 2>/dev/null | grep -q sched; then
	beside_sched()
	{
		status "beside sched" 0 "$pyrograph" collect cpu,sched --call-graph dwarf -F 999 -o "$tmp/s.data" -- "$tmp/bare_deep" 200ms
		"$pyrograph" collapse -q --event cpu-clock "$tmp/s.data" >"$tmp/s.folded" 2>/dev/null ||
			"$pyrograph" collapse -q "$tmp/s.data" >"$tmp/s.folded" 2>/dev/null
		some "... whole stacks, in percent" "$(whole "$tmp/s.folded")" 95
		"$pyrograph" collapse -q --states "$tmp/s.data" >"$tmp/s.states" 2>/dev/null
		some "... and states" "$(grep -c ';running' "$tmp/s.states")" 1
	}
	live beside_sched
else
	skip "beside sched" "no BPF"
fi
whole_machine()
{
	status "the whole machine" 0 $collect -a --call-graph dwarf -F 999 -o "$tmp/w.data" -- "$tmp/bare_deep" 200ms
	perf_reads "the whole machine" "$tmp/w.data" "$tmp/err"
	perf script --symfs "$tmp" -i "$tmp/w.data" --max-stack 8192 -F comm,ip 2>/dev/null >"$tmp/script"
	is "... threads of the kernel have no user part, and no end of one" \
		"$(awk '/^[^\t]/ { comm = $1 }
			/^[ \t]+4c04/ && comm ~ /^(swapper|kworker|ksoftirqd|rcu_)/ { n++ } END { print n + 0 }' "$tmp/script")" 0
}
live whole_machine

# ---- what is cut ----
few_bytes()
{
	status "256 bytes of a stack" 0 $collect --call-graph dwarf,256 -F 999 -o "$tmp/c.data" -- "$tmp/bare_deep" 200ms
	has "... are too few: it says so" "$tmp/err" "stacks larger than the piece that was copied"
	has "... and what helps" "$tmp/err" "--call-graph dwarf,65528 copies as much as possible"
	"$pyrograph" collapse -q "$tmp/c.data" >"$tmp/c.folded" 2>/dev/null
	some "... its stacks are marked, in percent" \
		"$(awk '!/^#/ { n += $NF } /\[truncated\];.*recurse/ { cut += $NF } END { print int(100 * cut / n) }' "$tmp/c.folded")" 40
}
live few_bytes
no_stacks()
{
	status "no" 0 $collect --call-graph no -F 999 -o "$tmp/n.data" -- "$tmp/bare_deep" 200ms
	perf_reads "no" "$tmp/n.data" "$tmp/err"
	"$pyrograph" collapse -q "$tmp/n.data" >"$tmp/n.folded" 2>/dev/null
	some "... has samples" "$(grep -c '^bare_deep;spin_[ab] ' "$tmp/n.folded")" 1
	is "... of one frame" "$(grep -vc '^#\|^[^;]*;[^;]* [0-9]*$' "$tmp/n.folded")" 0
}
live no_stacks
frame_pointers()
{
	status "fp" 0 $collect --call-graph fp -F 999 -o "$tmp/f.data" -- "$spin" 0.3
	perf script -i "$tmp/f.data" -F comm,ip,sym 2>/dev/null >"$tmp/script"
	has "... follows frame pointers" "$tmp/script" "run"
}
live frame_pointers

# ---- endings ----
a_signal()
{
	rm -f "$tmp/i.data"
	$collect -a --call-graph dwarf -F 999 -o "$tmp/i.data" 2>"$tmp/err" & collector=$!
	before 30 begun "$tmp/i.data" || not_ok "a signal: it begins" "$tmp/err"
	"$tmp/bare_deep" 200ms
	kill -TERM $collector
	finished $collector
	is "a signal: status 0" $? 0
	perf_reads "a signal" "$tmp/i.data" "$tmp/err"
	"$pyrograph" collapse -q "$tmp/i.data" >"$tmp/i.folded" 2>/dev/null
	some "... what waited was walked, in percent" "$(whole "$tmp/i.folded")" 95
}
live a_signal

# This is recorded until it has happened, whatever else the machine does.
killed()
{
	"$spin" 600 2 >/dev/null & started=$!
	trap 'kill $started 2>/dev/null' EXIT
	rm -f "$tmp/d.data"
	$collect -a --call-graph dwarf -F 999 -o "$tmp/d.data" 2>"$tmp/err" & collector=$!
	grows "$tmp/d.data" 100000 || not_ok "SIGKILL: the file grows" "$tmp/err"
	kill -KILL $collector
	finished $collector
	kill $started
	wait $started 2>/dev/null
	perf script --symfs "$tmp" -i "$tmp/d.data" >"$tmp/script" 2>"$tmp/perf.err"
	no_loss "$tmp/perf.err" # nobody is left to tell of them
	is "SIGKILL: perf opens it without a warning" "$(cat "$tmp/perf.err")" ""
	some "... what was flushed is there" "$(samples "$tmp/d.data")" 50
}
live killed

# Not the whole machine, which may have more modules and symbols than fit.
size_limit()
{
	"$spin" 600 2 >/dev/null & started=$!
	trap 'kill $started 2>/dev/null' EXIT
	sh -c "ulimit -f 1000; exec $collect -F 9999 -p $started --call-graph dwarf,8192 -d 60 -o $tmp/l.data" 2>"$tmp/err"
	is "a file size limit: status 1" $? 1
	kill $started
	wait $started 2>/dev/null
	has "... is said" "$tmp/err" "cannot write: File too large"
	has "... the rest is counted" "$tmp/err" "records that could not be written"
	perf_reads "a file size limit" "$tmp/l.data" "$tmp/err"
}
live size_limit

reported()
{
	rm -rf "$tmp/charts"
	status "the report hands it on" 0 "$pyrograph" report -q --only cpu --call-graph dwarf -F 999 -o "$tmp/charts" -- "$tmp/bare_deep" 200ms
	cat "$tmp"/charts/*.folded 2>/dev/null | grep -v '^#' >"$tmp/r.folded" || zcat -f "$tmp"/charts/*.folded* >"$tmp/r.folded"
	some "... its stacks are whole" "$(grep -cE "$deep" "$tmp/r.folded")" 1
}
live reported
