#!/usr/bin/env python3
"""lanes.py: what datagrams cost while collect lanes keeps the depth of their queue.

A program sends and reads datagrams on loopback as fast as it can; the figure is how many in a second of its CPU time,
in which the kernel's work and the BPF program are, so that others on the machine matter less.

  BUILD         where pyrograph and tests/workloads/queue_depth are   [build]
  LANES_ROUNDS  turns of each collector                               [9]
"""
import os
import statistics
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
ROUNDS = int(os.environ.get("LANES_ROUNDS", 9))
PYROGRAPH = os.path.join(BUILD, "pyrograph")
FLOOD = [os.path.join(BUILD, "tests", "workloads", "queue_depth"), "flood", "1.5"]
TARGET = 1.03  # times as long

# (name, what precedes the program)
COLLECTORS = [
    ("none", []),
    ("pyrograph collect lanes", [PYROGRAPH, "collect", "lanes", "-q", "-o", "OUT", "--"]),
    ("pyrograph collect lanes -a", [PYROGRAPH, "collect", "lanes", "-a", "-q", "-o", "OUT", "--"]),
]


def rate(before, out):
    words = [out if w == "OUT" else w for w in before] + FLOOD
    return float(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def main():
    rates = {name: [] for name, _ in COLLECTORS}
    with tempfile.TemporaryDirectory() as directory:
        for i in range(ROUNDS):
            for name, before in COLLECTORS[i % len(COLLECTORS):] + COLLECTORS[:i % len(COLLECTORS)]:
                rates[name].append(rate(before, os.path.join(directory, "x.data")))
    print(f"\ndatagrams on loopback, sent and read by one thread, {ROUNDS} rounds, in turns\n")
    print(f"{'':30} {'a second':>10} {'ratio, median (best)':>22}")
    for name, all_of_it in rates.items():
        # Compare with the run without collector of the same round, since the state of the machine affects both.
        ratio = statistics.median(a / b for a, b in zip(rates["none"], all_of_it))
        best = max(rates["none"]) / max(all_of_it)
        told = "" if name == "none" else f"{ratio:11.3f} ({best:.3f})"
        print(f"{name:30} {statistics.median(all_of_it):10,.0f} {told:>22}"
              + (f"   wanted: {TARGET}" if name == COLLECTORS[1][0] else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
