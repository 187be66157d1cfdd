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

# ---- profiles that are not read ----
# hint WHAT BYTES MESSAGE: the file, with printf's escapes, is refused, and what to do is said.
hint()
{
	printf "$2" >"$tmp/in"
	status "$1" 1 "$pyrograph" collapse "$tmp/in"
	has "... is explained" "$tmp/err" "in: is $3"
}
z='\0\0\0\0' three='\3\0\0\0' big='\0\0\0\3' period='\20\47\0\0'
hint "gperftools, 64 bits" "$z$z$three$z$z$z$period$z$z$z" "a CPU profile of gperftools: convert it first, with pprof -proto"
hint "gperftools, 32 bits" "$z$three$z$period$z" "a CPU profile of gperftools"
hint "gperftools, 64 bits, the other byte order" "$z$z$z$big$z$z$z\0\0\47\20$z$z" "a CPU profile of gperftools"
hint "gperftools' heap" 'heap profile:      1:  1024 [  1:  1024] @ heapprofile\n' "a heap profile of gperftools: convert it first, with pprof -proto"
hint "jemalloc's heap" 'heap_v2/524288\n  t*: 1: 8 [0: 0]\n' "a heap profile of jemalloc: convert it first, with jeprof --collapsed"
hint "Callgrind" '# callgrind format\nversion: 1\n' "a profile of Callgrind, which has callers and callees, but no whole stacks"
hint "... without its comment" 'version: 1\ncreator: x\nevents: Ir\nfn=main\n4 20\n' "a profile of Callgrind"
hint "stackprof" '\4\10{\14:\14versionf\1431.2:\11mode:\10cpu:\23missed_samplesi\0' "a dump of stackprof"
hint "... in JSON" '{"version":1.2,"mode":"cpu","interval":1000,"samples":4,"gc_samples":0,"missed_samples":0,"frames":{}}' "a dump of stackprof"
hint "Austin's MOJO" 'MOJ\3\2mode\0wall\0' "in Austin's binary format, MOJO: convert it first, with mojo2austin"
