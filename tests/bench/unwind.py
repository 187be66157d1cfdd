#!/usr/bin/env python3
"""unwind.py: stacks that are walked by DWARF, and names from debug information, against
what was asked of them and beside perf script.

The recording (record-dwarf.sh, 70 MB) and the large library (make_inlined.py, 98 MB) are made
at the first run into BUILD/bench/ and then kept.

  UNWIND_ROUNDS        turns of each                                      [ROUNDS]
  PERF_INLINE_SECONDS  how long perf script may look for inlined frames   [60]
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

import run
from run import BUILD, DIR, HERE, PERF, PYROGRAPH, Run

ROUNDS = int(os.environ.get("UNWIND_ROUNDS", run.ROUNDS))
PERF_INLINE_SECONDS = int(os.environ.get("PERF_INLINE_SECONDS", 60))
ADDRESSES = 100000


def recorded():
    path = os.path.join(DIR, "dwarf.data")
    if not os.path.exists(path):
        print(f"recording {path}, once", file=sys.stderr)
        if subprocess.run([os.path.join(HERE, "record-dwarf.sh"), path]).returncode:
            sys.exit(f"unwind.py: could not record {path}")
    return path


def bench_recording(data):
    commands = [("pyrograph collapse", f"{PYROGRAPH} collapse -q {data}"),
                ("pyrograph collapse --srcline", f"{PYROGRAPH} collapse -q --srcline {data}"),
                ("pyrograph collapse --no-inline", f"{PYROGRAPH} collapse -q --no-inline {data}")]
    if PERF:
        commands.append(("perf script --no-inline", f"{PERF} script --no-inline -i {data}"))
    runs = run.in_turns(commands, ROUNDS)
    first = runs["pyrograph collapse --no-inline"]
    rows = [[name, f"{run.median(each, 'wall_s'):.3f}", f"{run.median(each, 'cpu_s'):.3f}", run.mib(each),
             run.factor(run.median(each, "wall_s"), run.median(first, "wall_s"))] for name, each in runs.items()]
    run.table(f"perf record --call-graph dwarf of a build: {os.path.getsize(data) / 1e6:.1f} MB",
              ["", "wall s", "CPU s", "peak MiB", "wall"], rows)
    wanted = [("whole file with inlined frames, s", run.median(runs["pyrograph collapse"], "wall_s"), 3)]
    if PERF:
        wanted.append(("part of perf script's time, without them",
                       run.median(first, "wall_s") / run.median(runs["perf script --no-inline"], "wall_s"), 1 / 3))
    return wanted


def tell_perf_inline(data):
    """How far perf script gets with inlined frames: it asks addr2line about each."""
    if not PERF or not PERF_INLINE_SECONDS:
        return
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as whole:
        subprocess.run(f"timeout {PERF_INLINE_SECONDS} {PERF} script -i {data} >{out.name} 2>/dev/null", shell=True)
        subprocess.run(f"{PERF} script --no-inline -i {data} >{whole.name} 2>/dev/null", shell=True)
        samples = [sum(1 for line in open(name, errors="replace") if line.rstrip().endswith(":") and line[0] != "\t")
                   for name in (out.name, whole.name)]
    print(f"\n  perf script with inlined frames: {samples[0]} of {samples[1]} samples in {PERF_INLINE_SECONDS} s")


def bench_recorders(hz, seconds=5):
    """What it costs to record whole stacks: the collector walks them meanwhile and keeps the chains, perf
    keeps the copies for later.  Counted as in run.bench_collect()."""
    out = os.path.join(DIR, "recorder.data")
    commands = [("pyrograph collect", f"exec {PYROGRAPH} collect cpu -a --call-graph dwarf -F {hz} -d {seconds} -o {out}")]
    if PERF:
        commands.append(("perf record", f"exec {PERF} record -N -a --call-graph dwarf,32768 -F {hz} -o {out} sleep {seconds}"))
    told = set()

    def look(_, each):
        each.samples, each.lost = run.count_records(out)
        each.file_mb = os.path.getsize(out) / 1e6
        told.update(line for line in each.stderr.splitlines() if "dropped" in line)
        for path in glob.glob(out + "*"):   # 100 MB and more of perf's
            os.unlink(path)

    with run.busy_cpus():
        runs = run.in_turns(commands, ROUNDS, look)
    first = next(iter(runs.values()), None)
    due = hz * seconds * run.CPUS
    run.table(f"Whole stacks at {hz} Hz for {seconds} s, {run.CPUS} CPUs busy",
              ["", "CPU s", "peak MiB", "file MB", "samples % of due", "least", "most LOST", "CPU"],
              [[name, f"{run.median(each, 'cpu_s'):.3f}", run.mib(each), f"{run.median(each, 'file_mb'):.1f}",
                f"{100 * run.median(each, 'samples') / due:.1f}", f"{100 * min(r.samples for r in each) / due:.1f}",
                str(max(r.lost for r in each)), run.factor(run.median(each, "cpu_s"), run.median(first, "cpu_s"))]
               for name, each in runs.items()])
    for line in sorted(told):
        print("  told:", line)


def bench_stack():
    program = os.path.join(BUILD, "bench/unwind_speed")
    subprocess.run(["make", "-s", f"BUILD={BUILD}", program], check=True)
    results = [list(map(float, re.findall(r"[\d.]+", subprocess.run([program], check=True, capture_output=True,
                                                                    text=True).stdout)[:3])) for _ in range(ROUNDS)]
    results.sort(key=lambda r: r[1])
    frames, ours, libdw = results[len(results) // 2]
    run.table(f"One stack of {frames:.0f} frames, known code", ["", "us", ""],
              [["core/unwind", f"{ours / 1000:.2f}", "1.00x"], ["libdw, session kept", f"{libdw / 1000:.2f}",
                                                                run.factor(libdw, ours)]])
    return [("a stack of 30 frames, us", ours / 1000 * 30 / frames, 5)]


def large_library():
    """BUILD/bench/inlined.so, made by make_inlined.py if it is not there."""
    library = os.path.join(DIR, "inlined.so")
    if not os.path.exists(library):
        print(f"building {library}, once", file=sys.stderr)
        subprocess.run([sys.executable, os.path.join(HERE, "make_inlined.py"), library], check=True)
    return library


def code_of(program):
    """(address, offset in the file, size) of the program's text."""
    text = subprocess.run(["readelf", "-SW", program], check=True, capture_output=True, text=True).stdout
    return [int(n, 16) for n in re.search(r" \.text +PROGBITS +(\w+) (\w+) (\w+)", text).groups()]


def bench_addresses():
    program = large_library()
    address, offset, size = code_of(program)
    data = os.path.join(DIR, "addresses.data")
    lines = ["here", "event cpu-clock", "exec 10 77 inlined",
             f"file-mmap 10 77 {address:#x} {size:#x} {offset:#x} {os.path.abspath(program)}"]
    lines += [f"sample {20 + i} 77 77 0 {address + i * size // ADDRESSES:#x}" for i in range(ADDRESSES)]
    subprocess.run([sys.executable, os.path.join(HERE, "../collapse/make_recording.py"), data],
                   input="\n".join(lines) + "\n", text=True, check=True)
    runs = run.in_turns([("collapse", f"{PYROGRAPH} collapse -q {data}"),
                         ("collapse --srcline", f"{PYROGRAPH} collapse -q --srcline {data}")], ROUNDS)
    mb = os.path.getsize(program) / 1e6
    run.table(f"{ADDRESSES} addresses of a library of {mb:.0f} MB with debug information", ["", "wall s", "CPU s", "peak MiB"],
              [[name, f"{run.median(each, 'wall_s'):.3f}", f"{run.median(each, 'cpu_s'):.3f}", run.mib(each)]
               for name, each in runs.items()])
    return [(f"{ADDRESSES} addresses, s", run.median(runs["collapse"], "wall_s"), 2),
            ("... and lines of source, s", run.median(runs["collapse --srcline"], "wall_s"), 2),
            ("... most memory, MiB", run.median(runs["collapse"], "peak_mib"), 500)]


def main():
    os.makedirs(DIR, exist_ok=True)
    data = recorded()
    wanted = bench_recording(data)
    tell_perf_inline(data)
    for hz in (99, 999):
        bench_recorders(hz)
    wanted += bench_stack()
    wanted += bench_addresses()
    run.targets("What was asked for", wanted)
    return run.tell_failures()


if __name__ == "__main__":
    sys.exit(main())
