# Warnings about properties of recordings by other tools.
. tests/tap.sh

# said WHAT MADE FIXED_TEXT: collapse prints this warning for tests/collapse/golden/MADE.txt.
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

# Thirty stacks of calls whose oldest calls the processor has forgotten.
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
# hint WHAT BYTES MESSAGE: a file of these bytes (printf's escapes) is refused, and MESSAGE says what to do.
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
hint "perf report" '# To display the perf.data header info, please use --header\n#\n' "a report of perf: give collapse the perf.data file itself"
hint "... without its first lines" '\n# Overhead  Command  Shared Object  Symbol\n    98.64%%  w  w  [.] main\n' "a report of perf"
hint "... with callees" '# Children      Self  Command\n' "a report of perf"
hint "perf diff" '# Baseline  Delta Abs  Shared Object\n' "text of perf diff"
hint "perf annotate" ' Percent |\tSource code & Disassembly of w for cpu-clock\n' "text of perf annotate"
hint "perf stat" "\n Performance counter stats for './w':\n\n  69.71 msec task-clock\n" "text of perf stat, which counts without stacks"
hint "perf sched timehist" '           time    cpu  task name  wait time  sch delay   run time\n' "text of perf sched timehist"
hint "perf sched latency" ' Task  |   Runtime ms  |  Count   | Avg delay ms    |\n' "text of perf sched latency"
hint "perf data convert --to-json" '{\n\t"linux-perf-json-version": 1,\n' "a perf.data file as JSON"
hint "trace-cmd" '\27\10\104tracing6\0' "a recording of trace-cmd"
hint "ftrace" '# tracer: nop\n#\n' "text of ftrace"
hint "trace-cmd report" 'cpus=2\n  sh-1 [000] 1.2: sched_switch: x\n' "text of trace-cmd report"
hint "LTTng" '\301\37\374\301xxxx' "a trace in the Common Trace Format"
hint "... its metadata" '/* CTF 1.8 */\n' "a trace in the Common Trace Format"
hint "V8's log" 'v8-version,11,3,244,8,-node.38,0\n' "a log of V8 (node --prof): give collapse what node --prof-process FILE prints"
hint "a snapshot of V8's heap" '{"snapshot":{"meta":{"node_fields":[]}}}' "a snapshot of V8's heap"
hint "Safari" '{"version":1,"recording":{"instrumentTypes":["timeline-record-type-script"],"records":[]}}' "a timeline recording of Safari"
hint "Go's heap" 'heap profile: 4: 1114624 [4: 1114624] @ heap/1048576\n1: 8 [1: 8] @ 0x1\n#\t0x1\tf+0x1\ta.go:1\n' "a heap profile of Go as text: fetch it without debug=1"
hint "Go's locks" '\055-- mutex:\ncycles/second=2445473842\n' "a profile of Go's locks as text"
hint "Go's execution trace" 'go 1.19 trace\0\0\0' "an execution trace of Go"
hint "heaptrack" 'v 10400 3\nX ./w\nI 1000 5e2922\n' "a recording of heaptrack: convert it first, with heaptrack_print"
hint "heaptrack_print" 'reading file\n\nMOST CALLS TO ALLOCATION FUNCTIONS\n' "text of heaptrack_print"
hint "Massif" 'desc: (none)\ncmd: ./w\n#-----------\nsnapshot=0\nheap_tree=empty\n' "a profile of Massif"
hint "memray" 'memray\0\14' "a recording of memray"
hint "gprof" 'gmon\1\0\0\0' "a profile of gprof"
hint "... as text" 'Flat profile:\n\n' "text of gprof"
hint "uftrace" 'Ftrace!\0' "a recording of uftrace: give collapse what uftrace dump --flame-graph prints"
hint "Tracy" 'tZst\0' "a recording of Tracy"
hint "strace" 'brk(NULL) = 0x1\n+++ exited with 0 +++\n' "text of strace or ltrace without stacks"
hint "hprof" 'JAVA PROFILE 1.0.1, created Sun\n' "text of hprof, which JDK 9 no longer has"
hint "a JVM's heap" 'JAVA PROFILE 1.0.2\0\0\0\0\10' "a heap dump of a JVM"
hint "jfr print" 'jdk.ExecutionSample {\n  startTime = 10:15\n' "text of jfr print: give collapse the .jfr file itself"
hint "VisualVM" 'nBpRoFiLeR\1\2' "a snapshot of VisualVM"
hint "Android" '*version\n3\ndata-file-overflow=false\n' "a method trace of Android"
hint "cProfile" '\373\51\3\332\4t.py\351\2\0' "a profile of cProfile"
hint "... of Python 2" '{\50\3\0\0\0s\4' "a profile of cProfile"
hint "... as text" ' 265 function calls in 0.019 seconds\n\n ncalls  tottime  percall  cumtime\n' "text of cProfile"
hint "line_profiler" 'Timer unit: 1e-06 s\n' "text of line_profiler"
hint "pyinstrument" '{"session":{},"root_frame":{"function":"f"}}' "a session of pyinstrument: write it with pyinstrument -r speedscope"
hint "a pickle" '\200\4\225\1\0' "a pickle of Python"
hint "NYTProf" 'NYTProf 5 0\n' "a profile of Perl's NYTProf: give collapse what nytprofcalls FILE prints"
hint "Xdebug's text" 'TRACE START [2026-11-29]\n    0.0003     400000   -> {main}() /a.php:0\n' "a trace of Xdebug for people"
hint "XHProf" 'a:2:{s:13:"main()==>f";a:1:{s:2:"ct";i:1;}}' "a profile of XHProf"
hint "GHC's event log" 'hdrb' "an event log of GHC"
hint "GHC's heap" 'JOB "m +RTS -h"\n' "a heap profile of GHC"
hint ".NET" 'Nettrace\24\0\0\0!FastSerialization.1' "a trace of .NET: convert it first, with dotnet-trace convert --format speedscope"
hint "Pyroscope" '{"version":1,"flamebearer":{"names":["total"]}}' "JSON of Pyroscope's pages"
hint "a core dump" '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0>\0' "a core dump: give collapse what gdb -batch"
hint "... of the other byte order" '\177ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4>\0' "a core dump"
hint "a program" '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0' "a program or a library, no profile"
hint "a minidump" 'MDMP\223\247' "a minidump: give collapse what lldb"
hint "async-profiler's page" '<!DOCTYPE html>\n<html><!-- async-profiler -->' "a page of async-profiler: write folded lines"
hint "a page" '<!doctype html><title>x</title>' "a web page"
hint "a flame graph of others" '<?xml version="1.0"?><svg><!-- Flame graph stack visualization. --></svg>' "a flame graph of FlameGraph or inferno"
hint "PNG" '\211PNG\r\n\32\n' "a picture: only pyrograph's SVG"
hint "SQLite" 'SQLite format 3\0' "a database of SQLite"
tar -cf "$tmp/in" -C "$tmp" err
status "an archive" 1 "$pyrograph" collapse "$tmp/in"
has "... is explained" "$tmp/err" "in: is an archive: unpack it first, with tar -x"
for ending in etl pftrace perfetto-trace; do
	printf 'x\1' >"$tmp/in.$ending"
	status "a file .$ending" 1 "$pyrograph" collapse "$tmp/in.$ending"
	has "... is explained by its name" "$tmp/err" "in.$ending: is a trace of "
done
