#!/usr/bin/env python3
"""jvm.py: what it costs a JVM to be watched: its throughput while we sample, its safepoints, and how
long we read it.

  JVM_ROUNDS   turns, each with and without the collectors        [5]
  JVM_SECONDS  seconds of each                                    [8]
"""
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import jvm_alloc
import run
from run import HERE, PYROGRAPH

ROUNDS = int(os.environ.get("JVM_ROUNDS", 5))
SECONDS = int(os.environ.get("JVM_SECONDS", 8))
THREADS = os.cpu_count()


class Jvm:
    """A busy one, and what it tells of itself."""

    def __init__(self, log, *options):
        self.process = subprocess.Popen(
            ["java", "-Xlog:safepoint:file=" + log, *options, os.path.join(HERE, "Throughput.java"), str(THREADS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid

    def ask(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return [int(n) for n in self.process.stdout.readline().split()]

    def rate(self, seconds, command=None):
        """Operations a second, and what the command, which runs meanwhile, used and said."""
        done, at = self.ask()
        text = ""
        if command:
            ran = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True)
            text = ran.stderr
            if ran.returncode:
                sys.exit(f"jvm.py: {command}: {text}")
        else:
            subprocess.run(["sleep", str(seconds)])
        done_then, at_then = self.ask()
        return (done_then - done) / (at_then - at) * 1e9, text

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def safepoints(log):
    return [re.search(r'Safepoint "(\w+)"', line).group(1) for line in open(log) if 'Safepoint "' in line]


def bench_throughput():
    """Alternating in one JVM: rates vary less there than between two.  perf takes the same samples without stacks: what
    is left of the loss is the price of the interrupts on this machine."""
    with tempfile.TemporaryDirectory() as directory:
        log, data = os.path.join(directory, "safepoints"), os.path.join(directory, "rec.data")
        jvm = Jvm(log)
        jvm.rate(2 * SECONDS)  # warm
        collect = f"{PYROGRAPH} collect cpu -F 999 -p {jvm.pid} -d {SECONDS} -o {data}"
        commands = {"pyrograph collect cpu": collect,
                    "pyrograph collect cpu --call-graph fp": f"{collect} --call-graph fp"}
        if shutil.which("perf"):
            commands["perf record, no stacks"] = \
                f"perf record -q -e cpu-clock -F 999 -p {jvm.pid} -o {data}.perf -- sleep {SECONDS}"
        plain, watched, losses, lost = [], {}, {}, 0
        for _ in range(ROUNDS):
            plain.append(jvm.rate(SECONDS)[0])
            for name, command in commands.items():
                rate, said = jvm.rate(SECONDS, command)
                watched.setdefault(name, []).append(rate)
                losses.setdefault(name, []).append(100 * (1 - rate / plain[-1]))
                lost += "collect" in command and "nothing lost" not in said
        jvm.end()
        kinds = sorted(set(safepoints(log)))
        size = os.path.getsize(data)
    run.table(f"a busy JVM on {THREADS} CPUs, 999 Hz, runs of {SECONDS} s", ["", "operations/s", "falls by %"],
              [["alone", f"{statistics.median(plain):.0f}", ""]] +
              [[name, f"{statistics.median(rates):.0f}", f"{statistics.median(losses[name]):.1f}"]
               for name, rates in watched.items()])
    print(f"recording of {SECONDS} s: {size / 1e6:.2f} MB; runs with losses: {lost}; "
          f"safepoints of the JVM: {', '.join(kinds)}\n")
    return statistics.median(losses["pyrograph collect cpu"])


def collector_cost(pid, seconds, data):
    """CPU seconds of the collector, and how many stacks it walked."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([PYROGRAPH, "collect", "cpu", "-F", "999", "-p", str(pid), "-d", str(seconds), "-o", data],
                          stderr=subprocess.PIPE, text=True, check=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, int(re.search(r"(\d+) samples of", said).group(1))


def bench_cost():
    """What a stack costs the collector: what a long recording uses more than a short one."""
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "rec.data")
        jvm = Jvm(os.path.join(directory, "safepoints"))
        jvm.rate(2 * SECONDS)
        each, fixed = [], []
        for _ in range(max(1, ROUNDS // 2)):
            short, few = collector_cost(jvm.pid, 1, data)
            long, many = collector_cost(jvm.pid, 1 + SECONDS, data)
            each.append((long - short) / max(1, many - few) * 1e6)
            fixed.append(short * 1e3 - few * each[-1] / 1e3)
        jvm.end()
    run.table("the collector's own CPU time, stacks of about 35 frames", ["", ""],
              [["a recording, ms", f"{statistics.median(fixed):.0f}"],
               ["and each stack, us", f"{statistics.median(each):.1f}"]])
    return statistics.median(each)


def bench_names(count):
    """Of a JVM with so many threads of its own, that wait."""
    speed = os.path.join(run.BUILD, "bench", "names_speed")
    jvm = subprocess.Popen(["java", "-Xlog:safepoint:stderr", os.path.join(HERE, "../jvm/Names.java"), str(count)],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    jvm.stdout.readline()
    read = subprocess.run([speed, str(jvm.pid)],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    jvm.stdin.close()
    kinds = sorted(set(re.findall(r'Safepoint "(\w+)"', jvm.stderr.read())))
    jvm.wait()
    run.table(f"names of {read[0]} threads", ["", "ms"],
              [["opening, once", read[2]], ["the first reading", read[3]], ["a reading", read[4]]])
    print(f"names that could not be read: {read[1]}; safepoints of the JVM: {', '.join(kinds)}\n")
    return float(read[4])


def main():
    if not shutil.which("java"):
        print("jvm: no java here (make check-deps)")
        return 0
    wanted = [("throughput falls by, % (vmstructs)", bench_throughput(), 3),
              ("CPU time a stack, us", bench_cost(), 15),
              ("names of 500 threads, ms", bench_names(500), 5),
              ("an allocation with collect alloc, ns", jvm_alloc.bench_java(), 15),
              ("malloc() and free() with --native, ns", jvm_alloc.bench_malloc(), 1000)]
    run.table("what was asked for", ["", "is", "asked"], [[what, f"{value:.2f}", str(limit)] for what, value, limit in wanted])
    return 0


if __name__ == "__main__":
    sys.exit(main())
