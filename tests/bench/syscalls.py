#!/usr/bin/env python3
"""syscalls.py: what system calls cost while collect syscalls looks for slow ones: millions of them, on one CPU.

  BUILD            where pyrograph and bench/many_calls are   [build]
  SYSCALLS_ROUNDS  turns of each collector                    [5]
"""
import os
import shutil
import sys

from sched import BUILD, CPU, PYROGRAPH, TASKSET, measure, show

ROUNDS = int(os.environ.get("SYSCALLS_ROUNDS", 5))
MILLIONS = 1
MOST_NS = 350

# As in sched.py: (name, command, target: factor or None).  The last two make only a twentieth of the calls, and
# multiply the time by 20.
COLLECTORS = [
    ("none", "{}", None),
    ("pyrograph collect syscalls", f"{PYROGRAPH} collect syscalls -q -o OUT -- {{}}", None),
    ("pyrograph collect syscalls --call", f"{PYROGRAPH} collect syscalls -q --call ^fsync$ -o OUT -- {{}}", None),
    ("bpftrace, sums by thread and call",
     "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:raw_syscalls:sys_enter {{ @since[tid] = nsecs; }} "
     "tracepoint:raw_syscalls:sys_exit /@since[tid]/ {{ @sum[tid, args->id] = stats(nsecs - @since[tid]); }}'", None),
    ("perf trace -s", "perf trace -s -o OUT {} 20", None),
    ("strace -c -f", "strace -c -f -o OUT {} 20", None),
]


def added(times, name):
    """ns that a call took longer, at best"""
    return (min(times[name]) - min(times["none"])) * 1e9 / (MILLIONS * 1e6)


def main():
    there = [c for c in COLLECTORS if shutil.which(c[1].split()[0]) or not c[1].startswith(("bpftrace", "perf", "strace"))]
    program = f"{TASKSET} -c {CPU} {os.path.abspath(os.path.join(BUILD, 'bench', 'many_calls'))} {MILLIONS}"
    times, failed = measure(program, there, ROUNDS)
    show(f"{MILLIONS} million short system calls on one CPU, {ROUNDS} rounds", there, times, True)
    print()
    for name, _, _ in there[1:]:
        if times.get(name):
            print(f"{name}: {added(times, name):.0f} ns more a call" +
                  (f" (wanted: at most {MOST_NS})" if name.startswith("pyrograph") else ""))
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return 1 if any(name.startswith("pyrograph") for name in failed) else 0


if __name__ == "__main__":
    sys.exit(main())
