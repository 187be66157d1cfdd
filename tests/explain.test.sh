#!/bin/sh
# pyrograph explain: options, forms, and its text about recordings with hostile names.  The sentences themselves are
# tested in tests/collapse/golden/outliers.*.
. tests/tap.sh

recording=$tmp/rec.data
python3 tests/collapse/make_recording.py "$recording" <tests/collapse/golden/outliers.txt
explain="$pyrograph explain"

status "in words" 0 $explain "$recording"
same "... as collapse has it" "$tmp/out" tests/collapse/golden/outliers.text.folded
status "of standard input" 0 sh -c "$explain <'$recording'"
same "... likewise" "$tmp/out" tests/collapse/golden/outliers.text.folded
has "the first ten lines name the fault" tests/collapse/golden/outliers.text.folded "of /opt/liblbm.so at 0x3000"
is "... its thread, the symbol, and who was in the way" "$(head -10 "$tmp/out" |
	grep -c -e 'receiver of lbm-10' -e 'binds sched_yield of liblbm.so' -e 'journaller of java-20')" 3

status "--json" 0 $explain --json "$recording"
is "... is JSON" "$(python3 -c 'import json, sys
d = json.load(sys.stdin)
o = d["outliers"][0]
print(o["ns"], o["file"], o["reason"], o["rival"]["thread"], o["did"], sum(o["parts"].values()) == o["ns"])' <"$tmp/out")" \
	"147000000 /opt/liblbm.so block-io journaller write_journal True"
status "--markdown" 0 $explain --markdown "$recording"
is "... has no markup from names" "$(grep -c '[^\\][<*_]' "$tmp/out")" 0
is "... and headings" "$(grep -c '^##* ' "$tmp/out")" 4
status "--correlate" 0 $explain --correlate "$recording"
has "... tells what others did" "$tmp/out" "  - journaller of java-20 ran 0 ns, was blocked 137 ms (io): write_journal"
status "-o FILE" 0 $explain -o "$tmp/text" "$recording"
same "... is there" "$tmp/text" tests/collapse/golden/outliers.text.folded

# A report records cpu, sched and offcpu anyhow.
{ printf 'event cpu-clock\nsample 1000 10 10 0 0x1000\nspan-event offcpu\n'; cat tests/collapse/golden/chain.txt; } |
	python3 tests/collapse/make_recording.py "$tmp/report.data"
status "what was not recorded" 0 $explain "$tmp/report.data"
has "... by which collectors" "$tmp/out" "not recorded (pyrograph collect faults,syscalls,io,locks,lanes)"
status "... in a report" 0 env PYROGRAPH_CALLER="pyrograph report" "${pyrograph%/*}/pyrograph-collapse" --explain "$tmp/report.data"
has "... by which of its options" "$tmp/out" "not recorded (pyrograph report --faults --syscalls --io --locks --lanes)"

# A recorder that was killed: what had begun may be missing.
python3 tests/collapse/make_recording.py "$tmp/whole.data" <tests/collapse/golden/doubt.txt
head -c -600 "$tmp/whole.data" >"$tmp/cut.data"
status "a recording that is cut off" 0 $explain "$tmp/cut.data"
has "... is explained as far as it goes, with a doubt" "$tmp/out" "the file is cut off, and waits that still went on are missing"

# Every one of many that starve is there, in JSON and in the timeline's header.
python3 tests/collapse/make_recording.py "$tmp/convoy.data" <tests/collapse/golden/convoy.txt
status "many victims" 0 $explain --json "$tmp/convoy.data"
is "... are all told" "$(python3 -c 'import json, sys; print(len(json.load(sys.stdin)["findings"][0]["victims"]))' <"$tmp/out")" 11
is "... in a timeline, too" "$("$pyrograph" collapse -q --timeline "$tmp/convoy.data" | sed -n 's/.* victims="\([^"]*\)".*/\1/p' | tr ';' '\n' | grep -c worker)" 11

status "two forms" 2 $explain --json --markdown "$recording"
status "two recordings" 2 $explain "$recording" "$recording"
status "a file that is not there" 1 $explain "$tmp/nosuch"
has "... is said by its name" "$tmp/err" "pyrograph explain: $tmp/nosuch: No such file"
: >"$tmp/empty"
printf 'comm 0 10 10 shop\nspan-event sched\nspan 1000 2000 10 10 0 1000 3 500 - state:running\n' |
	python3 tests/collapse/make_recording.py "$tmp/sums.data"
status "sums of time only" 1 $explain "$tmp/sums.data"
has "... says what is there, and how to record waits" "$tmp/err" \
	'only sched; to explain waits, record them: pyrograph collect cpu,sched,offcpu --events=1ms --wakers'
status "an empty file" 1 $explain "$tmp/empty"
status "a full disk" 1 sh -c "$explain '$recording' >/dev/full"
status "a name that looks like an option" 1 $explain -- -x
status "--correlate without --explain" 2 "$pyrograph" collapse --correlate "$recording"
sh tests/collapse/many_outliers.sh >"$tmp/many.txt"
python3 tests/collapse/make_recording.py "$tmp/many.data" <"$tmp/many.txt"
status "many things" 0 $explain "$tmp/many.data"
is "... fit 40 lines" "$(awk 'END { print (NR <= 40 && NR >= 25) }' "$tmp/out")" 1

# More collectors must not make the answer worse: a call, or a lock, in which a thread waited tells less than the thread
# to blame.
made=tests/collapse/golden/explain.txt
answer() # TEXT: the headline's statement about the second with a lock
{
	python3 tests/collapse/make_recording.py "$tmp/answer.data" <"$1"
	"$pyrograph" collapse -q --explain=headline --from 2026-11-22T10:15:02Z --to 2026-11-22T10:15:03Z "$tmp/answer.data" |
		sed -n 2p
}
{
	cat $made
	echo 'syscall 202 futex'
	echo 'span-event syscalls 1000000'
	echo 'span 1100000000 1900000000 10 11 0 800000000 1 800000000 single u: 0x10110 0x1201 0x1101 label:10:202 reason:6:800000000'
	echo 'span-event locks 1000000'
	echo 'span 1100000000 1900000000 10 12 0 800000000 1 800000000 single u: 0x10110 0x1201 0x1101 label:15:0 reason:6:800000000'
} >"$tmp/more.txt"
is "a culprit comes before a victim" "$(answer "$tmp/more.txt")" "$(answer $made)"
answer "$tmp/more.txt" >/dev/null
"$pyrograph" explain "$tmp/answer.data" >"$tmp/out"
has "... who is told, too" "$tmp/out" "exec-1 of shop-10 was in a call"
