# Profiles of other tools in formats that are not lines of text: pprof, OTLP, speedscope, Firefox, V8, trace events.
# slow: two hundred files, many of them damaged
. tests/tap.sh
. tests/served.sh

# made NAME COMMAND ...: the output of a command becomes $tmp/NAME
made() { file=$tmp/$1; shift; run_to "$file" "$tmp/err" "$@"; }
# folds WHAT FILE WANTED [OPTIONS]: the lines of a file, joined by ","
folds()
{
	what=$1 file=$2 wanted=$3
	shift 3
	run_to "$tmp/folds" "$tmp/folds" "$pyrograph" collapse -q "$@" "$file"
	lines_of "$tmp/folds" ,
	is "$what $*" "$listed" "$wanted"
}
# header WHAT FILE TEXT [OPTIONS]
header()
{
	what=$1 file=$2 wanted=$3
	shift 3
	run_to "$tmp/out" "$tmp/out" "$pyrograph" collapse -q "$@" "$file"
	has "$what $*" "$tmp/out" "$wanted"
}
# told WHAT FILE MESSAGE LINES: the error is reported, and the rest is kept
told()
{
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse "$2"
	has "$1: told" "$tmp/err" "$3"
	lines_of "$tmp/out" ,
	is "... and the rest is kept" "$listed" "$4"
}
# every_part FILE: the file is read or refused, whatever its length, and whichever byte is wrong.
every_part() { served_ask every_part "$1" "$tmp/part"; }

# ---- pprof ----
made pprof python3 tests/collapse/profiles.py pprof
folds "pprof: the last type" "$tmp/pprof" "main;main;work 4096"
header "... its unit" "$tmp/pprof" "event=alloc root=comm unit=bytes"
folds "pprof: one type" "$tmp/pprof" \
	"main;[unknown];[unknown];[app];do_idle_[k] 5,main;main;work 20,wörker;main;work;leaf;small_[i] 20" --event cpu --all
folds "pprof: threads" "$tmp/pprof" "main-11/main;main;work 20,wörker-12/wörker;main;work;leaf;small_[i] 20" \
	--event cpu --root thread --threads '[a-z]$' -x unknown
header "... ns" "$tmp/pprof" "event=cpu root=comm unit=ns" --event cpu
header "... a count" "$tmp/pprof" "event=samples root=comm unit=samples" --event samples
folds "pprof: all types" "$tmp/pprof" "alloc 4096,cpu 45,samples 5" --event all --root event --no-stack
made default python3 tests/collapse/profiles.py pprof default
header "pprof: the default type" "$tmp/default" "event=samples"
made ids python3 tests/collapse/profiles.py pprof ids
"$pyrograph" collapse -q --event samples --root thread --no-stack "$tmp/ids" | sed '/^#/d; s/-[0-9]\{5,\}/-STANDS/' | sort >"$tmp/out"
is "pprof: ids of threads that are no numbers" "$(cut -d / -f 1 "$tmp/out" | paste -sd,)" \
	"[unknown] 33,[unknown]-77,[unknown]-STANDS,[unknown]-STANDS,[unknown]-STANDS"
made hostile python3 tests/collapse/profiles.py pprof hostile
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q --event cpu --root none "$tmp/hostile"
is "pprof: a name may hold anything" "$(grep -c '^a:b[^;[:cntrl:]]*_7 1$' "$tmp/out")" 1
made negative python3 tests/collapse/profiles.py pprof negative
status "pprof: a negative value" 0 "$pyrograph" collapse --strict --event cpu "$tmp/negative"
has "... is told" "$tmp/err" "negative values, of some stacks more than others: 1"
has "... and makes a differential" "$tmp/out" " columns=before,after unit="
has "... of what is taken off" "$tmp/out" "main 10 0"
# The output of Go 1.19's go tool pprof -proto -diff_base and -base for two heaps of a program; the expected values are
# those of its -top.
for base in diff_base base; do
	base64 -d "tests/collapse/formats/go_$base.base64" >"$tmp/go.pb.gz"
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse --no-inline "$tmp/go.pb.gz"
	has "pprof -$base: a differential" "$tmp/out" "event=inuse_space root=none columns=before,after unit=bytes"
	has "... which is said" "$tmp/err" "each line has what is taken off, and what is added"
	is "... as its -top says, by function" "$(awk '!/^#/ { after = $NF; before = $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); sub(/.*;/, "")
		if (after != before) print after - before, $0 }' "$tmp/out" | sort -n | paste -sd,)" \
		"-2682395 main.grow,9474 hash/crc32.slicingMakeTable,1923679 main.fill"
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q --no-inline --event alloc_objects --include 'main.(fill|grow)$' "$tmp/go.pb.gz"
	lines_of "$tmp/out" ,
	is "... sums that only grew are sums" "$listed" "runtime.main;main.main;main.fill 4385,runtime.main;main.main;main.grow 199"
done
status "an event that it has not" 2 "$pyrograph" collapse --event nosuch "$tmp/pprof"
gzip -c "$tmp/pprof" >"$tmp/pprof.pb.gz"
folds "pprof: packed" "$tmp/pprof.pb.gz" "main;main;work 4096"
every_part "$tmp/pprof"
made whole python3 tests/collapse/profiles.py pprof whole
go=$(command -v go || ls /usr/lib/go-*/bin/go 2>/dev/null | tail -1)
if [ "$go" ]; then
	HOME=$tmp "$go" tool pprof -symbolize=none -raw "$tmp/whole" >"$tmp/raw" 2>"$tmp/err"
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q --event cpu --no-stack --root none "$tmp/whole"
	is "pprof: go tool pprof has the same sum" \
		"$(awk '/^Locations/ { exit } /^ *[0-9]+ +[0-9]+ +[0-9]+:/ { n += $2 } END { print n }' "$tmp/raw")" \
		"$(total "$tmp/out")"
else
	skip "pprof: go tool pprof has the same sum" "no go"
fi

# ---- OTLP ----
made otlp python3 tests/collapse/profiles.py otlp
folds "otlp: the first profile" "$tmp/otlp" "main;work;small_[i] 2,wörker;main;[app];do_idle 5,wörker;main;work;small_[i] 30"
header "... its unit" "$tmp/otlp" "event=cpu root=comm unit=ns"
folds "otlp: another one" "$tmp/otlp" "main;[app];do_idle 4096" --event alloc
folds "otlp: each with its time" "$tmp/otlp" \
	"@1795342502.000000000 cpu 5,@1795342502.000000001 cpu 10,@1795342502.000000002 cpu 20,@1795342502.000000003 cpu 1,@1795342502.000000004 cpu 1" \
	--timed --no-stack --event cpu --root event ||:
folds "otlp: from, to" "$tmp/otlp" "wörker-12/wörker 10" --from +1ns --to +2ns --no-stack --root thread
folds "otlp: whose they are, by attributes of samples, else of the resource" "$tmp/otlp" \
	"prod/shop-7f9c;prod;aaaaaaaaaaaa 35,prod/shop-7f9c;prod;bbbbbbbbbbbb 2" --root pod,namespace,container --no-stack
folds "otlp: --container" "$tmp/otlp" "main;work;small_[i] 2" --container '^b*$'
folds "otlp: --pod, --namespace" "$tmp/otlp" "main;[app];do_idle 4096" --event alloc --pod shop --namespace '^prod$'
status "otlp: --pod of none" 1 "$pyrograph" collapse --pod other "$tmp/otlp"
has "... is said" "$tmp/err" "is left after --pod"
status "text without owners: --pod" 2 "$pyrograph" collapse --pod shop --format bpftrace "$tmp/otlp"
has "... is refused" "$tmp/err" "--pod"
made negative python3 tests/collapse/profiles.py otlp negative
folds "otlp: a negative value is taken off" "$tmp/negative" \
	"main;work;small_[i] 1,wörker;main;[app];do_idle 5,wörker;main;work;small_[i] 30"
header "... and has no place in time" "$tmp/negative" 'losses="negative values 1"' --timed
every_part "$tmp/otlp"

# The same in its JSON encoding.
made otlp.json python3 tests/collapse/profiles.py otlp-json
for options in '' '--event alloc' '--timed --event all --root event,thread' '--root pod,container-id' '--root tid --all'; do
	# shellcheck disable=SC2086 # words
	run_to "$tmp/wanted" "$tmp/err" "$pyrograph" collapse $options "$tmp/otlp"
	lines_of "$tmp/wanted"
	wanted=$listed
	# shellcheck disable=SC2086 # words
	run_to "$tmp/got" "$tmp/err" "$pyrograph" collapse $options "$tmp/otlp.json"
	lines_of "$tmp/got"
	is "otlp-json: $options" "$listed" "$wanted"
done
made lines python3 tests/collapse/profiles.py otlp-json lines
folds "otlp-json: one a line" "$tmp/lines" "main;work;small_[i] 4,wörker;main;[app];do_idle 10,wörker;main;work;small_[i] 60"
made negative python3 tests/collapse/profiles.py otlp-json negative
folds "otlp-json: a negative value is taken off" "$tmp/negative" \
	"main;work;small_[i] 1,wörker;main;[app];do_idle 5,wörker;main;work;small_[i] 30"
sed 's/"stackIndex": 1,/"stackIndex": -1,/' "$tmp/negative" >"$tmp/wrong"
status "otlp-json: a negative number" 0 "$pyrograph" collapse "$tmp/wrong"
has "... is told with its place" "$tmp/err" "wrong:$(grep -n '"stackIndex": -1' "$tmp/wrong" | head -1 | cut -d: -f1):"
has "... of what counts" "$tmp/err" ": a negative number"
printf '{"resourceProfiles": [], "dictionary": {"stringTable": [7], "locationTable": [{"mappingIndex": "x"' >"$tmp/wrong"
status "otlp-json: cut" 1 "$pyrograph" collapse "$tmp/wrong"
has "... a number is none" "$tmp/err" "wrong:1:96: not a whole number"
has "... a text is none" "$tmp/err" "wrong:1:57: not a text"
has "... the end is missing" "$tmp/err" "skipped: 3"
every_part "$tmp/otlp.json"

# ---- speedscope ----
cat >"$tmp/speedscope" <<'JSON'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "main"}, {"name": "r\u00e9ad;\"x\"", "file": "a.c", "line": 3}, {"name": ""}]},
 "profiles": [
  {"type": "sampled", "name": "one", "unit": "milliseconds", "startValue": 0, "endValue": 3, "samples": [[0, 1], [0], [0, 2]],
   "weights": [1, 2.5, 0.000001]},
  {"type": "evented", "name": "two", "unit": "milliseconds", "startValue": 0, "endValue": 9, "events": [
   {"type": "O", "frame": 0, "at": 0}, {"type": "O", "frame": 1, "at": 2}, {"type": "C", "frame": 1, "at": 5},
   {"type": "C", "frame": 0, "at": 9}]}]}
JSON
folds "speedscope" "$tmp/speedscope" \
	'one;main 2500000,one;main;(anonymous) 1,one;main;réad:"x" 1000000,two;main 6000000,two;main;réad:"x" 3000000'
header "... in ns" "$tmp/speedscope" "unit=ns"
sed 's/\[0, 1\]/[0, 7]/; s/"type": "C", "frame": 1/"type": "C", "frame": 0/' "$tmp/speedscope" >"$tmp/wrong"
status "speedscope: a frame that is not there, a call that is not the innermost" 0 "$pyrograph" collapse "$tmp/wrong"
has "... are told with their places" "$tmp/err" "wrong:4:110: a frame that is not in the table"
has "... both" "$tmp/err" "wrong:7:76: the end of a call that is not the innermost one"
every_part "$tmp/speedscope"
sed '7s/"C", "frame": 1/"O", "frame": 2/; 7s/,$//; 8s/.*/]}]}/' "$tmp/speedscope" >"$tmp/open"
told "speedscope: calls that do not end" "$tmp/open" "open:6:3: a profile with calls that do not end; they count until its end" \
	'one;main 2500000,one;main;(anonymous) 1,one;main;réad:"x" 1000000,two;main 2000000,two;main;réad:"x" 3000000,two;main;réad:"x";(anonymous) 4000000'
is "... once for a profile" "$(grep -c 'do not end' "$tmp/err")" 1
sed 's/"endValue": 9, //' "$tmp/open" >"$tmp/endless"
told "speedscope: calls that do not end, in a profile that does not, either" "$tmp/endless" "do not end" \
	'one;main 2500000,one;main;(anonymous) 1,one;main;réad:"x" 1000000,two;main 2000000,two;main;réad:"x" 3000000'
cat >"$tmp/units" <<'JSON'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "main"}]}, "profiles": [
 {"type": "sampled", "name": "a", "unit": "seconds", "startValue": 0, "endValue": 3, "samples": [[0], []], "weights": [1e-3, 2.0000000005]},
 {"type": "sampled", "name": "b", "unit": "bytes", "startValue": 0, "endValue": 3, "samples": [[0]], "weights": [4096]},
 {"type": "sampled", "name": "c", "unit": "none", "startValue": 0, "endValue": 3, "samples": [[0], [0]], "weights": [0.5, 0.25]}]}
JSON
folds "speedscope: values of several units are not added up" "$tmp/units" "a 2000000001,a;main 1000000"
header "... each is an event" "$tmp/units" "event=ns root=comm unit=ns"
folds "speedscope: one of them" "$tmp/units" "b;main 4096" --event bytes
sed 's/0\.25\]/-0.25]/; s/\[\[0\], \[\]\], "weights": \[1e-3/[[0], [0]], "weights": [-1e-3/' "$tmp/units" >"$tmp/minus"
folds "speedscope: negative weights" "$tmp/minus" "c;main 0.25" --event samples
folds "... of time" "$tmp/minus" "a;main 1999000001" --event ns
sed 's/0\.25\]/-0.75]/' "$tmp/units" >"$tmp/minus"
folds "... a differential" "$tmp/minus" "c;main 0.75 0.5" --event samples
folds "speedscope: fractions" "$tmp/units" "c;main 0.75" --event samples
folds "speedscope: all" "$tmp/units" "bytes 4096,ns 2001000001,samples 0.75" --event all --root event --no-stack

# ---- the Firefox Profiler ----
cat >"$tmp/firefox" <<'JSON'
{"meta": {"interval": 1, "preprocessedProfileVersion": 58, "startTime": 1795342502000},
 "threads": [{"name": "main", "pid": "12", "tid": 13,
  "samples": {"stack": [1, null, 0, 1], "weight": [3, 1, 2, 4], "weightType": "samples"},
  "stackTable": {"frame": [0, 1], "prefix": [null, 0]}, "frameTable": {"func": [0, 1]},
  "funcTable": {"name": [0, 1]}, "stringArray": ["main", "read"]}]}
JSON
folds "firefox" "$tmp/firefox" "main;main 2,main;main;read 7"
folds "firefox" "$tmp/firefox" "main-12/13;main 2,main-12/13;main;read 7" --tid
sed 's/"weight": \[3, 1, 2, 4\]/"weight": [3, 1, 2, -1]/' "$tmp/firefox" >"$tmp/minus"
folds "firefox: a negative weight is taken off" "$tmp/minus" "main;main 2,main;main;read 2"
sed 's/"weight": \[3, 1, 2, 4\]/"weight": [3, 1, -2.5, 4]/; s/"samples"}/"tracing-ms"}/' "$tmp/firefox" >"$tmp/minus"
folds "... of time, a differential" "$tmp/minus" "main;main 2500000 0,main;main;read 0 7000000"
cat >"$tmp/firefox60" <<'JSON'
{"meta": {"preprocessedProfileVersion": 60},
 "shared": {"stackTable": {"frame": [0, 1], "prefix": [null, 0]}, "frameTable": {"func": [0, 1]},
  "funcTable": {"name": [0, 1]}, "stringArray": ["main", "read"]},
 "threads": [{"name": "one", "samples": {"stack": [1, 0], "weight": null}},
  {"name": "two", "samples": {"stack": [1], "weight": [1.5], "weightType": "tracing-ms"}}]}
JSON
folds "firefox: shared tables" "$tmp/firefox60" "one;main 1,one;main;read 1" --threads one
folds "firefox: shared tables" "$tmp/firefox60" "two;main;read 1500000" --threads two
status "firefox: samples and times" 1 "$pyrograph" collapse "$tmp/firefox60"
has "... have no sum" "$tmp/err" "firefox60: values in samples, ns have no sum: choose with --threads"
sed 's/"tracing-ms"/"bytes"/' "$tmp/firefox60" >"$tmp/firefox.bytes"
folds "firefox: bytes, with fractions" "$tmp/firefox.bytes" "two;main;read 1.5" --threads two
header "... their unit" "$tmp/firefox.bytes" "unit=bytes" --threads two
every_part "$tmp/firefox"
cat >"$tmp/nameless" <<'JSON'
{"meta": {"preprocessedProfileVersion": 60}, "shared": {"stackTable": {"frame": [0], "prefix": [null]}, "frameTable": {"func": [0]},
  "funcTable": {"name": [0]}, "stringArray": ["main"]}, "threads": [{"name": "one", "pid": 7, "samples": {"stack": [0]}},
  {"name": "two", "pid": 7, "samples": {"stack": [0, 0]}}, {"name": "three", "pid": 7, "tid": 281474976710656, "samples": {"stack": [0, 0, 0]}}]}
JSON
folds "firefox: threads without numbers, or with large ones, keep their names" "$tmp/nameless" \
	"one-7/one;main 1,three-7/three;main 3,two-7/two;main 2" --root thread
folds "firefox: one of them" "$tmp/nameless" "one-7/one;main 1" --root thread --threads one
printf 'P42;TMainThread;a.py:f:1 5\nP42;Tworker;b.py:g:1 7\n' >"$tmp/austin"
folds "austin: threads with names" "$tmp/austin" "MainThread-42/MainThread;a.py:f:1 5,worker-42/worker;b.py:g:1 7" --root thread
folds "austin: one of them" "$tmp/austin" "MainThread-42/MainThread;a.py:f:1 5" --root thread --threads Main
printf '@[java, 12, \n    f+1\n]: 3\n@[worker, 12, \n    g+1\n]: 4\n' >"$tmp/bpftrace"
folds "bpftrace: threads of a process" "$tmp/bpftrace" "java-12;f 3,worker-12;g 4" --pid
printf 'Process 12: python\n\nThread 0x70000A1 (active): "a"\n    f (a.py:1)\nThread 0x70000A2 (active): "b"\n    g (b.py:1)\n' >"$tmp/py-spy"
folds "py-spy: threads of macOS" "$tmp/py-spy" "a-12/a;f (a.py:1) 1,b-12/b;g (b.py:1) 1" --root thread

# ---- V8 ----
cat >"$tmp/cpuprofile" <<'JSON'
{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "hitCount": 0, "children": [2, 4]},
 {"id": 2, "callFrame": {"functionName": "main", "url": "file:///x/app.js", "lineNumber": 4}, "hitCount": 2, "children": [3]},
 {"id": 3, "callFrame": {"functionName": "", "url": "file:///x/app.js", "lineNumber": 7}, "hitCount": 1},
 {"id": 4, "callFrame": {"functionName": "(idle)", "url": "", "lineNumber": -1}, "hitCount": 1}],
 "startTime": 1000, "endTime": 5000, "samples": [2, 3, 2, 4], "timeDeltas": [500, 1000, 700, 300]}
JSON
folds "cpuprofile" "$tmp/cpuprofile" "(idle) 1500000,main 1300000,main;(anonymous) app.js:8 700000"
tr '\n' ' ' <"$tmp/cpuprofile" | sed 's/"samples".*/"x": 1}/' >"$tmp/hits"
folds "cpuprofile: hits" "$tmp/hits" "(idle) 1,main 2,main;(anonymous) app.js:8 1"
every_part "$tmp/cpuprofile"
# V8 adds a sample late: main at 1500 us, (anonymous) at 2500, then (idle) at 2200.
sed 's/"samples".*/"samples": [2, 3, 4, 2], "timeDeltas": [500, 1000, -300, 800]}/' "$tmp/cpuprofile" >"$tmp/late"
folds "cpuprofile: samples that are not in order" "$tmp/late" "(idle) 300000,main 2700000,main;(anonymous) app.js:8 500000"
sed 's/"endTime": 5000/"endTime": 2000/' "$tmp/late" >"$tmp/early"
folds "cpuprofile: an end before the last sample" "$tmp/early" "(idle) 300000,main 700000,main;(anonymous) app.js:8 500000"
cat >"$tmp/tree" <<'JSON'
{"head": {"functionName": "(root)", "url": "", "lineNumber": 0, "id": 1, "hitCount": 0, "children": [
  {"functionName": "main", "url": "/x/app.js", "lineNumber": 4, "id": 2, "hitCount": 1, "children": [
   {"functionName": "", "url": "/x/app.js", "lineNumber": 7, "id": 3, "hitCount": 2, "children": []}]},
  {"functionName": "(idle)", "url": "", "lineNumber": 0, "id": 4, "hitCount": 3}]},
 "startTime": 1, "endTime": 2, "samples": [2, 3, 3, 4], "timestamps": [100, 200, 350, 400]}
JSON
folds "cpuprofile: a tree" "$tmp/tree" "main 100000,main;(anonymous) app.js:7 200000"
sed 's/400\]/400, 1400]/' "$tmp/tree" >"$tmp/ended"
sed 's/100, 200, 350, 400/100, 300, 200, 400, 1400/' "$tmp/tree" >"$tmp/late"
folds "cpuprofile: a tree, not in order" "$tmp/late" "(idle) 1000000,main 100000,main;(anonymous) app.js:7 200000"
folds "cpuprofile: a tree, with the end" "$tmp/ended" "(idle) 1000000,main 100000,main;(anonymous) app.js:7 200000"
sed 's/"samples".*/"x": 1}/' "$tmp/tree" >"$tmp/hits"
folds "cpuprofile: a tree with hits" "$tmp/hits" "(idle) 3,main 1,main;(anonymous) app.js:7 2"
head -c 300 "$tmp/hits" >"$tmp/cut"
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse "$tmp/cut"
has "cpuprofile: a tree that ends too early is told" "$tmp/err" "JSON that ends here, or is damaged"

# deep BEGIN DEPTH: a JSON tree of this depth, of hostile nodes
deep()
{
	awk -v begin="$1" -v depth="$2" 'BEGIN {
		for (i = 1; i <= depth; i++)
			printf begin, i, i == 1000 || i == depth
		for (i = 1; i <= depth; i++)
			printf "]}"
		print "}"
	}'
}
{ printf '{"head":'; deep '{"functionName":"f","id":%d,"hitCount":%d,"children":[' 200000; } >"$tmp/deep"
status "cpuprofile: a tree 200,000 deep takes time by its size" 0 prlimit --cpu=60 "$pyrograph" collapse "$tmp/deep"
is "... and has its innermost frames" "$(grep -F "[truncated]" "$tmp/out" | awk -F ';' '{ print $1, NF, $NF }')" "[truncated] 4097 f 1"
{ printf '{"head":{"functionName":"f","id":1,"hitCount":1,"children":'; head -c 80000000 /dev/zero | tr '\0' '['; } >"$tmp/deep"
limit="prlimit --as=2000000000"
[ -z "${SAN:-}" ] || limit= # the sanitizers reserve more
status "cpuprofile: 80 million brackets, in 2 GB" 0 $limit "$pyrograph" collapse "$tmp/deep"
has "... are told" "$tmp/err" "JSON that ends here, or is damaged"
has "... with the place where they are too deep" "$tmp/err" "deep:1:1048635: JSON that is nested more than 1,048,576 deep, from here on"
is "... and what is before them is kept" "$(grep -v '^#' "$tmp/out")" "f 1"
echo '{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}, "parent": 2}, {"id": 2, "callFrame": {"functionName": "b"},
	"parent": 1, "hitCount": 5}]}' >"$tmp/cycle"
status "cpuprofile: nodes that call each other" 0 "$pyrograph" collapse "$tmp/cycle"
is "... end" "$(tail -1 "$tmp/out" | awk -F ';' '{ print $1, NF, $NF }')" "[truncated] 4097 b 5"
{ printf '{"nodes":[{"callFrame":{},"id":1}],"timeDeltas":[0],"samples":[9'; yes ,9 | head -n 5000000 | tr -d '\n'; echo ']}'; } >"$tmp/many"
status "cpuprofile: five million errors in a line take time by its size" 1 prlimit --cpu=60 "$pyrograph" collapse "$tmp/many"
has "... and are counted" "$tmp/err" "malformed lines, skipped: 500000"
sed 's/350, 400/null, 400, 1400/; s/"samples": \[2/"samples": [2, 2/' "$tmp/tree" >"$tmp/timed"
told "cpuprofile: a time that is none" "$tmp/timed" "a time that is not a number, or too large" "main 100000,main;(anonymous) app.js:7 1000000"
sed 's/"hitCount": 2/"hitCount": 1e20/' "$tmp/hits" >"$tmp/many"
told "cpuprofile: hits that are too many" "$tmp/many" "hits that are not a number, or too many" "(idle) 3,main 1"
echo '[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":18446744073709552,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":0,"dur":-5,"name":"b"},
	{"ph":"X","pid":1,"tid":1,"ts":0,"dur":2,"name":"c"}]' >"$tmp/long"
told "trace-events: durations that are none" "$tmp/long" "a duration that is not a number, or too large" "c 2000"
echo '{"traceEvents":[{"ph":"P","pid":1,"tid":1,"ts":1,"name":"cpu","sf":1}],"stackFrames":{"1":{"name":"a","parent":"1"}}}' >"$tmp/cycle"
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse "$tmp/cycle"
is "trace-events: a frame that is its own caller" "$(tail -1 "$tmp/out" | awk -F ';' '{ print $1, NF, $NF }')" "[truncated] 4097 a 1"
awk 'BEGIN { print "["; for (i = 1; i <= 5000; i++) printf "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":%d,\"name\":\"f\"},\n", i
	print "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":6000}]" }' >"$tmp/deep"
"$pyrograph" collapse "$tmp/deep" 2>"$tmp/err" | grep -F '[truncated]' >"$tmp/out"
is "trace-events: 5,000 calls in each other keep the innermost" "$(wc -l <"$tmp/out") $(head -1 "$tmp/out" | tr -cd ';' | wc -c)" "1 4096"
sed 's/"startTime": [0-9]*/&.25/; s/"endTime": [0-9]*/&.25/' "$tmp/cpuprofile" >"$tmp/fractions"
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q "$tmp/cpuprofile"
lines_of "$tmp/out" ,
folds "cpuprofile: begin and end with fractions" "$tmp/fractions" "$listed"
cat >"$tmp/short" <<'JSON'
{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}}, {"id": 2, "callFrame": {"functionName": "b"}}],
 "startTime": 0, "endTime": 100, "samples": [1, 2, 1], "timeDeltas": [10, 20]}
JSON
told "cpuprofile: fewer times than samples" "$tmp/short" "a sample without a time" "a 20000,b 70000"
sed 's/10, 20/10, 9e18, 5/' "$tmp/short" >"$tmp/long"
told "cpuprofile: a time that is too large" "$tmp/long" "a time that is not a number, or too large" "a 85000,b 5000"
{
	printf '{"rts_arguments":[],"cost_centres":[{"id":1,"label":"a","module":"M"}],"profile":'
	deep '{"id":1,"x":%d,"ticks":%d,"alloc":0,"entries":0,"children":[' 50000
} >"$tmp/deep"
status "ghc: a tree 50,000 deep takes time by its size" 0 prlimit --cpu=60 "$pyrograph" collapse "$tmp/deep"
has "... and what is too deep is told" "$tmp/err" "a stack that is too deep"
every_part "$tmp/tree"
(cd "$tmp" && node --cpu-prof --cpu-prof-name real.cpuprofile -e '
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i); return s }
function work() { let t = 0; for (let i = 0; i < 300; i++) t += leaf(100000); return t }
work()') >/dev/null
is "cpuprofile: all of node's time is there" \
	"$("$pyrograph" collapse -q "$tmp/real.cpuprofile" | awk '!/^#/ { n += $NF } END { printf "%.0f\n", n / 1000 }')" \
	"$(node -e 'const p = JSON.parse(require("fs").readFileSync(process.argv[1])); let t = p.startTime
	const times = p.timeDeltas.map(d => t += d), last = Math.max(...times, p.endTime); console.log(last - Math.min(...times))' "$tmp/real.cpuprofile")"
run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse -q "$tmp/real.cpuprofile"
has "... and its functions" "$tmp/out" "work;leaf "

# ---- trace events ----
cat >"$tmp/trace" <<'JSON'
{"traceEvents": [
 {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "main"}},
 {"ph": "X", "pid": 1, "tid": 2, "ts": 10, "dur": 5.5, "name": "work"},
 {"ph": "X", "pid": 1, "tid": 2, "ts": 11, "dur": 2, "name": "read"},
 {"ph": "X", "pid": 1, "tid": 2, "ts": 13, "dur": 99, "name": "longer"},
 {"ph": "B", "pid": 1, "tid": 2, "ts": 20, "name": "begun"}, {"ph": "E", "pid": 1, "tid": 2, "ts": 21},
 {"ph": "X", "pid": 1, "tid": 3, "ts": 10, "dur": 1, "name": "other"},
 {"ph": "B", "pid": 1, "tid": 3, "ts": 30, "name": "open"}, {"ph": "i", "pid": 1, "tid": 3, "ts": 33, "name": "x"},
 {"ph": "X", "pid": 1, "tid": 3, "ts": 31, "dur": 1, "name": "in"}]}
JSON
folds "trace-events" "$tmp/trace" \
	"open 1000,open;in 1000,other 1000,main;begun 1000,main;work 1000,main;work;longer 2500,main;work;read 2000"
folds "trace-events: threads" "$tmp/trace" "[unknown]-1/[unknown] 3000,main-1/main 6500" --root thread --no-stack
sed '1s/.*/[/; $s/]}/,/' "$tmp/trace" >"$tmp/array"
folds "trace-events: an array without an end" "$tmp/array" "main;begun 1000" -i begun
for first in '"name": "a", "ph": "X", "ts": 0, "dur": 5' '"ph": "B", "tid": 7, "ts": 0}, {"ph": "E", "tid": 7, "ts": 5' \
	'"name": "process_name", "ph": "M", "args": {"name": "x"}}, {"name": "a", "ph": "X", "ts": 0, "dur": 5'; do
	echo "[{$first}]" >"$tmp/pidless"
	folds "trace-events: an array whose events have no pid, $first" "$tmp/pidless" "[no stack] 5000" --no-stack
done
for other in '"ph": 7.2, "ts": 1, "name": "pool"' '"ph": "acid", "ts": 1, "name": "pool"' '"ts": 1, "name": "a"' '"ph": "X"'; do
	echo "[{$other}]" >"$tmp/other"
	status "trace-events: not every array, $other" 1 "$pyrograph" collapse "$tmp/other"
	has "... is taken for one" "$tmp/err" "nor text of a known format"
done
cat >"$tmp/names" <<'JSON'
[{"ph": "X", "pid": "Spans", "tid": "stream 7", "ts": 0, "dur": 10, "name": "f"}, {"ph": "X", "pid": "Spans", "tid": "a;b", "ts": 1, "dur": 5, "name": "g"},
 {"ph": "X", "pid": "Trace", "tid": "stream 7", "ts": 2, "dur": 5, "name": "h"}, {"ph": "X", "pid": 3, "tid": "4", "ts": 2, "dur": 3, "name": "i"},
 {"ph": "X", "pid": "3", "tid": 4, "ts": 3, "dur": 1, "name": "j"}, {"ph": "M", "pid": 3, "tid": 4, "name": "thread_name", "args": {"name": "main"}}]
JSON
folds "trace-events: threads whose ids are names do not call each other" "$tmp/names" \
	"a:b;g 5000,main;i 2000,main;i;j 1000,stream_7;f 10000,stream_7;h 5000"
{ printf '[{"ph": "I", "name": "CpuProfile", "pid": 1, "tid": 2, "ts": 3, "args": {"data": {"cpuProfile": '; cat "$tmp/cpuprofile"
  printf '}}}, {"ph": "I", "name": "CpuProfile", "pid": 1, "tid": 3, "ts": 3, "args": {"data": {"cpuProfile": '; cat "$tmp/cpuprofile"
  printf '}}}, {"ph": "X", "pid": 1, "tid": 2, "ts": 0, "dur": 10, "name": "f"}, {"ph": "M", "pid": 1, "tid": 3, "name": "thread_name", "args": {"name": "w"}}]'
} >"$tmp/chrome65"
folds "trace-events: whole profiles" "$tmp/chrome65" \
	"(idle) 1500000,main 1300000,main;(anonymous) app.js:8 700000,w;(idle) 1500000,w;main 1300000,w;main;(anonymous) app.js:8 700000"
cat >"$tmp/unsorted" <<'JSON'
[{"pid": 1, "tid": 2, "ph": "E", "ts": 9}, {"pid": 1, "tid": 2, "ph": "E", "ts": 10}, {"pid": 1, "tid": 2, "ph": "B", "name": "a", "ts": 0},
 {"pid": 1, "tid": 2, "ph": "B", "name": "b", "ts": 1}, {"pid": 1, "tid": 2, "ph": "X", "name": "c", "ts": 2, "dur": 3}]
JSON
folds "trace-events: ends before their beginnings in the file" "$tmp/unsorted" "a 2000,a;b 5000,a;b;c 3000"
cat >"$tmp/ties" <<'JSON'
[{"pid": 1, "tid": 2, "ph": "B", "name": "b", "ts": 20}, {"pid": 1, "tid": 2, "ph": "E", "ts": 30},
 {"pid": 1, "tid": 2, "ph": "B", "name": "a", "ts": 10}, {"pid": 1, "tid": 2, "ph": "E", "ts": 20},
 {"pid": 1, "tid": 3, "ph": "B", "name": "c", "ts": 1}, {"pid": 1, "tid": 3, "ph": "B", "name": "d", "ts": 2},
 {"pid": 1, "tid": 3, "ph": "E", "ts": 9}, {"pid": 1, "tid": 3, "ph": "E", "ts": 4}]
JSON
folds "trace-events: an end at the time of a begin that stands before it" "$tmp/ties" "a 10000,b 10000,c 6000,c;d 2000"
cat >"$tmp/ours" <<'JSON'
[{"pid": 1, "tid": 2, "ph": "X", "name": "b", "ts": 0, "dur": 7}, {"pid": 1, "tid": 2, "ph": "i", "name": "calls", "stack": ["a"], "weight": 3},
 {"pid": 1, "tid": 2, "ph": "i", "name": "x", "stack": ["a"], "weight": 12abc}]
JSON
told "trace-events: what follows a number" "$tmp/ours" "a weight that is not a number" "a 3"
folds "trace-events: an event with a name of ours" "$tmp/ours" "b 7000" --event calls
cat >"$tmp/hermes" <<'JSON'
{ "samples": [ { "name": "", "ts": "11552125241", "pid": 7512, "tid": "7695", "weight": "2", "sf": 2
  }, { "name": "", "ts": "11552125242", "pid": 7512, "tid": "7695", "weight": "1", "sf": 1 } ],
  "stackFrames": { "1": { "name": "[root]" }, "2": { "name": "f", "parent": 1
  } },
  "traceEvents": [ { "ph": "X", "pid": 7512, "tid": "7695", "ts": "1000000000000000", "dur": "0", "name": "x" },
  { "ph": "M", "pid": 7512, "tid": "7695", "name": "thread_name", "args": { "name": "mqt_js" } } ] }
JSON
folds "trace-events: numbers in quotes, or before blanks; a name that comes last" "$tmp/hermes" "mqt_js;[root] 1,mqt_js;[root];f 2"
header "... samples whose name is empty" "$tmp/hermes" "event=samples root=comm unit=samples"
printf '{"traceEvents": [{"ph": "E", "pid": 1, "tid": 2, "ts": 3}, {"ph": "X", "name": "a"}, {"ph": "X", "ts": 1, "dur": 1, "name": "a"}]}' >"$tmp/wrong"
status "trace-events: an end without a begin, an event without a time" 0 "$pyrograph" collapse "$tmp/wrong"
has "... are told with their places" "$tmp/err" "wrong:1:18: the end of a call that did not begin"
has "... both" "$tmp/err" "wrong:1:60: an event without a time"
every_part "$tmp/trace"

# ---- xctrace ----
cat >"$tmp/xctrace" <<'XML'
<?xml version="1.0"?>
<trace-query-result><node xpath='//trace-toc[1]/run[1]/data[1]/table[5]'><schema name="time-profile"></schema>
<row><sample-time id="1" fmt="00:00.512.000">512000000</sample-time><thread id="2" fmt="Main Thread 0x1e3 (app, pid: 12)"><tid id="3" fmt="0x1e3">483</tid></thread><weight id="4" fmt="1.00 ms">1000000</weight><backtrace id="5"><frame id="6" name="le&lt;af&gt;" addr="0x1042"><binary id="9" name="app"/></frame><frame id="7" name="main" addr="0x1040"/></backtrace></row>
<row><sample-time id="8">513000000</sample-time><thread ref="2"/><weight ref="4"/><backtrace ref="5"/></row>
<row><sample-time id="10">513000000</sample-time><thread id="12" fmt="worker 0x99 (app, pid: 12)"/><weight id="14">500</weight><backtrace id="11"><frame id="13" name="" addr="0x77"/><frame ref="7"/></backtrace></row>
</node></trace-query-result>
XML
folds "xctrace" "$tmp/xctrace" "Main Thread;main;le<af> 2000000,worker;main;0x77 500"
cat >"$tmp/cycles" <<'XML'
<?xml version="1.0"?>
<trace-query-result><node><schema name="cpu-profile"></schema>
<row><sample-time id="1">512000000</sample-time><thread id="2" fmt="Main Thread 0x1e3 (app, pid: 12)"/><cycle-weight id="4" fmt="1.00 Mc">1000000</cycle-weight><tagged-backtrace id="15" fmt="leaf"><backtrace id="5"><frame id="6" name="leaf" addr="0x1042"/><frame id="7" name="main" addr="0x1040"/></backtrace></tagged-backtrace></row>
<row><sample-time id="8">513000000</sample-time><thread ref="2"/><cycle-weight ref="4"/><tagged-backtrace ref="15"/></row>
<row><sample-time id="9">513000000</sample-time><thread ref="2"/><cycle-weight ref="99"/><tagged-backtrace ref="15"/></row>
</node></trace-query-result>
XML
folds "xctrace: cpu-profile" "$tmp/cycles" "Main Thread;main;leaf 2000000"
header "... in cycles" "$tmp/cycles" "unit=cycles"
header "... a weight that is missing is told" "$tmp/cycles" 'wrong lines 2"'
sed 's|<cycle-weight.*/cycle-weight>||; s|<cycle-weight[^>]*/>||; s/cpu-profile/time-sample/' "$tmp/cycles" >"$tmp/counted"
folds "xctrace: rows without weights count" "$tmp/counted" "Main Thread;main;leaf 3"
header "... as samples" "$tmp/counted" "unit=samples"
folds "xctrace: threads" "$tmp/xctrace" "Main Thread-12/483 2000000,worker-12/153 500" --root tid --no-stack
sed 's/backtrace ref="5"/backtrace ref="99"/' "$tmp/xctrace" >"$tmp/wrong"
status "xctrace: a ref to nothing" 0 "$pyrograph" collapse "$tmp/wrong"
has "... is told with its place" "$tmp/err" "wrong:4:83: a ref to an id that was not there before"
has "... and the row is left out" "$tmp/out" "Main Thread;main;le<af> 1000000"
sed 's/<pmc-events ref="28"/<pmc-events ref="99"/' tests/collapse/formats/xctrace.counters.txt >"$tmp/wrong"
status "xctrace: counters that were not there" 0 "$pyrograph" collapse --event counter1 --state all "$tmp/wrong"
has "... are told with their place" "$tmp/err" "wrong:6:154: a ref to an id that was not there before"
# Long lists that are referred to often.
{
	echo '<trace-query-result><row><kperf-bt id="1"><text-addresses id="2">'
	seq 1 100000
	echo '</text-addresses><text-address>7</text-address></kperf-bt><pmc-events id="3">'
	seq 1 100000
	echo '</pmc-events></row>'
	for i in $(seq 20000); do echo '<row><kperf-bt ref="1"/><pmc-events ref="3"/></row>'; done
	echo '</trace-query-result>'
} >"$tmp/long"
status "xctrace: long lists" 0 prlimit --cpu=60 "$pyrograph" collapse --no-stack "$tmp/long"
# expat refuses entities that expand to very much text.
{
	echo '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">'
	for i in b:a c:b d:c e:d f:e g:f h:g; do
		n=${i#*:}
		echo "<!ENTITY ${i%:*} \"&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;&$n;\">"
	done
	echo ']><trace-query-result><row><weight id="1">&h;</weight></row></trace-query-result>'
} >"$tmp/bomb"
status "xctrace: a bomb" 1 "$pyrograph" collapse --format xctrace "$tmp/bomb"
has "... is refused" "$tmp/err" "XML that is damaged"
every_part "$tmp/xctrace"
every_part tests/collapse/formats/xctrace.counters.txt
every_part tests/collapse/formats/xctrace.timesample.txt

# ---- node --prof ----
cat >"$tmp/v8" <<'TEXT'
Statistical profiling result from isolate-0x1-v8.log, (100 ticks, 1 unaccounted, 0 excluded).

 [Summary]:
   ticks  total  nonlib   name
     60   60.0%   60.0%  JavaScript

 [Bottom up (heavy) profile]:
  Note: percentage shows a share of a particular caller in the total
  amount of its parent calls.
  Callers occupying less than 1.0% are not shown.

   ticks parent  name
     60   60.0%  JS: *leaf /tmp/a.js:1:14
     40   66.7%    JS: ~work /tmp/a.js:2:14
     40  100.0%      JS: ^main /tmp/a.js:3:10
     15   25.0%    Function: ~other 7 /tmp/a.js:9:1

      5    5.0%  /usr/lib/x86_64-linux-gnu/libc.so.6
TEXT
folds "v8-prof" "$tmp/v8" "/usr/lib/x86_64-linux-gnu/libc.so.6 5,leaf /tmp/a.js:1:14_[j] 5,main /tmp/a.js:3:10_[1];work /tmp/a.js:2:14_[0];leaf /tmp/a.js:1:14_[j] 40,other 7 /tmp/a.js:9:1_[0];leaf /tmp/a.js:1:14_[j] 15" --all
(cd "$tmp" && node --prof --logfile=v8.log --no-logfile-per-isolate -e '
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i); return s }
let t = 0; for (let i = 0; i < 300; i++) t += leaf(100000)' && node --prof-process v8.log >real.v8) 2>/dev/null
is "v8-prof: all ticks of node's leaves" \
	"$("$pyrograph" collapse -q "$tmp/real.v8" | awk '!/^#/ { n += $NF } END { print n }')" \
	"$(sed -n '/Bottom up/,$p' "$tmp/real.v8" | grep -E '^ +[0-9]+ +[0-9.]+%  [^ ]' | awk '{ n += $1 } END { print n }')"
every_part "$tmp/v8"
