#!/usr/bin/env python3
"""locks.py: what waits for locks cost while collect locks looks for them, and what a lock costs that is free.

  BUILD         where pyrograph and tests/workloads/contended_locks are  [build]
  LOCKS_ROUNDS  turns of each collector, three of perf trace              [9]
"""
import os
import shutil
import sys

from sched import BUILD, CPU, PYROGRAPH, TASKSET, measure, show

SLOW = "perf trace -s -e futex"  # more than twenty times as long: three turns of it say so
ROUNDS = int(os.environ.get("LOCKS_ROUNDS", 9))
PROGRAM = os.path.abspath(os.path.join(BUILD, "tests", "workloads", "contended_locks"))


def collectors(target):
    # As in sched.py: (name, command, target: factor or None)
    return [
        ("none", "{}", None),
        ("pyrograph collect locks --min 1ms", f"{PYROGRAPH} collect locks -q --min 1ms -o OUT -- {{}}", target),
        ("pyrograph collect locks", f"{PYROGRAPH} collect locks -q -o OUT -- {{}}", target),
        ("pyrograph collect offcpu --wakers", f"{PYROGRAPH} collect offcpu -q --wakers -o OUT -- {{}}", None),
        (SLOW, "perf trace -s -e futex -o OUT {}", None),
    ]


def bench(title, arguments, target):
    rows = [c for c in collectors(target) if not c[1].startswith("perf ") or shutil.which("perf")]
    times, failed = measure(f"{TASKSET} -c {CPU} {PROGRAM} {arguments}", rows, ROUNDS, [SLOW])
    show(f"{title}, {ROUNDS} rounds", rows, times, True)
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return any(name.startswith("pyrograph") for name in failed)


def main():
    failed = bench("half a million turns that two threads give each other by futexes, on one CPU", "turns 500000", 1.3)
    failed |= bench("a mutex that is free, 100 million times", "free 100000000", 1.02)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
