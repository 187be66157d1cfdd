#!/usr/bin/env python3
"""locks.py: what waits for locks cost while collect locks looks for them, and what a lock costs that is free.

Peers: bpftrace with sums of waits for futexes by stack; perf lock, which sees the kernel's locks only, with BPF where perf was
built with it; perf trace.

  BUILD         where pyrograph and tests/workloads/contended_locks are  [build]
  LOCKS_ROUNDS  turns of each collector, three of perf trace              [9]
"""
import os
import shutil
import subprocess
import sys

from sched import BUILD, CPU, PYROGRAPH, TASKSET, measure, show

SLOW = "perf trace -s -e futex"  # more than twenty times as long, so three rounds are enough
BPF_LOCK = "perf lock contention -b"
ROUNDS = int(os.environ.get("LOCKS_ROUNDS", 9))
PROGRAM = os.path.abspath(os.path.join(BUILD, "tests", "workloads", "contended_locks"))
WAITS = "/(args->op & 127) == 0 || (args->op & 127) == 9/"  # FUTEX_WAIT, FUTEX_WAIT_BITSET


def collectors(target):
    # As in sched.py: (name, command, target: factor or None)
    return [
        ("none", "{}", None),
        ("pyrograph collect locks --min 1ms", f"{PYROGRAPH} collect locks -q --min 1ms -o OUT -- {{}}", target),
        ("pyrograph collect locks", f"{PYROGRAPH} collect locks -q -o OUT -- {{}}", target),
        ("pyrograph collect offcpu --wakers", f"{PYROGRAPH} collect offcpu -q --wakers -o OUT -- {{}}", None),
        ("bpftrace, waits for futexes by stack",
         "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:syscalls:sys_enter_futex "
         f"{WAITS} {{{{ @since[tid] = nsecs; }}}} tracepoint:syscalls:sys_exit_futex /@since[tid]/ "
         "{{ @[ustack] = sum(nsecs - @since[tid]); delete(@since[tid]); }}'", None),
        ("perf lock record", "perf lock record -q -o OUT -- {}", None),
        (BPF_LOCK, f"{BPF_LOCK} {{}}", None),
        (SLOW, "perf trace -s -e futex -o OUT {}", None),
    ]


def is_there(name, command):
    """Is the tool installed, and was perf built with what it takes?"""
    tool = command.split()[0]
    if tool not in ("bpftrace", "perf"):
        return True
    if not shutil.which(tool):
        return False
    return name != BPF_LOCK or subprocess.run(BPF_LOCK.split() + ["true"], capture_output=True, check=False).returncode == 0


def bench(title, arguments, target):
    rows = [c for c in collectors(target) if is_there(c[0], c[1])]
    times, failed = measure(f"{TASKSET} -c {CPU} {PROGRAM} {arguments}", rows, ROUNDS, [SLOW])
    show(f"{title}, {ROUNDS} rounds", rows, times, True)
    absent = [c[0] for c in collectors(target) if c not in rows]
    if absent:
        print(f"  not here: {', '.join(absent)}")
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return any(name.startswith("pyrograph") for name in failed)


def main():
    failed = bench("half a million turns that two threads give each other by futexes, on one CPU", "turns 500000", 1.3)
    failed |= bench("a mutex that is free, 100 million times", "free 100000000", 1.02)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
