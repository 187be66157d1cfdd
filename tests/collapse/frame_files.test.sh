# Functions of the same name in several files stay apart; --files, --srcline; times; losses are reported.
. tests/tap.sh

# folds WHAT FILE WANTED [OPTIONS]: the lines of a file, joined by ","
folds()
{
	what=$1 file=$2 wanted=$3
	shift 3
	is "$what $*" "$("$pyrograph" collapse -q "$@" "$tmp/$file" 2>&1 | grep -v '^# pyrograph' | paste -sd,)" "$wanted"
}
# told WHAT FILE MESSAGE: the message is among those for this file, with the options of the last folds()
told() { "$pyrograph" collapse "$2" >"$tmp/out" 2>"$tmp/err"; has "$1" "$tmp/err" "$3"; }

python3 - "$tmp" <<'PYTHON'
import json, sys
def save(name, what): open(sys.argv[1] + "/" + name, "w").write(what if isinstance(what, str) else json.dumps(what))

def node(i, name, url="", line=-1, **more):
    return dict(id=i, callFrame=dict(functionName=name, url=url, lineNumber=line), **more)
nodes = [node(1, "(root)", children=[2]), node(2, "main", "file:///srv/app.js", 4, children=[3, 4, 5, 6, 7]),
         node(3, "parse", "file:///srv/node_modules/qs/lib/parse.js", 10),
         node(4, "parse", "file:///srv/node_modules/url/lib/parse.js", 20), node(5, "parse"),
         node(6, "", "file:///srv/a/app.js", 20), node(7, "", "file:///srv/b/app.js", 20)]
save("app.cpuprofile", dict(nodes=nodes, startTime=1000, endTime=6000, samples=[2, 3, 4, 5, 6, 7],
                            timeDeltas=[500, 1000, 500, 500, 500, 500]))
save("hits.cpuprofile", dict(nodes=[node(1, "(root)", hitCount=1, children=[2]), node(2, "main", hitCount=3)],
                             startTime=1, endTime=9, samples=[], timeDeltas=[]))
save("app.heapprofile", dict(head=node(1, "(root)", selfSize=0, children=[
    node(2, "get", "/x/a.js", 1, selfSize=8, children=[]), node(3, "get", "/x/b.js", 1, selfSize=8, children=[])])))

def speedscope(profiles, frames): return {"$schema": "https://www.speedscope.app/file-format-schema.json",
                                          "shared": dict(frames=frames), "profiles": profiles}
modules = [dict(name="<module>", file="/a/m.py", line=3), dict(name="<module>", file="/b/m.py", line=3),
           dict(name="<module>", file="/b/m.py", line=4), dict(name="unused", file="x")]
save("py.json", speedscope([dict(type="sampled", name="T", unit="seconds", startValue=2, samples=[[0, 1], [0], [0, 2]],
                                 weights=[0.01] * 3)], modules))
event = lambda kind, frame, at: dict(type=kind, frame=frame, at=at)
save("events.json", speedscope([dict(type="evented", name="T", unit="nanoseconds", startValue=0, endValue=30, events=[
    event("O", 3, 10), event("O", 0, 5), event("C", 0, 20), event("C", 3, 30)])], modules))
save("bytes.json", speedscope([dict(type="sampled", name="T", unit="bytes", samples=[[0]], weights=[7])], modules))

strings = ["main", "0x1000", "liba.so", "libb.so", "app.js", "read"]
def firefox(stacks, **samples):
    return dict(meta=dict(interval=1, preprocessedProfileVersion=58, startTime=1700000000123.5), threads=[dict(
        name="M", pid="12", tid=13, samples=dict(stack=stacks, **samples),
        stackTable=dict(frame=[0, 1, 2, 3, 4], prefix=[None, 0, 0, 0, 0]),
        frameTable=dict(func=[0, 1, 2, 3, 4], line=[7, None, None, 3, None], inlineDepth=[0] * 5),
        funcTable=dict(name=[0, 1, 1, 5, 5], fileName=[4, None, None, None, None], source=[None, None, None, 0, None],
                       resource=[-1, 0, 1, -1, 1], lineNumber=[1, None, None, None, None]),
        sources=dict(filename=[4]), resourceTable=dict(name=[2, 3]), stringArray=strings)])
save("firefox.json", firefox([1, 2, 3, None, 4], time=[5.25, 6.25, 7, 8, -9.5]))
save("deltas.json", firefox([1, 2, 3], timeDeltas=[1, 0.5, 2]))
save("nameless.json", firefox([1, 2]))
gecko = dict(meta=dict(version=27, interval=1, stackwalk=1, processType=0, startTime=1700000000000), threads=[dict(
    name="G", pid=1, tid=2, samples=dict(schema=dict(stack=0, time=1), data=[[1, 1.5], [2, 2.5], [3, 3]]),
    stackTable=dict(schema=dict(prefix=0, frame=1), data=[[None, 0], [0, 1], [0, 2], [0, 3]]),
    frameTable=dict(schema=dict(location=0, line=1), data=[[0], [1], [2, 9], [3]]),
    stringTable=["main", "go (https://h/x/app.js:12:3)", "go (https://h/y/app.js:5:3)", "go (in libc.so.6)"])])
save("gecko.json", gecko)

X = lambda ts, dur, name, **more: dict(ph="X", pid=1, tid=2, ts=ts, dur=dur, name=name, **more)
save("clipped.json", [X(0, 10, "a"), X(5, 10, "b"), dict(ph="b", id=1, pid=1, tid=2, ts=5, name="load"),
                      dict(ph="B", pid=1, tid=2, ts=25, name="op"), X(30, 10, "c")])
save("base.json", dict(baseTimeNanoseconds=1700000000000000000, traceEvents=[X(1.5, 2, "a")]))
profile = dict(cpuProfile=dict(nodes=nodes, samples=[3, 4]), timeDeltas=[5, 20], endTime=60)
save("trace.json", dict(traceEvents=[
    dict(ph="P", name="Profile", id="0x1", pid=1, tid=2, ts=10, args=dict(data=dict(startTime=10))),
    dict(ph="P", name="ProfileChunk", id="0x1", pid=1, tid=9, ts=40, args=dict(data=profile))]))

def otlp(): return dict(resourceProfiles=[dict(scopeProfiles=[dict(profiles=[dict(
        samples=[dict(stackIndex=1, values=["2"]), dict(stackIndex=2, values=["3"])])])])], dictionary=dict(
        stringTable=["", "get", "/x/a.go", "/x/b.go", "main"], mappingTable=[{}], attributeTable=[{}],
        functionTable=[{}, dict(nameStrindex=1, filenameStrindex=2), dict(nameStrindex=1, filenameStrindex=3)],
        locationTable=[{}, dict(lines=[dict(functionIndex=1, line="7")]), dict(lines=[dict(functionIndex=2, line="9")])],
        stackTable=[{}, dict(locationIndices=[1]), dict(locationIndices=[2])]))
save("otlp.json", otlp())
raw = """PeriodType: cpu nanoseconds
Samples:
samples/count cpu/nanoseconds[dflt]
          1   10: 1
          1   20: 2
Locations
     1: 0x1 M=1 get /x/a.go:7 s=0
     2: 0x2 M=1 get /x/b.go:9:3 s=0
Mappings
1: 0x0/0x9/0x0 /srv/prog [FN]
"""
save("raw.txt", raw)

def field(number, what):
    if isinstance(what, int):
        out, n = bytes([number << 3]), what
        while n > 127: out, n = out + bytes([n & 127 | 128]), n >> 7
        return out + bytes([n])
    return bytes([number << 3 | 2, len(what)]) + what
def line(function, number): return field(4, field(1, function) + field(2, number))
texts = [b"", b"cpu", b"ns", b"get", b"/x/a.go", b"/x/b.go", b"prog"]
tables = b"".join(field(6, t) for t in texts) + field(3, field(1, 1) + field(5, 6))
functions = b"".join(field(5, field(1, i) + field(2, 3) + field(4, 3 + i)) for i in (1, 2))
locations = b"".join(field(4, field(1, i) + field(2, 1) + line(i, 5 + i)) for i in (1, 2))
samples = b"".join(field(2, field(1, i) + field(2, i)) for i in (1, 2))
kind = field(1, field(1, 1) + field(2, 2))
open(sys.argv[1] + "/pprof", "wb").write(kind + samples + locations + functions + tables)
open(sys.argv[1] + "/bare.pprof", "wb").write(kind + samples + b"".join(field(4, field(1, i) + field(2, 1)) for i in (1, 2)) + tables)
PYTHON

# ---- functions of one name in several files ----
folds "cpuprofile:" app.cpuprofile "main 1000000,main;(anonymous) app.js:21 (a/app.js) 500000,main;(anonymous) app.js:21 (b/app.js) \
1500000,main;parse 500000,main;parse (qs/lib/parse.js) 500000,main;parse (url/lib/parse.js) 500000"
folds "cpuprofile:" app.cpuprofile "main (app.js) 1000000,main (app.js);(anonymous) app.js:21 (a/app.js) 500000,main (app.js);(anonymous) \
app.js:21 (b/app.js) 1500000,main (app.js);parse 500000,main (app.js);parse (qs/lib/parse.js) 500000,main (app.js);parse \
(url/lib/parse.js) 500000" --files
folds "cpuprofile:" app.cpuprofile "main 1000000,main;(anonymous) app.js:21 2000000,main;parse 1500000" --files=never
folds "cpuprofile:" app.cpuprofile "main (file:///srv/app.js) 4500000" --files=full --recursive --hide 'parse|anon'
folds "cpuprofile:" app.cpuprofile "main:app.js:5 1000000,main:app.js:5;(anonymous):a/app.js:21 500000,main:app.js:5;\
(anonymous):b/app.js:21 1500000,main:app.js:5;parse 500000,main:app.js:5;parse:qs/lib/parse.js:11 500000,main:app.js:5;\
parse:url/lib/parse.js:21 500000" --srcline
folds "a part of it: only what it has is told apart" app.cpuprofile "main;parse 500000" --from +1ms --to +1500us
folds "heapprofile:" app.heapprofile "get (a.js) 8,get (b.js) 8"
folds "heapprofile:" app.heapprofile "get:a.js:2 8,get:b.js:2 8" --srcline
folds "speedscope:" py.json "T;<module> (a/m.py) 10000000,T;<module> (a/m.py);<module> (b/m.py) 20000000"
folds "speedscope:" py.json "T;<module>:a/m.py:3 10000000,T;<module>:a/m.py:3;<module>:b/m.py:3 10000000,T;<module>:a/m.py:3;\
<module>:b/m.py:4 10000000" --srcline
folds "firefox:" firefox.json "M;main;0x1000 (liba.so) 1,M;main;0x1000 (libb.so) 1,M;main;read (app.js) 1,M;main;read (libb.so) 1"
folds "firefox:" firefox.json "M;main:app.js:7;0x1000 (liba.so) 1,M;main:app.js:7;0x1000 (libb.so) 1,M;main:app.js:7;read \
(libb.so) 1,M;main:app.js:7;read:app.js:3 1" --srcline
folds "gecko:" gecko.json "G;main;go (libc.so.6) 1,G;main;go (x/app.js) 1,G;main;go (y/app.js) 1"
folds "gecko:" gecko.json "G;main;go (libc.so.6) 1,G;main;go:x/app.js:12 1,G;main;go:y/app.js:9 1" --srcline
folds "trace-events:" trace.json "main:app.js:5;parse:qs/lib/parse.js:11 20000,main:app.js:5;parse:url/lib/parse.js:21 25000" --srcline
folds "otlp:" otlp.json "get (a.go) 2,get (b.go) 3"
folds "otlp:" otlp.json "get:a.go:7 2,get:b.go:9 3" --srcline
folds "pprof:" pprof "get (a.go) 1,get (b.go) 2"
folds "pprof:" pprof "get:a.go:6 1,get:b.go:7 2" --srcline
folds "go-raw:" raw.txt "get (a.go) 10,get (b.go) 20"
folds "go-raw:" raw.txt "get:a.go:7 10,get:b.go:9 20" --srcline
printf 'a;b 1\n' >"$tmp/plain.folded"
status "folded text has no lines" 2 "$pyrograph" collapse --srcline "$tmp/plain.folded"
has "... is said" "$tmp/err" "--srcline: --format folded has stacks"
status "... nor files" 2 "$pyrograph" collapse --files "$tmp/plain.folded"
status "a word that is none" 2 "$pyrograph" collapse --files=some "$tmp/app.cpuprofile"

# ---- no names ----
told "firefox: no names" "$tmp/nameless.json" "2 of its 3 functions have no name, only an address or a file: open it in the Firefox"
told "pprof: no names" "$tmp/bare.pprof" "1 of its 1 functions have no name, only an address or a file: go tool pprof -proto PROGRAM"
"$pyrograph" collapse "$tmp/firefox.json" >"$tmp/out" 2>"$tmp/err"
is "half of them have names: nothing is said" "$(cat "$tmp/err")" ""

# ---- times ----
folds "cpuprofile:" app.cpuprofile "@0.002500000 main;parse (qs/lib/parse.js) 500000,@0.003000000 main;parse \
(url/lib/parse.js) 500000,@0.003500000 main;parse 500000" --timed --include parse
folds "speedscope:" py.json "@2.000000000 T 10000000,@2.010000000 T 10000000,@2.020000000 T 10000000" --timed --no-stack
folds "speedscope: events" events.json "@0.000000010 T;unused 10,@0.000000020 T;unused 10" --timed --hide module
folds "firefox:" firefox.json "@1700000000.114000000 M 1,@1700000000.128750000 M 1,@1700000000.129750000 M 1,\
@1700000000.130500000 M 1" --timed --no-stack
folds "firefox: from the sample before" deltas.json "@1700000000.124500000 M 1,@1700000000.125000000 M 1,@1700000000.127000000 M 1" \
	--timed --no-stack
folds "gecko:" gecko.json "@1700000000.001500000 G;G-1/G 1,@1700000000.002500000 G;G-1/G 1,@1700000000.003000000 G;G-1/G 1" \
	--heat --no-stack
folds "trace-events: calls" base.json "@1700000000.000001500 a 2000" --timed
folds "trace-events: a profile" trace.json "@0.000015000 main;parse (qs/lib/parse.js) 20000,@0.000035000 main;parse \
(url/lib/parse.js) 25000" --timed
"$pyrograph" collapse --heat "$tmp/app.cpuprofile" >"$tmp/out"
has "ns are spans of time" "$tmp/out" "clock=monotonic spans=start root=none unit=ns"
"$pyrograph" collapse --heat "$tmp/firefox.json" >"$tmp/out"
has "samples are not" "$tmp/out" "start=2023-11-14T22:13:20.114000000Z end=2023-11-14T22:13:20.130500000Z root=comm,thread unit"
for input in hits.cpuprofile bytes.json; do
	status "$input: no times" 1 "$pyrograph" collapse --timed "$tmp/$input"
	has "... is said" "$tmp/err" "$input: has no times for --timed"
done

# ---- nothing vanishes silently ----
folds "cpuprofile: hits, since there are no samples" hits.cpuprofile "(root) 1,main 3"
folds "trace-events: overlapping calls" clipped.json "a 5000,a;b 5000,op 5000,op;c 10000"
told "... the rest is said" "$tmp/clipped.json" "last longer than the call that they began in: 1; the 5000 ns after its end"
has "... and an end that is missing" "$tmp/err" "calls without an end: 1; 15000 ns are counted until"
has "... and asynchronous operations" "$tmp/err" "asynchronous operations, which no stack of calls has: 1, left out"
has "... also in the header" "$tmp/out" 'losses="clipped calls 1, unended calls 1, asynchronous operations 1"'
told "speedscope: times that go back" "$tmp/events.json" "times before the one above, taken for that: 1; by 5 ns altogether"
