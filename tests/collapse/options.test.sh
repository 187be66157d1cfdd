# Options of collapse: what they keep, and wrong usage.
. tests/tap.sh
python3 tests/collapse/make_recording.py "$tmp/rec" <tests/collapse/golden/basics.txt
rec=$tmp/rec

sum() { awk '!/^#/ { n += $NF } END { printf "%.0f\n", n }' "$1"; }

status "plain" 0 "$pyrograph" collapse "$rec"
is "every sample is in the sum" "$(sum "$tmp/out")" 7
cp "$tmp/out" "$tmp/plain"
status "again" 0 "$pyrograph" collapse "$rec"
same "the same input gives the same bytes" "$tmp/out" "$tmp/plain"
status "-o" 0 "$pyrograph" collapse -o "$tmp/file" "$rec"
same "... writes the same" "$tmp/file" "$tmp/plain"
status "abbreviated option" 0 "$pyrograph" collapse --inc main "$rec"
is "--include keeps whole lines that match" "$(sum "$tmp/out")" 5
status "--exclude" 0 "$pyrograph" collapse --exclude '^java;' --exclude sh_main "$rec"
is "... drops the rest" "$(sum "$tmp/out")" 3
status "nothing left by --include" 1 "$pyrograph" collapse --include nosuch "$rec"
has "... is said" "$tmp/err" "no stack is left after --include"
has_not "... only what was given" "$tmp/err" exclude
status "nothing left by --from" 1 "$pyrograph" collapse --from +5s "$rec"
has "... is said" "$tmp/err" "no sample of 7 is left"
has "... and when there were some" "$tmp/err" "$(sed -n '1s/.* start=\(.*\)[0-9]\{6\}Z end=\(.*\)[0-9]\{6\}Z.*/ --from +5s: the recording goes from \1Z to \2Z/p' "$tmp/plain")"
printf 'event cpu-clock\nsample 1000000000 10 10 0 0x10\nsample 3500000000 10 10 0 0x10\n' |
	python3 tests/collapse/make_recording.py "$tmp/bare"
status "the same without a wall clock" 1 "$pyrograph" collapse --from +5s "$tmp/bare"
has "... says how long it is" "$tmp/err" "no sample of 2 is left after --from +5s: the recording lasts 2.5 s"
status "from the end" 0 "$pyrograph" collapse --from -20.5ms "$rec"
is "... counts back" "$(sum "$tmp/out")" 3
for bad in "--root nosuch" "--event nosuch" "--from yesterday" "--include (" "--nosuch" "--weight x" \
	"--e page-faults"; do
	# shellcheck disable=SC2086 # words
	status "wrong usage: $bad" 2 "$pyrograph" collapse "$rec" $bad
	is "... leaves stdout empty" "$(wc -c <"$tmp/out")" 0
done

# ---- spans of time ----
python3 tests/collapse/make_recording.py "$tmp/sched" <tests/collapse/golden/sched.txt
python3 tests/collapse/make_recording.py "$tmp/spans" <tests/collapse/golden/spans.txt
python3 tests/collapse/make_recording.py "$tmp/offcpu" <tests/collapse/golden/offcpu.txt
status "a weight that is 0 everywhere" 1 "$pyrograph" collapse --offcpu --weight migrations "$tmp/offcpu"
has "... is said" "$tmp/err" "all values are 0: try another --weight"
has_not "... no filter that was not given is named" "$tmp/err" include
for bad in "--columns time,size" "--columns time,time" "--columns ," "--weight time --columns count" "--weight time,count" \
	"--state sleepy" "--state ," "--states --tenancy" "--states --event offcpu" "--min 2s --max 1s"; do
	# shellcheck disable=SC2086 # words
	status "wrong usage: $bad" 2 "$pyrograph" collapse "$tmp/sched" $bad
	is "... leaves stdout empty" "$(wc -c <"$tmp/out")" 0
done
status "a state of another name" 2 "$pyrograph" collapse --state sleping "$tmp/sched"
has "... what was meant" "$tmp/err" "Did you mean 'sleeping'?"
for option in --states --tenancy --offcpu --wakeup; do
	status "$option without such an event" 1 "$pyrograph" collapse $option "$rec"
	has "... is said" "$tmp/err" "$rec: has no "
	has "... and what records it" "$tmp/err" "pyrograph collect"
done
status "--threads of a name that nobody has" 1 "$pyrograph" collapse --threads nobody "$rec"
has "... nothing is left" "$tmp/err" "is left after --threads nobody"
has_not "... whenever that was" "$tmp/err" "the recording goes from"
status "an output without a name" 1 "$pyrograph" collapse -o '' "$rec"
has "... is said" "$tmp/err" "--output needs a file"
status "--threads with a wrong expression" 2 "$pyrograph" collapse --threads '(' "$rec"
has "... is said" "$tmp/err" "--threads"
dump=tests/collapse/golden/threads.jstack
python3 tests/collapse/make_recording.py "$tmp/threads" <tests/collapse/golden/threads.txt
status "--names of threads of several processes" 1 "$pyrograph" collapse --names $dump "$tmp/threads"
has "... wants to know which" "$tmp/err" "--names PID=$dump"
has "... wrong lines are told" "$tmp/err" "$dump:21:54: nid= is not a thread's number"
status "--names of another process" 0 "$pyrograph" collapse --names 12=$dump "$tmp/threads"
has "... none of them is there" "$tmp/err" "none of its 8 threads is in the recording"
status "--names of a file that is no dump" 1 "$pyrograph" collapse --names README.md "$tmp/threads"
has "... is said" "$tmp/err" "README.md: has no thread"
status "--names of no file" 1 "$pyrograph" collapse --names "$tmp/nothing" "$tmp/threads"
has "... is said" "$tmp/err" "No such file"
status "--names of points" 2 "$pyrograph" collapse --format points --names $dump /dev/null
python3 tests/collapse/make_recording.py "$tmp/alloc" <tests/collapse/golden/alloc.txt
status "allocations are no times" 2 "$pyrograph" collapse --weight time "$tmp/alloc"
status "no allocations in a recording of stacks" 2 "$pyrograph" collapse --weight objects "$rec"
has "... is said" "$tmp/err" "samples of cpu-clock have no 'objects'"
status "allocations are nothing that ran" 1 "$pyrograph" collapse --sampled "$tmp/alloc"
for column in longest migrations; do
	status "--columns $column of a clock" 2 "$pyrograph" collapse --columns time,$column "$rec"
	has "... is said" "$tmp/err" "samples of cpu-clock have no '$column'"
done
status "--columns of a clock" 0 "$pyrograph" collapse --columns count,time "$rec"
has "... are samples and their periods" "$tmp/out" "java;main;Foo::bar;leaf 2 2"
status "no state in a recording of stacks" 1 "$pyrograph" collapse --state running "$rec"
has "... nothing is left" "$tmp/err" "--state"
status "sums have no length" 1 "$pyrograph" collapse --min 1ns "$tmp/sched"
has "... is said" "$tmp/err" "17 samples are sums of several spans"

# ---- several events, and the messages about the other ones ----
{
	cat tests/collapse/golden/basics.txt
	sed -n '/^span-event/p; /^span /p' tests/collapse/golden/sched.txt
} >"$tmp/mixed.txt"
python3 tests/collapse/make_recording.py "$tmp/mixed" <"$tmp/mixed.txt"
status "samples of several events" 0 "$pyrograph" collapse "$tmp/mixed"
is "... one line says what else there is, and how to see it" "$(cat "$tmp/err")" \
	"pyrograph collapse: using event cpu-clock; also available: sched (--states, --tenancy), offcpu (--offcpu)"
status "--sampled" 0 "$pyrograph" collapse --sampled "$tmp/mixed"
is "... asked for no others" "$(cat "$tmp/err")" ""
status "an event that is not there" 2 "$pyrograph" collapse -e nosuch "$tmp/mixed"
has "... those that are" "$tmp/err" "available: offcpu (times of scheduler states, without stacks)"
sums="--from, --to cut"
status "a time that begins within a second" 0 "$pyrograph" collapse --states --from +0.25s --to +1s "$tmp/sched"
has "... cuts sums" "$tmp/err" "$tmp/sched: $sums 11 sums of about 1s, which are split pro rata"
has "... what records single ones is said" "$tmp/err" "'pyrograph collect sched --events'"
status "one that begins where a second does" 0 "$pyrograph" collapse --states --from +1s "$tmp/sched"
has_not "... cuts none" "$tmp/err" "$sums"
status "a heat map of a part" 0 "$pyrograph" collapse --heat --states --from +0.25s "$tmp/sched"
has_not "... has said already that they are sums" "$tmp/err" "$sums"
status "single spans" 0 "$pyrograph" collapse --states --from +0.25s --to +1s "$tmp/spans"
has_not "... add up" "$tmp/err" "$sums"
status "--offcpu of scheduler states" 0 "$pyrograph" collapse --offcpu "$tmp/sched"
has "... has no stacks, and says so" "$tmp/err" "no stacks: blocked time is taken from the scheduler states"
has "... in the header, too" "$tmp/out" 'losses="threads not tracked 1, stacks not recorded"'
is "... but all of the time" "$(sum "$tmp/out")" 2492000000
status "--offcpu --state" 0 "$pyrograph" collapse --offcpu --state blocked-io "$tmp/sched"
is "... one of them" "$(sum "$tmp/out")" 1500000000
{
	printf 'span-event offcpu\nspan-event sched\n'
	sed -n '/^span /p' tests/collapse/golden/sched.txt
	echo 'span 1500000000 2500000000 20 20 1 0 0 0 - state:running'
} >"$tmp/none.txt"
python3 tests/collapse/make_recording.py "$tmp/none" <"$tmp/none.txt"
status "--offcpu where collect offcpu found nobody blocked" 1 "$pyrograph" collapse --offcpu "$tmp/none"
has "... says that" "$tmp/err" "offcpu was recorded, but has no samples"
"$pyrograph" collapse -q --states --timed "$tmp/none" >"$tmp/out"
has_not "no line is all zeros" "$tmp/out" " 0 0 0"

# ---- cut off ----
head -c $(($(wc -c <"$tmp/sched") - 1500)) "$tmp/sched" >"$tmp/cut"
status "scheduler states of a recording that is cut off" 0 "$pyrograph" collapse --states "$tmp/cut"
has "... may lack threads" "$tmp/err" "spans that were still open, perhaps long ones, may be missing"
has "... which the header says" "$tmp/out" 'file cut off'

# ---- no wall clock ----
grep -v '^clock' tests/collapse/golden/spans.txt >"$tmp/noclock.txt"
python3 tests/collapse/make_recording.py "$tmp/noclock" <"$tmp/noclock.txt"
status "times of the kernel's own clock" 0 "$pyrograph" collapse --states --timed "$tmp/noclock"
has "... are named" "$tmp/out" ' clock=monotonic '
status "what is always kept" 0 "$pyrograph" collapse --tenancy "$tmp/sched"
has_not "... is no filter" "$tmp/out" 'filter='
has_not "times of a wall clock are not the kernel's" "$tmp/out" 'clock='

# total FILE COLUMNS-FROM-THE-END: of what spin-a did
total() { awk -v n="$2" '/spin-a-10\/spin-a;/ && !/^#/ { t += $(NF - n + 1) } END { print t }' "$1"; }
"$pyrograph" collapse --states "$tmp/sched" >"$tmp/out"
is "the states of a thread add up to its time" "$(total "$tmp/out" 3)" 1500000000
for range in "--to +1s" "--to +300ms" "--from +1s" "--from +0.1s --to +1.3s" "--from +700ms --to 800ms"; do
	for made in sched spans; do
		# shellcheck disable=SC2086 # words
		"$pyrograph" collapse --states $range "$tmp/$made" >"$tmp/out"
		window=$(python3 -c "
import sys, re
span = dict(zip(sys.argv[1::2], sys.argv[2::2]))
ns = lambda t: float(t.strip('+ms')) * (1e6 if t.endswith('ms') else 1e9)
print(round(ns(span.get('--to', '1.5s' if '$made' == 'sched' else '2s')) - ns(span.get('--from', '0s'))))" $range)
		got=$(total "$tmp/out" 3)
		[ $((got - window)) -le 3 ] && [ $((window - got)) -le 3 ] && ok "... in $made $range to that" ||
			not_ok "... in $made $range to that" "$got ns, not $window" "$tmp/out"
	done
done
"$pyrograph" collapse --offcpu "$tmp/offcpu" >"$tmp/out"
is "blocked time, all of it" "$(sum "$tmp/out")" 435000000
"$pyrograph" collapse --offcpu --no-wakers "$tmp/offcpu" >"$tmp/out"
is "... also without wakers" "$(sum "$tmp/out")" 435000000
"$pyrograph" collapse --offcpu --include '--;' "$tmp/offcpu" >"$tmp/out"
is "... only with wakers" "$(sum "$tmp/out")" 128000000

status "several roots" 0 "$pyrograph" collapse --root host,comm,pid,tid,thread,cpu,event "$rec"
has "... in their order" "$tmp/out" "db1;java;java-10;java-10/10;java-10/java;cpu0;cpu-clock;main;Foo::bar;leaf 2"
cp "$rec" "$tmp/same"
status "the recording is not overwritten" 2 "$pyrograph" collapse -o "$tmp/same" "$tmp/same"
same "... it is as it was" "$tmp/same" "$rec"
status "a recording is no folded text" 1 "$pyrograph" render flame "$rec"
has "... and collapse is named" "$tmp/err" "pyrograph collapse"

# ---- folded lines, recognised without --format ----
status "our folded lines" 0 "$pyrograph" collapse "$tmp/plain"
same "... are recognised" "$tmp/out" "$tmp/plain"
for text in 'main;foo 17\n' '# comment\n# another\nmain;foo;bar 17.5\r\n' 'a;b 1'; do
	printf "$text" >"$tmp/folded"
	status "folded lines: $text" 0 "$pyrograph" collapse "$tmp/folded"
	has "... are recognised" "$tmp/out" "$(printf "$text" | tail -1 | tr -d '\r')"
done
status "... on stdin" 0 sh -c "$pyrograph collapse <$tmp/folded"
is "... too" "$(cat "$tmp/out")" "a;b 1"
for text in 'text' 'some text;more' '# comment' 'a;b 1\0' '17' '; 1 x\n'; do
	printf "$text" >"$tmp/folded"
	status "other text: $text" 1 "$pyrograph" collapse "$tmp/folded"
	has "... is none" "$tmp/err" "is not a perf.data file"
done
# other TEXT WHAT: for a file with that text, the message is WHAT.
other()
{
	printf "$1" >"$tmp/other"
	status "other: $1" 1 "$pyrograph" collapse "$tmp/other"
	has "... is told" "$tmp/err" "$tmp/other: $2"
}
other '<?xml version="1.0"?>\n<!-- x -->\n<svg width="1">' "it is neither a flame graph nor a heat map of pyrograph"
other '<?xml version="1.0"?>\n<html>' "is not a perf.data file"
other 'at 1234.567890: this\n  bad text\n' "is not a perf.data file"
other 'it`s late\n  and it is text\n' "is not a perf.data file"
status "a picture of ours" 0 sh -c "$pyrograph render flame '$tmp/plain' >'$tmp/plain.svg'"
status "... is read" 0 "$pyrograph" collapse "$tmp/plain.svg"
is "... and gives its lines back" "$(grep -v '^#' "$tmp/out")" "$(grep -v '^#' "$tmp/plain")"
gzip -c "$tmp/plain.svg" >"$tmp/plain.svgz"
status "a packed picture" 0 "$pyrograph" collapse --exclude sh_main "$tmp/plain.svgz"
is "... too, filtered" "$(grep -v '^#' "$tmp/out")" "$(grep -v '^#' "$tmp/plain" | grep -v sh_main)"
status "a picture on stdin" 1 sh -c "$pyrograph collapse <$tmp/plain.svg"
has "... is told what reads it" "$tmp/err" "pyrograph render folded"
status "a time without seconds" 1 env TZ=UTC "$pyrograph" collapse --from 23:59 "$rec"
has "... is a time" "$tmp/err" "no sample of 7 is left"

echo precious >"$tmp/text"
status "a file that is no recording is not replaced" 1 "$pyrograph" collect cpu -o "$tmp/text" -- true
is "... it is as it was" "$(cat "$tmp/text")" precious

# ---- stacks that are short, and stacks that only seem to be ----
# stacks ADDRESSES...: makes a recording of 40 samples with that stack; $symbols names the second frame.
stacks()
{
	{
		echo 'event cpu-clock'
		echo 'comm 0 10 10 app'
		echo "mmap 0 10 0x1000 0x1000 0 $library"
		for i in $(seq 40); do echo "sample $((i * 1000)) 10 10 0 $*"; done
		[ -z "$symbols" ] || printf 'symbol-module elf 8:1:4d %s\nsymbol 0x100 0x10 %s\nsymbol 0x200 0x10 %s\n' \
			"$library" work "$symbols"
	} >"$tmp/stacks.txt"
	python3 tests/collapse/make_recording.py "$tmp/stacks" <"$tmp/stacks.txt"
}
short="user stacks do not reach the start of their thread"
library=/nowhere/app symbols=
stacks 0x1100 0x1201
status "two frames of a program, in a recording of perf's" 0 "$pyrograph" collapse "$tmp/stacks"
has "... are short" "$tmp/err" "40 of 40 $short"
has "... which the header says" "$tmp/out" 'broken user stacks 40 of 40'
library=/nowhere/libc.so.6
stacks 0x1100 0x1201
status "what is called by a libc without names" 0 "$pyrograph" collapse "$tmp/stacks"
has_not "... is the start of a thread" "$tmp/err" "$short"
stacks 0x1100
status "one frame there" 0 "$pyrograph" collapse "$tmp/stacks"
has "... is short" "$tmp/err" "$short"
symbols=main
stacks 0x1100 0x1201
status "main" 0 "$pyrograph" collapse "$tmp/stacks"
has_not "... is a start" "$tmp/out" "broken user stacks"
symbols=qsort
stacks 0x1100 0x1201
status "qsort" 0 "$pyrograph" collapse "$tmp/stacks"
has "... is none" "$tmp/out" 'broken user stacks 40 of 40'
has_not "... but of our recording, collect has said it" "$tmp/err" "$short"

status "--explain takes no filter of lines" 2 "$pyrograph" collapse --explain --include main "$tmp/rec"
has "... and says which it takes" "$tmp/err" "--threads, --between, --from and --to"
echo "main 1" >"$tmp/lines"
status "--explain is about recordings" 2 "$pyrograph" collapse --explain --format folded "$tmp/lines"
