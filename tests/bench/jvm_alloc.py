#!/usr/bin/env python3
"""jvm_alloc.py: what an allocation costs a JVM, and malloc() a program, with and without `collect alloc`, in turns:
CPU time of the thread, the kernel's part included.  jvm.py runs it, too.

  ALLOC_ROUNDS   turns of four loops each   [5]
"""
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

import run
from run import HERE, PYROGRAPH

ROUNDS = int(os.environ.get("ALLOC_ROUNDS", 5))
LOOPS = 4


class Loop:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self.process.stdout.readline()

    def times(self):
        result = []
        for _ in range(LOOPS):
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            result.append(float(self.process.stdout.readline()))
        return result

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def watched(loop, data, options):
    """Times while the collector runs: from its first bytes on."""
    if os.path.exists(data):
        os.unlink(data)
    collector = subprocess.Popen([PYROGRAPH, "collect", "alloc", *options, "-p", str(loop.pid), "-o", data],
                                 stderr=subprocess.PIPE, text=True)
    while not (os.path.exists(data) and os.path.getsize(data) > 1000):
        if collector.poll() is not None:
            sys.exit("jvm_alloc.py: " + collector.stderr.read())
    times = loop.times()
    collector.send_signal(signal.SIGINT)
    return times, collector.communicate()[1].strip().splitlines()[-1]


def bench(what, command, options=()):
    """Returns the median with the collector."""
    loop = Loop(command)
    plain, on = [], []
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(ROUNDS):
            plain += loop.times()
            times, said = watched(loop, os.path.join(directory, "alloc.data"), options)
            on += times
    loop.end()
    run.table(what, ["", "best, ns", "median, ns"],
              [["alone", f"{min(plain):.2f}", f"{statistics.median(plain):.2f}"],
               [" ".join(["collect alloc", *options]), f"{min(on):.2f}", f"{statistics.median(on):.2f}"]])
    print(said + "\n")
    return statistics.median(on)


def bench_java(*options):
    return bench(f"an allocation, new int[4], java {' '.join(options)}",
                 ["java", *options, os.path.join(HERE, "Allocation.java")])


def bench_malloc():
    return bench("malloc(64) and free()", [os.path.join(run.BUILD, "bench", "malloc_speed")], ["--native"])


def main():
    if not shutil.which("java"):
        print("jvm_alloc: no java here (make check-deps)")
        return 0
    bench_java()
    bench_java("-Xmx64m")
    bench_malloc()
    return 0


if __name__ == "__main__":
    sys.exit(main())
