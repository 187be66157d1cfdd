#!/usr/bin/env python3
"""A table of names that every text format goes through, each in its own syntax; prints TAP lines.

    name_table.py

A name is the leaf of a sample whose other frame is main.  Formats that print what a symbol table, a debugger or an agent has
follow the rules of collapse/parse/function_name.h; those that have a field for the name keep it as it is.
"""
import gzip
import json
import re
import sys
from xml.sax.saxutils import quoteattr

sys.path.insert(0, "tests")
from tap import Stage  # noqa: E402

COLLAPSE = Stage("collapse")

# (name as printed, what the rules make of it; None: unchanged)
NAMES = [
    # V8
    ("LazyCompile:*handle /srv/app.js:7", None),
    ("LazyCompile:*(anonymous) /srv/a.js:3", None),
    ("LazyCompile:*f /srv/a->b.js:7", None),
    ("LazyCompile:~f /srv/node_modules/@scope/pkg2/a.js:3", None),
    ("RegExp:^(a|b) c", None),
    ("RegExp:(x)", None),
    ("JS:~g file:///srv/my app (1)/b.js:3:4", None),
    ("~g /srv/my app (1)", None),
    ("Builtin:ArrayForEach", None),
    ("(anonymous)", None),
    ("(anon) as exports.active at timers.js position 7095", None),
    ("<< adaptor >>", None),
    # Python, Ruby, PHP, Perl, Erlang, .NET
    ("py::<lambda>:/opt/my app (x86)/run.py", None),
    ("py::f:/opt/app (x86)", None),
    ("py::Foo.__init__.<locals>.<listcomp>:/srv/x.py", None),
    ("block (2 levels) in Foo#bar", None),
    ("Integer#+", None),
    ("class@anonymous", None),
    ("App\\Foo->bar", None),
    ("{closure:Foo::bar():12}", None),
    ("main::__ANON__[/srv/a.pl:3]", None),
    ("lists:map/2", None),
    ("void [App] App.Program::Main(string[])[Tier0]", None),
    # Objective-C, Swift
    ("-[NSFoo bar:baz:]", None),
    ("+[NSFoo(Category) bar]", None),
    ("Foo.bar(a:b:)", None),
    ("Foo.bar(_:)", None),
    ("main.Foo.bar(a: Swift.Int) -> Swift.String", None),
    ("closure #1 (Swift.Int) -> () in main.f() -> ()", None),
    # Go
    ("main.(*T).Method", None),
    ("main.func1", None),
    ("main.f.func1.2", None),
    ("net/http.(*conn).serve", None),
    ("main.(*List[go.shape.int]).Push", None),
    ("main.F(...)", "main.F"),
    # Rust
    ("<impl T for (A,B)>::f", None),
    ("foo::bar::{{closure}}", None),
    ("core::ops::function::FnOnce<fn(i32) -> T>::call", None),
    ("_$LT$F$u20$as$u20$alloc..boxed..FnBox$LT$A$GT$$GT$::call_box::h8612a2a83552fc2d (.llvm.42)",
     "<F as alloc::boxed::FnBox<A>>::call_box"),
    ("std::rt::begin::h0123456789abcdef", "std::rt::begin"),
    # C, C++, D
    ("main.part.0", None),
    ("LZ4_compress", None),
    ("decltype(auto) std::invoke<...>", None),
    ("decltype(auto) std::invoke<F>(F&&)", "decltype(auto) std::invoke<F>"),
    ("Foo::operator()", None),
    ("Foo::operator()(int) const", "Foo::operator()"),
    ("Foo::operator->()", "Foo::operator->"),
    ("Foo::operator<<int>(int)", "Foo::operator<<int>"),
    ("operator+(A const&, B const&)", "operator+"),
    ("operator new[](unsigned long)", "operator new[]"),
    ("Foo::operator std::string() const", "Foo::operator std::string"),
    ("(anonymous namespace)::f", None),
    ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
    ("std::map<int, (anonymous namespace)::X>::~map()", "std::map<int, (anonymous namespace)::X>::~map"),
    ("f(int)::{lambda(int)#1}::operator()(int) const", "f(int)::{lambda(int)#1}::operator()"),
    ("f(int) const::{lambda()#1}::operator()() const", "f(int) const::{lambda()#1}::operator()"),
    ("f(int)::'lambda'(int)::operator()(int) const", "f(int)::'lambda'(int)::operator()"),
    ("g(int) [clone .cold]", "g"),
    ("h(int) (.llvm.42)", "h"),
    ("k[abi:cxx11](int) const &", "k[abi:cxx11]"),
    ("foo.each!(int)(int)", "foo.each!(int)"),
    # Java
    ("Lcom/example/App;::run", "com/example/App::run"),
    ("Lcom/example/App;::go(I[Ljava/lang/String;)V", "com/example/App::go"),
    ("Lcom/example/App;.old()V", "com/example/App.old"),
    ("void com.example.App.jvm(int, byte[])", "com.example.App.jvm"),
    ("com.example.App$$Lambda$14.run", None),
    ("LA;::run->Lcom/example/B;::<init>->Lc/C;::x", "A::run;com/example/B::<init>_[i];c/C::x_[i]"),
    ("a.A::run->b.B::go", "a.A::run;b.B::go_[i]"),
    # any
    ("a->b", None),
    ("x + y", None),
    ("name 7", None),
    ("worker-12", None),
    ("[unresolved] f", None),
    ("größe", None),
]

# Names of methods, after the name of their class, that a JVM may print.
METHODS = ["run", "<init>", "lambda$main$0", "adds (two) numbers", "a-b$iv", "$plus", "größe", "position 7"]

# What Go and PHP print of theirs.
GO = ["main.(*T).Method", "main.func1", "main.f.func1.2", "net/http.(*conn).serve", "main.(*List[...]).Push", "main.F[...]",
      "main.T.M-fm", "go.(*struct { sync.Mutex; main.x int }).Lock", "main.glob..func1", "main.größe"]
PHP = ["run", "App\\Foo::bar", "{closure}", "{closure:Foo::bar():12}", "{closure:/srv/my app/x.php:3}", "class@anonymous", "größe"]


def fit(frame):
    """The frame as collapse writes it (collapse/frames/frame.h)."""
    return re.sub(r"^# ", "#_", re.sub(r" ([0-9.]+)$", r"_\1", frame.replace(";", ":")))


def lines(head, record, tail=""):
    """A generator of text: a heading, then a record for each name and its value."""
    return lambda names: head + "".join(record(name, i + 1) for i, name in enumerate(names)) + tail


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


# ---- profiles in JSON, and other formats that are not lines of text ----
def speedscope(names):
    frames = [{"name": "main"}] + [{"name": name} for name in names]
    return json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": frames},
                       "profiles": [{"type": "sampled", "name": "x", "unit": "none", "startValue": 0, "endValue": 1,
                                     "samples": [[0, i + 1] for i in range(len(names))],
                                     "weights": [i + 1 for i in range(len(names))]}]})


def call_frame(name):
    return {"functionName": name, "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1}


def cpuprofile(names):
    ids = range(3, 3 + len(names))
    nodes = [{"id": 1, "callFrame": call_frame("(root)"), "children": [2]},
             {"id": 2, "callFrame": call_frame("main"), "children": list(ids)}]
    nodes += [{"id": i, "callFrame": call_frame(name), "children": []} for i, name in zip(ids, names)]
    samples = [i for i in ids for _ in range(i - 2)] + [1]  # a sample lasts until the next one
    return json.dumps({"nodes": nodes, "startTime": 0, "endTime": len(samples), "samples": samples,
                       "timeDeltas": [1] * len(samples)})


def heapprofile(names):
    leaves = [{"callFrame": call_frame(name), "selfSize": i + 1, "id": i + 3, "children": []} for i, name in enumerate(names)]
    main = {"callFrame": call_frame("main"), "selfSize": 0, "id": 2, "children": leaves}
    return json.dumps({"head": {"callFrame": call_frame("(root)"), "selfSize": 0, "id": 1, "children": [main]}, "samples": []})


def trace_events(names):
    frames = {"0": {"name": "main"}}
    frames.update({str(i + 1): {"name": name, "parent": "0"} for i, name in enumerate(names)})
    return json.dumps({"traceEvents": [], "stackFrames": frames, "samples": [
        {"cpu": 0, "tid": 2, "ts": 1.0 + i, "name": "cycles", "sf": str(i + 1), "weight": i + 1} for i in range(len(names))]})


def gecko(names):
    strings, count = ["main"] + names, len(names)
    return json.dumps({"meta": {"version": 4, "interval": 1, "startTime": 1467000000000, "processType": 0}, "libs": [],
                       "threads": [{"name": "w", "tid": 13, "stringTable": strings,
                                    "samples": {"schema": {"stack": 0, "time": 1},
                                                "data": [[i + 1, i] for i in range(count) for _ in range(i + 1)]},
                                    "markers": {"schema": {"name": 0, "time": 1, "data": 2}, "data": []},
                                    "stackTable": {"schema": {"prefix": 0, "frame": 1},
                                                   "data": [[None, 0]] + [[0, i + 1] for i in range(count)]},
                                    "frameTable": {"schema": {"location": 0}, "data": [[i] for i in range(count + 1)]}}]})


def firefox(names):
    count = len(names)
    every = list(range(count + 1))
    return json.dumps({"meta": {"version": 24, "preprocessedProfileVersion": 60, "interval": 1, "startTime": 0}, "libs": [],
                       "shared": {"stringArray": ["main"] + names},
                       "threads": [{"name": "w", "pid": "1", "tid": 2,
                                    "samples": {"length": count, "stack": every[1:], "weight": every[1:], "weightType": "samples",
                                                "time": every[1:]},
                                    "stackTable": {"length": count + 1, "frame": every, "prefix": [None] + [0] * count},
                                    "frameTable": {"length": count + 1, "func": every, "inlineDepth": [0] * (count + 1)},
                                    "funcTable": {"length": count + 1, "name": every}}]})


def number(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def message(*fields):
    """Fields of protocol buffers: numbers, or bytes."""
    return b"".join(number(key << 3) + number(value) if isinstance(value, int) else
                    number(key << 3 | 2) + number(len(value)) + value for key, value in fields)


def pprof(names):
    strings = ["", "samples", "count", "main"] + names
    out = message((1, message((1, 1), (2, 2))))
    for i in range(len(names)):
        out += message((2, message((1, i + 2), (1, 1), (2, i + 1))))
    for i in range(len(names) + 1):
        out += message((4, message((1, i + 1), (4, message((1, i + 1))))), (5, message((1, i + 1), (2, i + 3))))
    return gzip.compress(out + message(*[(6, text.encode()) for text in strings]), mtime=0)


def otlp_json(names):
    strings = ["", "samples", "count", "main"] + names
    tables = {"stringTable": strings, "mappingTable": [{}],
              "functionTable": [{}] + [{"nameStrindex": i + 3} for i in range(len(names) + 1)],
              "locationTable": [{}] + [{"lines": [{"functionIndex": i + 1}]} for i in range(len(names) + 1)],
              "stackTable": [{}] + [{"locationIndices": [i + 2, 1]} for i in range(len(names))]}
    samples = [{"stackIndex": i + 1, "values": [str(i + 1)]} for i in range(len(names))]
    profile = {"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "samples": samples}
    return json.dumps({"resourceProfiles": [{"scopeProfiles": [{"profiles": [profile]}]}], "dictionary": tables})


def xctrace(names):
    rows = "".join(f'<row><sample-time id="a{i}">1</sample-time><thread id="b{i}" fmt="t 0x1"/><weight id="c{i}">{i + 1}</weight>'
                   f'<backtrace id="d{i}"><frame id="e{i}" name={quoteattr(name)} addr="0x1"/>'
                   f'<frame id="f{i}" name="main" addr="0x2"/></backtrace></row>\n' for i, name in enumerate(names))
    return '<?xml version="1.0"?>\n<trace-query-result><node><schema name="time-profile"></schema>' + rows + \
        "</node></trace-query-result>\n"


def go_raw(names):
    samples = "".join(f"          {i + 1}: {i + 2} 1 \n" for i in range(len(names)))
    places = "".join(f"     {i + 1}: 0x40{i:04x} M=1 {name} /srv/my app (1)/a.c:{i + 1} s=0\n"
                     for i, name in enumerate(["main"] + names))
    return "PeriodType: cpu nanoseconds\nPeriod: 1\nSamples:\nsamples/count\n" + samples + "Locations\n" + places + \
        "Mappings\n1: 0x400000/0x500000/0x0 /bin/a  [FN]\n"


def ghc(names):
    rows = "".join(f" {name}  Main  x.hs:1:1  {i + 3}  0  0.0  0.0  0.0  0.0  {i + 1}  0\n"
                   for i, name in enumerate(names))
    columns = "COST CENTRE  MODULE  SRC  no.  entries  %time %alloc   %time %alloc  ticks  bytes\n\n"
    return "\tTue Nov 24 19:37 2026 Time and Allocation Profiling Report  (Final)\n\n" + columns + \
        "main  Main  x.hs:1:1  1  0  0.0  0.0  100.0  100.0  0  0\n" + rows


JSTACK = "2026-11-24 10:15:02\nFull thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):\n\n"
JAVACORE = ("1TIDATETIME    Date: 2026/11/24 at 10:15:02:123\n0SECTION       THREADS subcomponent dump routine\n"
            '3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=5\n'
            "3XMTHREADINFO3           Java callstack:\n")
XDEBUG = "Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-24 19:30:06.836175]\n1\t0\t0\t0\t0\tmain\t1\t\t/srv/x.php\t0\t0\n"
SAMPLE = "Analysis of sampling app (pid 12) every 1 millisecond\nCall graph:\n    9999 Thread_1\n    + 9999 main  (in app) + 1  [0x1]\n"

# (format, description, kind, generator), followed by options.  Kinds: names follow the rules; in a "tree" of calls, a
# line is one function, so chains of Java methods stay; "whole"; "methods" of Java.
FORMATS = [
    ("perf-script", "", "rules", lines("", lambda n, v: f"a 1/1 [000] 1.000001: {v} cycles: \n\t  7f2c1f0d2a5e {n}+0x1d (/opt/my app (x86)/bin)\n"
                                       "\t          401136 main+0x16 (/opt/bin)\n\n")),
    ("perf-script", "JIT", "rules", lines("", lambda n, v: f"a 1/1 [000] 1.000001: {v} cycles: \n\t  7f2c1f0d2a5e {n} (/tmp/perf-1.map)\n"
                                          "\t          401136 main+0x16 (/opt/bin)\n\n")),
    ("perf-script", "no file", "rules", lines("", lambda n, v: f"a 1/1 [000] 1.000001: {v} cycles: \n\t  7f2c1f0d2a5e {n} ([unknown])\n"
                                              "\t          401136 main (/opt/bin)\n\n")),
    ("bpftrace", "", "rules", lines("", lambda n, v: f"@[\n    {n}+12\n    main+3\n]: {v}\n")),
    ("bpftrace", "perf", "rules", lines("", lambda n, v: f"@[\n\t7f2c1f0d2a5e {n}+12 (/opt/my app (x86)/bin)\n\t401136 main+3 (/bin/a)\n]: {v}\n")),
    ("bcc", "", "rules", lines("", lambda n, v: f"    {n}\n    main\n    -                w (7)\n        {v}\n\n")),
    ("bcc", "offcputime -v", "rules", lines("Tracing off-CPU time (us) of all threads.\n\n", lambda n, v:
     f"    #0  0x00007f2c1f0d2a5e {n}+0x4e (/opt/my app (x86)/bin+0xf2a5e)\n"
     f"    #1  0x0000000000401136 main+0x16 (/bin/a+0x1136)\n    -                w (7)\n        {v}\n\n")),
    ("bpftrace", "with lines", "rules", lines("", lambda n, v: f"@[\n    {n}+12@/srv/my app/a@b.c:12\n    main+3@/a.c:1\n]: {v}\n")),
    ("bpftrace-json", "", "rules", lines("", lambda n, v: json.dumps({"type": "map", "data": {"@": {f"\n    {n}+12\n    main+3\n": v}}}) + "\n")),
    ("memleak", "", "rules", lines("[11:16:33] Top 99 stacks with outstanding allocations:\n", lambda n, v:
                                   f"\t{v} bytes in 1 allocations from stack\n\t\t0x000055b6a7ad31a2\t{n}+0x6d [my app]\n"
                                   "\t\t0x000055b6a7ad31a3\tmain+0x6d [a]\n")),
    ("memleak", "libbpf", "rules", lines("[11:16:33] Top 99 stacks with outstanding allocations:\n", lambda n, v:
                                         f"{v} bytes in 1 allocations from stack\n\t0 [<0000564f6395d20a>] {n}+0x6d [my app]\n"
                                         "\t1 [<0000564f6395d20b>] main+0x6d\n")),
    ("lldb", "", "tree", lines("", lambda n, v: f"* thread #1, name = 'w'\n  * frame #0: 0x000055c75ced2217 my app`{n} + 33\n"
                                "    frame #1: 0x000055c75ced223a a`main + 7\n" * v)),
    ("leaks", "", "tree", lines("", lambda n, v: f"==9== {v} bytes in 1 blocks are definitely lost in loss record 1 of 9\n"
                                f"==9==    at 0x109189: {n} (in /opt/my app (x86)/bin)\n==9==    by 0x1091BF: main (a.c:5)\n==9==\n")),
    ("leaks", "LeakSanitizer", "tree", lines("", lambda n, v: f"Direct leak of {v} byte(s) in 1 object(s) allocated from:\n"
                                             f"    #0 0x56480d39c180 in {n} /srv/my app (1)/l.cc:2:7\n    #1 0x56480d39c209 in main /srv/l.cc:9:1\n\n")),
    ("strace", "", "rules", lines("", lambda n, v: f'9 write(1, "x", 1) = 1\n > /opt/my app (x86)/bin({n}+0x10) [0xf8350]\n > /bin/a(main+0x3b) [0x11fd]\n' * v)),
    ("rprof", "", "whole", lines("sample.interval=20000\n", lambda n, v: '"{}" "main"\n'.format(n.replace("\\", "\\\\")) * v)),
    ("dhat", "", "tree", lambda names: json.dumps({"dhatFileVersion": 2, "mode": "heap", "verb": "Allocated", "bklt": True, "pid": 9,
     "pps": [{"tb": i + 1, "tbk": 1, "mb": 1, "gb": 1, "eb": 0, "fs": [i + 2, 1]} for i in range(len(names))],
     "ftbl": ["[root]", "0x1: main (a.c:5)"] + [f"0x2: {n} (in /opt/my app (x86)/bin)" for n in names]})),
    ("goroutine", "", "go", lines("", lambda n, v: f"goroutine 19 [running]:\n{n}(0xc000098270, {{0x1, 0x2}})\n\t/srv/my app/main.go:18 +0x4b\n"
                                  "main.main()\n\t/srv/main.go:40 +0x71\n\n" * v)),
    ("goroutine", "debug=1", "go", lines("goroutine profile: total 99\n", lambda n, v: f"{v} @ 0x43ae36 0x44b51e\n#\t0x4643e4\t{n}+0x24\t/srv/my app/a.go:77\n"
                                         "#\t0x4643e5\tmain.main+0x24\t/srv/a.go:7\n\n")),
    ("phpspy", "", "php", lines("", lambda n, v: f"0 {n} <internal>:-1\n1 main /srv/index.php:5\n\n" * v)),
    ("py-spy-json", "", "whole", lines("", lambda n, v: (json.dumps([{"pid": 1, "thread_id": 1, "thread_name": "w", "os_thread_id": 1, "active": True,
     "frames": [{"name": name, "short_filename": "f.py", "line": 3} for name in (n, "main")]}]) + "\n") * v)),
    ("rbspy", "", "whole", lines('rbspy02\n{"sample_rate":100,"rbspy_version":"0.8.1","start_time":{"secs_since_epoch":1,"nanos_since_epoch":7}}\n', lambda n, v:
     (json.dumps({"trace": [{"name": name, "relative_path": "a.rb", "absolute_path": "/srv/a.rb", "lineno": 1} for name in (n, "main")],
                  "pid": 1, "thread_id": 1, "time": {"secs_since_epoch": 1, "nanos_since_epoch": 17}}) + "\n") * v)),
    ("stackcount", "", "rules", lines('Tracing 1 functions for "f"... Hit Ctrl-C to end.\n\n', lambda n, v: f"  {n}\n  main\n    {v}\n\n")),
    ("stackcount", "-sv", "rules", lines('Tracing 1 functions for "f"... Hit Ctrl-C to end.\n\n', lambda n, v:
                                         f"  7f2c1f0d2a5e {n}+0x4e\n  401136 main+0x1\n    {v}\n\n")),
    ("dtrace", "", "rules", lines("", lambda n, v: f"\n              app`{n}+0x7\n              app`main+0x24\n               {v}\n")),
    ("dtrace", "no module", "rules", lines("\n              app`main\n                0\n", lambda n, v: f"\n              {n}\n              main\n               {v}\n")),
    ("systemtap", "", "rules", lines("", lambda n, v: f" 0x7f2c1f0d2a5e : {n}+0x24/0x100 [/opt/my app (x86)/bin]\n 0x4005d6 : main+0x9/0x20 [/bin/a]\n\t{v}\n")),
    ("gdb", "", "rules", lines("", lambda n, v: f"Thread 1 (LWP 12):\n#0  0x00007f2c1f0d2a5e in {n} (this=0x1, text=0x2 \"a (b\") at /srv/my app (1)/a.c:3\n"
                               "#1  0x0000000000401136 in main () from /bin/a\n\n" * v)),
    ("gdb", "no arguments", "rules", lines("", lambda n, v: f"Thread 1 (LWP 12):\n#0  0x00007f2c1f0d2a5e in {n} ()\n#1  0x0000000000401136 in main ()\n\n" * v)),
    ("eu-stack", "", "rules", lines("", lambda n, v: f"PID 9 - process\nTID 9:\n#0  0x00007f2c1f0d2a5e {n} - /opt/my app (x86)/bin\n#1  0x0000000000401136 main - /bin/a\n" * v)),
    ("eu-stack", "-v", "rules", lines("", lambda n, v: f"PID 9 - process\nTID 9:\n#0  0x00007f2c1f0d2a5e     {n}\n#1  0x0000000000401136 - 1 main\n" * v)),
    ("pstack", "", "rules", lines("", lambda n, v: f"12:\t/a\n feef4f27 {n} (8046cd0, 1, 0, 0) + 1c3\n 08054a2c main (1, 8047dec) + 1c\n" * v)),
    ("procstack", "", "rules", lines("", lambda n, v: f"12: /a\n0xd01f43c0  {n}(??, ??) + 0xcc\n0x10000194  main() + 0x6c\n" * v)),
    ("procstack", "no arguments", "rules", lines("", lambda n, v: f"12: /a\n0xd01f43c0  {n} + 0xcc\n0x10000194  main + 0x6c\n" * v)),
    ("pmcstat", "", "tree", lines("@ CYCLES [99 samples]\n\n", lambda n, v: f"1.0%  [{v}]     {n} @ /opt/my app (x86)/bin\n 100.0%  [{v}]      main @ /bin/a\n")),
    ("wallclock", "", "rules", lines("Full stacks\n\n", lambda n, v: f"1.0% = ({v} samples)\n  1: {n}   (at /srv/my app (1)/a.nim:343)\n  2: main   (at /srv/a.nim:1)\n\n")),
    ("vtune", "", "tree", lines("Function Stack,Count:Self\nmain,0\n", lambda n, v: f"{quoted(' ' + n)},{v}\n")),
    ("vsprof", "", "tree", lines("Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name,\n1,\"main\",9,0,\"a.exe\",\n",
                                  lambda n, v: f"2,{quoted(n)},{v},{v},\"a.exe\",\n")),
    ("sample", "", "tree", lines(SAMPLE, lambda n, v: f"    +   {v} {n}  (in app) + 34  [0x103a0db1e]  a.m:12\n", "Total number in stack\n")),
    ("go-raw", "", "tree", go_raw),
    ("folded", "", "whole", lines("", lambda n, v: f"main;{n} {v}\n")),
    ("samples", "", "whole", lambda names: "# pyrograph: root=none unit=x\nl 0 \n" + "".join(f"s {i} main;{n}\n" for i, n in enumerate(names)) +
     "".join(f"- 0 {i} {i + 1}\n" for i in range(len(names)))),
    ("speedscope", "", "whole", speedscope),
    ("cpuprofile", "", "whole", cpuprofile),
    ("heapprofile", "", "whole", heapprofile),
    ("trace-events", "", "whole", trace_events),
    ("gecko", "", "whole", gecko),
    ("firefox", "", "whole", firefox),
    ("pprof", "", "whole", pprof),
    ("otlp-json", "", "whole", otlp_json),
    ("xctrace", "", "whole", xctrace),
    ("instruments", "", "whole", lines("Weight\tSelf Weight\tSymbol Names\n1 s  100.0%\t0 s\tmain\n", lambda n, v: f"{v}.00 ns   1.0%\t{v}.00 ns\t \t {n}\n")),
    ("faulthandler", "", "whole", lines("", lambda n, v: f'Thread 0x00007ff26bfff6c0 (most recent call first):\n  File "/srv/f.py", line 3 in {n}\n'
                                        '  File "/srv/f.py", line 9 in main\n\n' * v)),
    ("py-spy", "", "whole", lines("", lambda n, v: f'Process 12: python3 f.py\n\nThread 12 (active): "w"\n    {n} (f.py:3)\n    main (f.py:12)\n\n' * v)),
    ("austin", "", "whole", lines("", lambda n, v: f"P12;T12;/srv/f.py:main:1;/srv/f.py:{n}:3 {v}\n")),
    ("xdebug", "", "whole", lines(XDEBUG, lambda n, v: f"2\t{v}\t0\t0.1\t0\t{n}\t1\t\t/srv/x.php\t3\t0\n2\t{v}\t1\t0.1\t0\n" * v), "--event", "calls"),
    ("ghc", "", "whole", ghc),
    ("v8-prof", "", "whole", lines(" [Bottom up (heavy) profile]:\n\n   ticks parent  name\n", lambda n, v:
                                   f"  {v:5}    1.0%  {n}\n  {v:5}  100.0%    main\n")),
    ("asprof", "", "whole", lines("", lambda n, v: f"[w tid=8];main;{n} {v}\n")),
    ("asprof", "traces", "whole", lines("--- Execution profile ---\nTotal samples       : 9\n\n", lambda n, v:
                                        f"--- {v} ns (1.00%), 1 sample\n  [ 0] {n}\n  [ 1] main\n\n")),
    ("jstack", "", "methods", lines("", lambda n, v: (JSTACK + '"main" #1 prio=5 os_prio=0 tid=0x1 nid=8 runnable\n   java.lang.Thread.State: RUNNABLE\n'
                                    f"\tat com.example.App.{n}(App.java:12)\n\tat com.example.App.main(App.java:1)\n\n") * v)),
    ("jstack", "jhsdb", "methods", lines("", lambda n, v: '"main" #1 prio=5 tid=0x1 nid=8 runnable [0x1]\n   java.lang.Thread.State: RUNNABLE\n'
                                         "   JavaThread state: _thread_in_Java\n"
                                         f" - com.example.App.{n}(byte[], int) @bci=0, line=3 (Compiled frame)\n"
                                         " - com.example.App.main() @bci=1, line=7 (Interpreted frame)\n\n" * v)),
    ("threaddump", "", "methods", lines("", lambda n, v: (f'8513\n2026-11-24T10:15:02.910185468Z\n25.0.3+9-LTS\n\n#3 "main" RUNNABLE 2026-11-24T10:15:02.920536504Z\n'
                                        f"    at com.example.App.{n}(App.java:12)\n    at com.example.App.main(App.java:1)\n\n") * v)),
    ("exceptions", "", "methods", lines("", lambda n, v: ("2026-11-24 10:15:02,123 ERROR [main] - failed\njava.lang.Error: svc\n"
                                        f"\tat com.example.App.{n}(App.java:4)\n\tat com.example.App.main(App.java:5)\n") * v)),
    ("javacore", "", "methods", lines("", lambda n, v: (JAVACORE + f"4XESTACKTRACE                at com/example/App.{n}(App.java:12(Compiled Code))\n"
                                      "4XESTACKTRACE                at com/example/App.main(App.java:3)\nNULL\n") * v)),
    ("ljp", "", "methods", lines("", lambda n, v: f"    {v} 2 com.example.App.{n}(App.java:12)\n           com.example.App.main(App.java:20)\n", "Total trace count = 9\n")),
]

# What a format cannot have in a name, apart from the limits of its own syntax.
CANNOT = {"folded": ";", "samples": ";", "austin": ";", "asprof": ";", "ghc": " "}

# What a format puts around a name.
AROUND = {"dtrace": ("app`", ""), "sample": ("app`", ""), "faulthandler": ("/srv/f.py:3:", ""), "py-spy": ("", " (f.py:3)"),
          "austin": ("/srv/f.py:", ":3"), "ghc": ("Main.", ""), "py-spy-json": ("", " (f.py:3)")}

# How many units of the output, ns, a unit of the values is.
SCALE = {"cpuprofile": 1000}


def table(kind):
    if kind == "methods":
        return [(method, "com.example.App." + method) for method in METHODS]
    if kind in ("go", "php"):
        return [(name, name) for name in (GO if kind == "go" else PHP)]
    return [(name, name if kind == "whole" or not clean or kind == "tree" and "_[i]" in clean else clean) for name, clean in NAMES]


def wanted(rows, name, what):
    before, after = AROUND.get(name, ("", "")) if what != "no module" else ("", "")
    sums = {}
    for i, (printed, clean) in enumerate(rows):
        chain = printed != clean and "_[i]" in clean
        key = before + clean if chain else fit(before + clean + after)
        sums[key] = sums.get(key, 0) + (i + 1) * SCALE.get(name, 1)
    return sums


def folded(text):
    """What is behind main in the lines, and the sums of their values."""
    sums = {}
    for line in text.splitlines():
        stack, _, value = line.rpartition(" ")
        _, main, frames = stack.partition(";")
        if not line.startswith("#") and main:
            sums[frames] = sums.get(frames, 0) + int(value)
    return sums


def check(name, what, kind, text, options):
    rows = [row for row in table(kind) if not set(CANNOT.get(name, "")) & set(row[0])]
    data = text([row[0] for row in rows])
    run = COLLAPSE.run("-q", "--root", "none", "--format", name, *options, stdin=data if isinstance(data, bytes) else data.encode())
    got, right = folded(run.out.decode().replace(";write ", " ")), wanted(rows, name, what)
    title = f"{name} {what}".strip() + f": {len(rows)} names"
    if got == right and not run.status:
        print(f"ok - {title}")
        return
    print(f"not ok - {title}")
    print("#   " + run.err.decode().replace("\n", "\n#   "))
    for key in [key for key in sorted(set(got) | set(right)) if got.get(key) != right.get(key)][:12]:
        if got.get(key) != right.get(key):
            print(f"#   {key!r}: {got.get(key)}, not {right.get(key)}")


# Formats without names of functions, recordings, and binary formats, which other tests cover: OTLP's table is that of
# otlp-json.
OTHERS = {"perfdata", "points", "otlp", "jfr"}


def main():
    known = COLLAPSE.run("--format", "list").out.decode()
    missing = {line.split()[0] for line in known.splitlines()} - OTHERS - {row[0] for row in FORMATS}
    print("ok - every format is in the table of names" if not missing else
          f"not ok - a row in FORMATS of tests/collapse/name_table.py for {' '.join(sorted(missing))}")
    for name, what, kind, text, *options in FORMATS:
        check(name, what, kind, text, options)


main()
