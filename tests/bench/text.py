#!/usr/bin/env python3
"""text.py: "make bench": text of other tools to folded lines, beside the scripts that do the same.

The inputs are the samples of tests/collapse/formats, repeated until they are MEGABYTES long [60].  One thread each;
CPU time, the least of ROUNDS [3] turns.  Targets: 100 MB/s, and 5 times the script.

  FLAMEGRAPH_DIR  a checkout of FlameGraph, if not on PATH
"""
import gzip
import os
import random
import resource
import shlex
import shutil
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
ROUNDS = int(os.environ.get("ROUNDS", 3))
MEGABYTES = int(os.environ.get("MEGABYTES", 60))
SAMPLES = "tests/collapse/formats"
DIR = os.path.join(BUILD, "bench")
TARGET_MB_S, TARGET_FACTOR, TARGET_PPROF_MB_S = 100, 5, 200

# (text before the part of the sample that is repeated, text after it; None: that part reaches to the beginning, or the
# end; then the script of FlameGraph)
FORMATS = {
    "bpftrace": (None, None, "stackcollapse-bpftrace.pl"),
    "bcc": (None, None, None),
    "dtrace": ("\n\n\n", None, "stackcollapse.pl"),
    "systemtap": (None, None, "stackcollapse-stap.pl"),
    "gdb": (None, None, "stackcollapse-gdb.pl"),
    "eu-stack": (None, None, "stackcollapse-elfutils.pl"),
    "faulthandler": (None, None, "stackcollapse-faulthandler.pl"),
    "py-spy": (None, None, None),
    "austin": ("# mode: wall\n\n", "P8513;T8513;/srv/f.py:<module>:12 x", None),
    "go-raw": ("cpu/nanoseconds\n", "Locations\n", "stackcollapse-go.pl"),
    "sample": ("Call graph:\n", "    30 Thread_", "stackcollapse-sample.awk"),
    "instruments": ("Symbol Name\n", "1.0ms   50.0%\t1.0ms", "stackcollapse-instruments.pl"),
    "vtune": ("Total,0.0,[Unknown]\n", "    too deep", None),
    "vsprof": ("0,\"an app.exe\",0,0,0.00,0.00,\"\",\n", "5,\"too deep\"", "stackcollapse-vsprof.pl"),
    "pmcstat": ("samples]\n\n", "\n@ LLC", "stackcollapse-pmc.pl"),
    "procstack": (None, "0x1\n", "stackcollapse-aix.pl"),
    "ghc.detailed": ("\n\nMAIN", None, None),
    "xdebug": (None, None, None),
    "wallclock": ("Full stacks\n\n", "0.0% = (18446", "stackcollapse-wcp.pl"),
    "ljp": (None, "Total trace", "stackcollapse-ljp.awk"),
}


def make(sample, before, after):
    """The path of a sample whose middle is repeated."""
    path = os.path.join(DIR, f"text-{sample}.txt")
    with open(os.path.join(SAMPLES, sample + ".txt"), newline="", encoding="utf-8") as file:
        text = file.read()
    start = text.index(before) + len(before) if before else 0
    if before and before.endswith("MAIN"):
        start -= len("MAIN")
    end = text.index(after, start) if after else len(text)
    middle = text[start:end]
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(text[:start])
        file.write(middle * (MEGABYTES * 1000000 // len(middle) + 1))
        file.write(text[end:] if after else "")
    return path


def cpu_s(command):
    """CPU time of a shell command; None if it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return None if status else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def find(script):
    """The shell command that runs a script of FlameGraph, or None."""
    path = os.path.join(os.environ.get("FLAMEGRAPH_DIR", ""), script)
    path = path if os.path.exists(path) else shutil.which(script)
    if not path:
        return None
    return ("awk -f " if script.endswith(".awk") else "perl ") + shlex.quote(path)


def pprof(missed):
    """pprof: samples of 20,000 stacks, in and out; MB are those of what is packed in the file."""
    folded, packed, samples = (os.path.join(DIR, "pprof." + end) for end in ("folded", "pb.gz", "pb"))
    rng, collapse = random.Random(3), f"{BUILD}/pyrograph collapse -q --jobs 1"
    names = [f"com.example.pkg{i % 17}.Class{i % 101}.method{i}" for i in range(4700)]
    with open(folded, "w", encoding="utf-8") as out:
        for i in range(20000):
            out.write(";".join(rng.choices(names, k=rng.randrange(10, 40))) + f" {i % 97 + 1}\n")
    subprocess.run(f"{collapse} -o {packed} {folded}", shell=True, check=True)
    with gzip.open(packed) as file:
        message = file.read()
    with open(samples, "wb") as file:  # concatenated messages are a single message with all their samples
        for _ in range(MEGABYTES * 1000000 // len(message) + 1):
            file.write(message)
    size = os.path.getsize(samples) / 1e6
    took = min(cpu_s(f"{collapse} --event samples {samples}") for _ in range(ROUNDS))
    print(f"  {'pprof in':14}{took:8.3f} s {size / took:6.0f} MB/s (target: {TARGET_PPROF_MB_S})")
    if size / took < TARGET_PPROF_MB_S:
        missed.append(f"pprof in ({size / took:.0f} MB/s)")
    read = min(cpu_s(f"{collapse} {folded}") for _ in range(ROUNDS))
    took = min(cpu_s(f"{collapse} --out pprof {folded}") for _ in range(ROUNDS))
    print(f"  {'pprof out':14}{took:8.3f} s, {len(message) / 1e6:.1f} MB of {os.path.getsize(folded) / 1e6:.0f} MB of folded "
          f"text, which alone take {read:.3f} s")
    for path in folded, packed, samples:
        os.remove(path)


def main():
    missed, missing = [], []
    os.makedirs(DIR, exist_ok=True)
    print(f"\ncollapse of {MEGABYTES} MB of text, one thread, CPU time (targets: {TARGET_MB_S} MB/s, {TARGET_FACTOR} times)")
    for sample, (before, after, script) in FORMATS.items():
        path = make(sample, before, after)
        ours = f"{BUILD}/pyrograph collapse --jobs 1 --format {sample.split('.')[0]} {path}"
        peer = find(script) if script else None
        times, peer_times = [], []
        for _ in range(ROUNDS):
            times.append(cpu_s(ours))
            if peer:
                peer_times.append(cpu_s(f"{peer} {path}"))
        os.remove(path)
        if None in times:
            missed.append(f"{sample} (failed)")
            continue
        mb_s = MEGABYTES / min(times)
        line = f"  {sample:14}{min(times):8.3f} s {mb_s:6.0f} MB/s"
        if mb_s < TARGET_MB_S:
            missed.append(f"{sample} ({mb_s:.0f} MB/s)")
        if peer and None not in peer_times:
            times_faster = min(peer_times) / min(times)
            line += f"   {script} {min(peer_times):.2f} s, {times_faster:.1f} times"
            if times_faster < TARGET_FACTOR:
                missed.append(f"{sample} ({times_faster:.1f} times)")
        elif script:
            missing.append(script)
        print(line, flush=True)
    pprof(missed)
    if missing:
        print("not installed or failed:", ", ".join(missing))
    if missed:
        print("missed:", ", ".join(missed))
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
