#!/usr/bin/env python3
"""flight.py: what the flight recorder costs while nothing happens, beside the same recording to a file and perf's own.

Each records the whole machine for as long, in turns, beside tests/load.sh; the figure is the CPU time of the recorder and
of its children, without what the kernel does for it in other programs.

  BUILD          where pyrograph is    [build]
  FLIGHT_ROUNDS  turns of each         [5]
  FLIGHT_TIME    seconds of each turn  [10]
"""
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
ROUNDS = int(os.environ.get("FLIGHT_ROUNDS", 5))
SECONDS = int(os.environ.get("FLIGHT_TIME", 10))
COLLECT = [os.path.join(BUILD, "pyrograph"), "collect"]
OURS = ["-a", "-F", "499", "-q", "-d", str(SECONDS), "-o", "x.data"]
KEEP = ["--keep", "5s", "--when", "offcpu>1000s"]

RECORDERS = [
    ("collect cpu,offcpu", COLLECT + ["cpu,offcpu"] + OURS),
    ("collect cpu,offcpu --keep 5s", COLLECT + ["cpu,offcpu"] + OURS + KEEP),
    ("collect cpu", COLLECT + ["cpu"] + OURS),
    ("collect cpu --keep 5s", COLLECT + ["cpu"] + OURS + ["--keep", "5s"]),
    ("perf record", ["perf", "record", "-q", "-a", "-g", "-F", "499", "-o", "x.data", "--", "sleep", str(SECONDS)]),
    ("perf record --overwrite --switch-output=signal",
     ["perf", "record", "-q", "-a", "-g", "-F", "499", "--overwrite", "--switch-output=signal", "-o", "x.data", "--", "sleep", str(SECONDS)]),
]


def run(command):
    """CPU seconds, or None and what it said last."""
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryFile("w+", errors="replace") as said:
        child = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if child.returncode:
            return None, said.read().strip()[-300:]
        return usage.ru_utime + usage.ru_stime, ""


def main():
    recorders = [r for r in RECORDERS if r[1][0] != "perf" or shutil.which("perf")]
    costs = {name: [] for name, _ in recorders}
    failed = {}
    load = subprocess.Popen(["sh", os.path.join(HERE, "..", "load.sh")])
    try:
        for i in range(ROUNDS):
            for name, command in recorders[i % len(recorders):] + recorders[:i % len(recorders)]:
                cost, said = run(command)
                if cost is None:
                    failed[name] = said
                else:
                    costs[name].append(cost)
    finally:
        load.send_signal(signal.SIGTERM)
        load.wait()
    print(f"\n{SECONDS} s of the whole machine at 499 Hz beside tests/load.sh, {ROUNDS} rounds, in turns\n")
    print(f"{'':48} {'CPU s':>7} {'least':>7}  % of a CPU")
    for name, all_of_it in costs.items():
        if all_of_it:
            cost = statistics.median(all_of_it)
            print(f"{name:48} {cost:7.3f} {min(all_of_it):7.3f}  {100 * cost / SECONDS:.2f}")
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return 1 if any(name.startswith("collect") for name in failed) else 0


if __name__ == "__main__":
    sys.exit(main())
