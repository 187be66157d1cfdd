#!/usr/bin/env python3
"""faults.py: what a million minor page faults cost while collect faults looks for slow ones.

bpftrace runs beside it with the same tracepoint and the same two software events.

  BUILD          where pyrograph and bench/touch_pages are   [build]
  FAULTS_ROUNDS  turns of each collector                     [9]
"""
import os
import shutil
import sys

from sched import BUILD, CPU, PYROGRAPH, TASKSET, measure, show

ROUNDS = int(os.environ.get("FAULTS_ROUNDS", 9))
END = ":1 {{ $t = nsecs - @since[tid]; if (@since[tid] && $t > 1000000) {{ @slow[ustack] = sum($t); }} }} "

# As in sched.py: (name, command, target: factor or None)
COLLECTORS = [
    ("none", "{}", None),
    ("pyrograph collect faults --min 1ms", f"{PYROGRAPH} collect faults -q --min 1ms -o OUT -- {{}}", 1.25),
    ("pyrograph collect faults", f"{PYROGRAPH} collect faults -q -o OUT -- {{}}", None),
    ("bpftrace, faults of 1 ms, by stack",
     "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:exceptions:page_fault_user {{ @since[tid] = nsecs; }} "
     f"software:minor-faults{END} software:major-faults{END}'", None),
    ("perf record -e minor-faults -c 1 -g", "perf record -q -N -e minor-faults -c 1 -g -o OUT -- {}", None),
]


def main():
    collectors = [c for c in COLLECTORS if shutil.which(c[1].split()[0]) or not c[1].startswith(("bpftrace", "perf"))]
    program = f"{TASKSET} -c {CPU} {os.path.abspath(os.path.join(BUILD, 'bench', 'touch_pages'))}"
    times, failed = measure(program, collectors, ROUNDS)
    show(f"a million minor page faults on one CPU, {ROUNDS} rounds", collectors, times, True)
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return 1 if any(name.startswith("pyrograph") for name in failed) else 0


if __name__ == "__main__":
    sys.exit(main())
