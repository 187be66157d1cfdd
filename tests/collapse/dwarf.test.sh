# perf record --call-graph dwarf of programs without frame pointers: collapse and `perf script` read the same stacks,
# sample by sample.
# live: stacks that perf records
. tests/tap.sh
calls=$tmp/calls
fields=comm,pid,tid,time,event,ip,sym,symoff,dso

# Registers of a processor that we do not know: only the recorded chain remains.
sed 's/^arch x86_64/arch riscv64/' tests/collapse/golden/stacks.txt |
	python3 tests/collapse/make_recording.py "$tmp/riscv.data"
status "registers of another processor" 0 "$pyrograph" collapse "$tmp/riscv.data"
has "... are said to be" "$tmp/err" "stacks are not unwound: processor 'riscv64' is not supported"
has "... and the recorded chain is kept" "$tmp/out" "app;[app];leaf;do_work 1"

if ! ${CC:-cc} -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -std=c11 -D_GNU_SOURCE \
	tests/workloads/calls.c -o "$calls" 2>"$tmp/err"; then
	not_ok "build a program without frame pointers" "$tmp/err"
	exit 0
fi
if ! command -v perf >/dev/null || ! perf record -q -B -o "$tmp/try" --call-graph dwarf -- true 2>"$tmp/err"; then
	skip "perf's stacks" "perf record --call-graph dwarf does not work here: $(tail -1 "$tmp/err")"
	exit 0
fi

# record FILE OPTIONS... -- COMMAND...: perf record; *pipe* files in pipe mode
record()
{
	file=$1
	shift
	case $file in
	*pipe*) perf record -q $rate -o - "$@" >"$file" 2>"$tmp/err" ;;
	*) perf record -q $rate -o "$file" "$@" >/dev/null 2>"$tmp/err" ;;
	esac
}

# script FILE OPTIONS...: the file as text by perf, in $tmp/perf.txt.  perf spends most of its time on reading the names
# of the kernel's functions; with --kallsyms=/dev/null in $kernel, these are not compared.
kernel=
script()
{
	recorded=$1
	shift
	case $recorded in *pipe*) from=- ;; *) from=$recorded ;; esac
	perf script -i "$from" $kernel --no-inline --ns -F $fields "$@" <"$recorded" >"$tmp/perf.txt" 2>"$tmp/err"
}

# compare WHAT FILE EARLY OTHER [COMM ...]
compare()
{
	what=$1 file=$2
	shift 2
	if "$pyrograph" collapse -q --files=never --no-inline --event all --root tid --timed "$file" >"$tmp/ours.txt" 2>"$tmp/err"; then
		python3 tests/collapse/compare_walks.py "$what" "$tmp/perf.txt" "$tmp/ours.txt" "$@"
	else
		not_ok "$what" "$tmp/err"
	fi
}

# compared WHAT FILE OPTIONS...: records with perf, and compares our stacks with those of perf script
compared()
{
	what=$1 file=$tmp/$2
	shift 2
	rm -f "$file"
	if ! record "$file" "$@" || ! script "$file" --max-stack 1024; then
		skip "$what" "perf: $(tail -1 "$tmp/err")"
	else
		compare "$what" "$file" 2 5 calls
	fi
}
try() { live compared "$@"; }

rate="-F 999"
run="$calls 10 150ms" # 150 samples
try "stacks without frame pointers" plain.data --call-graph dwarf -- $run
plain=$tmp/plain.data
kernel=--kallsyms=/dev/null
try "zstd-compressed" zstd.data -z --call-graph dwarf -- $run
try "pipe mode" pipe.data --call-graph dwarf -- $run
try "pipe mode, compressed" zpipe.data -z --call-graph dwarf -- $run
try "with -k CLOCK_MONOTONIC" mono.data -k CLOCK_MONOTONIC --call-graph dwarf -- $run
try "the largest copies" large.data --call-graph dwarf,65528 -- $run
try "copies that are too small" small.data --call-graph dwarf,512 -- "$calls" 30 150ms
try "values of a group before the stacks" group.data -e '{cpu-clock,task-clock}:S' --call-graph dwarf -- $run
kernel=
try "raw data before the stacks" raw.data -e cpu-clock,sched:sched_switch --call-graph dwarf -- $run
rate="-c 1"
try "an event of the kernel" faults.data -e page-faults -c 1 --call-graph dwarf -- "$calls"

# Deeper than perf script's default, and deeper than the kernel follows frame pointers.
rate="-F 499" kernel=--kallsyms=/dev/null
very_deep()
{
	if record "$tmp/deep.data" --call-graph dwarf,65528 -- "$calls" 500 100ms && script "$tmp/deep.data"; then
		compare "500 calls deep, beside perf's 127" "$tmp/deep.data" 5 5 calls
		has_not "... none of which is cut" "$tmp/ours.txt" "[truncated]"
		grep -aq '^@[^;]*-[0-9]*/[0-9]*;_start;.*;main\(;descend\)\{501,503\};' "$tmp/ours.txt" &&
			ok "... and all calls are there" || not_ok "... and all calls are there" "$tmp/ours.txt"
	else
		skip "500 calls deep" "perf: $(tail -1 "$tmp/err")"
	fi
}
live very_deep
kernel=

# Cut stacks are marked, counted, and reported.
"$pyrograph" collapse "$tmp/small.data" >"$tmp/out" 2>"$tmp/err"
# Of a copy of 512 bytes, only descend() remains, or only qsort_r() if libc sorts on the stack (2.37 and later).
if grep -qE '^calls;\[truncated\];(descend|qsort_r);' "$tmp/out"; then
	ok "cut stacks are marked"
else
	not_ok "cut stacks are marked" "$tmp/out"
fi
is "... and counted" "$(grep -ao 'stacks cut [0-9]*' "$tmp/out" | tr -dc 0-9)" \
	"$(awk '/;\[truncated\];/ { n += $NF } END { print n }' "$tmp/out")"
has "... and what helps is said" "$tmp/err" "(perf record --call-graph dwarf,65528 copies more)"
has_not "frame pointers are not asked for" "$tmp/err" "frame pointers"
"$pyrograph" collapse "$plain" >"$tmp/out" 2>"$tmp/err"
is "whole stacks need no word" "$(grep -v 'samples were lost\|lost: ' "$tmp/err")" ""

# Without the program's file, the walk cannot continue.
file_gone()
{
	cp "$calls" "$tmp/gone"
	record "$tmp/gone.data" --call-graph dwarf -- "$tmp/gone" 10 150ms || { skip "a file that is gone" "perf"; return; }
	rm "$tmp/gone"
	"$pyrograph" collapse "$tmp/gone.data" >"$tmp/out" 2>"$tmp/err"
	has "a file that is gone ends the stacks in it" "$tmp/err" "could not be unwound to the start of their thread"
	"$pyrograph" collapse -q --quality "$tmp/gone.data" >"$tmp/out" 2>&1
	has "... as --quality says" "$tmp/out" " no-file "
}
live file_gone

# Filters see the same samples as perf's; stacks that nobody needs are not walked.
"$pyrograph" collapse -q --no-stack "$plain" >"$tmp/out"
is "--no-stack counts the same samples" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/out")" \
	"$("$pyrograph" collapse -q "$plain" | awk '!/^#/ { n += $NF } END { print n }')"
status "--scan-only" 0 "$pyrograph" collapse --scan-only "$plain"
"$pyrograph" collapse -q "$plain" >"$tmp/a"
"$pyrograph" collapse -q "$plain" >"$tmp/b"
same "twice the same" "$tmp/b" "$tmp/a"

# The whole machine, with stripped programs of Debian, some of them not written in C.
whole_machine()
{
	sh -c 'while :; do sort /usr/share/common-licenses/GPL-3; perl -e "my %h; \$h{\$_ % 99} .= \$_ for 1..200000"
		python3 -c "print(sorted(str(i) for i in range(200000))[7])"; done >/dev/null 2>&1' &
	load=$!
	record "$tmp/all.data" -a --call-graph dwarf -- "$calls" 10 300ms && script "$tmp/all.data" --max-stack 1024
	recorded=$?
	kill $load
	wait $load 2>/dev/null
	if [ $recorded = 0 ]; then
		compare "the whole machine" "$tmp/all.data" 5 5 calls sh sort perl python3
	else
		skip "the whole machine" "perf: $(tail -1 "$tmp/err")"
	fi
}
live whole_machine

# Switches of threads, and their wakers: the user parts of both stacks.
sleepers()
{
	if perf record -q -o "$tmp/switch.data" -a -e sched:sched_switch,sched:sched_waking --call-graph dwarf,4096 -- \
		sh -c "'$calls' 5 500 write | '$calls' 5 100000 read" >/dev/null 2>"$tmp/err"; then
		"$pyrograph" collapse -q --files=never --offcpu --root comm "$tmp/switch.data" >"$tmp/out" 2>"$tmp/err"
		slept='calls;_start;[^-]*;main;\(descend;\)*.*compare;leaf;\(__GI___\)\?\(libc_\)\?read;[^-]*schedule'
		grep -aq "^$slept" "$tmp/out" && ok "where a thread slept" || not_ok "where a thread slept" "$tmp/err" "$tmp/out"
		woken='--;[^-]*write_\[w\];leaf_\[w\];compare_\[w\];[^-]*;main_\[w\];[^-]*_start_\[w\];calls_\[w\]'
		grep -aq "^$slept.*$woken" "$tmp/out" && ok "... and who woke it" || not_ok "... and who woke it" "$tmp/out"
	else
		skip "where a thread slept" "perf: $(tail -1 "$tmp/err")"
	fi
}
live sleepers

# Damaged registers, stacks and mappings.
if perf record -q -B -F 199 --call-graph dwarf,1024 -o "$tmp/damaged.data" -- "$calls" 10 100ms >/dev/null 2>&1; then
	judged python3 tests/collapse/hostile.py "$tmp/damaged.data" 30
fi
