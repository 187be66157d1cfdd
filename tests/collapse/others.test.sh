# What is true of recordings that others make, and is said of them.
. tests/tap.sh

# said WHAT MADE FIXED_TEXT: collapse warns so of tests/collapse/golden/MADE.txt.
said()
{
	python3 tests/collapse/make_recording.py "$tmp/$2.data" <"tests/collapse/golden/$2.txt"
	status "$1" 0 "$pyrograph" collapse "$tmp/$2.data"
	has "... which is said" "$tmp/err" "$3"
}

said "a tracer's data is not decoded" aux \
	"aux.data: 4192 bytes of Intel PT are not decoded: perf inject --itrace=i100us -i $tmp/aux.data -o decoded.data"
grep -v '^sample' tests/collapse/golden/aux.txt | python3 tests/collapse/make_recording.py "$tmp/only.data"
status "a tracer's data and nothing else" 1 "$pyrograph" collapse "$tmp/only.data"
has "... is said" "$tmp/err" "4192 bytes of Intel PT are not decoded"
said "a user stack that never came" deferred "deferred.data: 1 sample has no user stack: the record that completes it was lost"

# Thirty stacks of calls that the processor has forgotten the oldest of.
{
	sed '/^calls 1/d; /^loss/,$d' tests/collapse/golden/calls.txt
	for i in $(seq 30); do echo "calls $((1000 + i)) 10 10 0 u: 0x401120 0x401310>0x401100 0x401320>0x401300"; done
	sed -n '/^loss/,$p' tests/collapse/golden/calls.txt | grep -v '^loss'
} >"$tmp/calls.txt"
python3 tests/collapse/make_recording.py "$tmp/calls.data" <"$tmp/calls.txt"
status "calls that are cut" 0 "$pyrograph" collapse "$tmp/calls.data"
has_not "... nothing is said of frame pointers" "$tmp/err" "frame pointers"
"$pyrograph" collapse --quality "$tmp/calls.data" >"$tmp/out"
has "... --quality says how they end" "$tmp/out" "calls-forgotten"
