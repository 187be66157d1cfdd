"""long_names.py DIR: a name of 24 MB in inputs of each kind takes three times its size: while it is parsed, the input
and what is kept of it; then that, the text of the frame, and that of its line."""
import os
import subprocess
import sys

sys.path.insert(0, "tests")
import tap

SIZE = 24 << 20
OTHERS = 16 << 20  # room for huge pages, and for the memory of the program itself

# (format, options, input, in which NAME stands for the name; how often the name occurs in memory, if not 3)
INPUTS = [
    ("perf-script", [], "a 1 [0] 1.01: 1 cpu-clock: \n\t    401136 NAME (/bin/a)\n\n"),
    ("perf-script", ["--srcline"], "a 1 [0] 1.01: 1 cpu-clock: \n\t    401136 NAME+0x1 (/bin/a)\n  a.c:12\n\n"),
    ("perf-script", ["--all"], "a 1 [0] 1.01: 1 cpu-clock: \n\t    401136 NAME (/tmp/perf-10.map)\n\n"),
    ("perf-script", ["--files=always"], "a 1 [0] 1.01: 1 cpu-clock: \n\t    401136 NAME (/bin/a)\n\n", 4),
    ("folded", ["--hide=leaf"], "main;NAME;leaf 1\n"),
    ("folded", ["--hide=^x+$"], "main;NAME;leaf 1\n"),
    ("folded", ["--timed"], "@1.5 main;NAME;leaf 1\n"),
    ("cpuprofile", [], '{"nodes":[{"id":1,"callFrame":{"functionName":"NAME","url":"a.js","lineNumber":1},'
     '"hitCount":3}]}'),
    ("cpuprofile", [], '{"head":{"functionName":"NAME","id":1,"hitCount":1,"children":[]}}'),
    ("heapprofile", [], '{"head":{"callFrame":{"functionName":"NAME"},"selfSize":1,"children":[]}}'),
    ("speedscope", [], '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":'
     '[{"name":"NAME"}]},"profiles":[{"type":"sampled","name":"a","unit":"bytes","startValue":0,"endValue":3,'
     '"samples":[[0]],"weights":[3]}]}'),
    ("trace-events", [], '{"traceEvents":[{"name":"NAME","ph":"X","ts":1,"dur":3,"pid":1,"tid":1}]}'),
    ("gecko", [], '{"threads":[{"name":"a","tid":1,"pid":1,"samples":{"schema":{"stack":0,"time":1},"data":[[0,1]]},'
     '"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]]},"frameTable":{"schema":{"location":0},'
     '"data":[[0]]},"stringTable":["NAME (in libc.so)"]}]}'),
    ("firefox", [], '{"meta":{"preprocessedProfileVersion":60},"shared":{"stackTable":{"frame":[0],"prefix":[null]},'
     '"frameTable":{"func":[0]},"funcTable":{"name":[0],"fileName":[1]},"stringArray":["NAME","a.js"]},'
     '"threads":[{"name":"a","tid":1,"pid":1,"samples":{"stack":[0],"time":[1],"length":1}}]}'),
    ("rbspy", [], 'rbspy02\n{"trace":[{"name":"NAME","relative_path":"a.rb","lineno":1}],"pid":1,"thread_id":1}\n'),
    ("dhat", [], '{"dhatFileVersion":2,"pps":[{"tb":1,"tbk":1,"fs":[1]}],"ftbl":["[root]","0x1: NAME (in /a.so)"]}'),
    ("bpftrace", [], "@[\n    NAME+1\n]: 5\n"),
    ("gdb", [], "Thread 1 (LWP 1):\n#0  0x12 in NAME () from /a.so\n"),
    ("goroutine", [], "goroutine 1 [running]:\nNAME()\n\t/a.go:1 +0x1\n\n"),
]


def write(path, text, size):
    """Piece by piece: what this program takes counts as what its children take until they are another one."""
    with open(path, "w") as out:
        for part in text.replace("NAME", "\0NAME\0").split("\0"):
            for _ in range(size // 4096 if part == "NAME" else 0):
                out.write(4096 * "x")
            out.write("" if part == "NAME" else part)


def run(directory, kind, options):
    """The largest memory that was used, in bytes, and whether the name has come out whole."""
    with open(directory + "/out", "wb") as out:
        child = subprocess.Popen([tap.BUILD + "/pyrograph-collapse", "-q", "--jobs", "1", "--format", kind, *options,
                                  directory + "/in"], stdout=out, stderr=subprocess.STDOUT)
        _, child.returncode, used = os.wait4(child.pid, 0)
    hidden = "--hide=^x+$" in options
    return used.ru_maxrss * 1024, (os.path.getsize(directory + "/out") > SIZE) is not hidden and not child.returncode


for kind, options, text, *times in INPUTS:
    copies = times[0] if times else 3
    write(sys.argv[1] + "/in", text, SIZE)
    used, whole = run(sys.argv[1], kind, options)
    right = whole and used <= copies * SIZE + OTHERS
    tap.is_(f"a name of 24 MB takes {copies} times its size: {' '.join([kind, *options])}",
            right or f"{used >> 20} MB, {'whole' if whole else 'not whole'}", True)
