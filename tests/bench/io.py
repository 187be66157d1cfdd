#!/usr/bin/env python3
"""io.py: what direct reads from this disk cost while collect io looks at them, one after the other and 16 at a time.

bpftrace runs beside it and does what biosnoop does: a line for each request.

  BUILD      where pyrograph and bench/read_blocks are           [build]
  IO_FILE    a file of 256 MB on the disk, made if it is missing  [BUILD/bench/blocks]
  IO_READS   reads of 4 kB in each round                          [40000]
  IO_ROUNDS  turns of each collector                              [9]
"""
import os
import shutil
import sys

from sched import BUILD, PYROGRAPH, measure, show

ROUNDS = int(os.environ.get("IO_ROUNDS", 9))
READS = int(os.environ.get("IO_READS", 40000))
FILE = os.path.abspath(os.environ.get("IO_FILE", os.path.join(BUILD, "bench", "blocks")))

# As in sched.py: (name, command, target: factor or None)
COLLECTORS = [
    ("none", "{}", None),
    ("pyrograph collect io", f"{PYROGRAPH} collect io -q -o OUT -- {{}}", 1.02),
    ("pyrograph collect io -a", f"{PYROGRAPH} collect io -q -a -o OUT -- {{}}", 1.02),
    ("pyrograph collect io --min 1us", f"{PYROGRAPH} collect io -q --min 1us -o OUT -- {{}}", None),
    ("bpftrace, a line for each request",
     "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:block:block_rq_issue {{ @since[args->sector] = nsecs; }} "
     "tracepoint:block:block_rq_complete /@since[args->sector]/ {{ printf(\"%s %d %d %d\\n\", comm, args->sector, "
     "args->nr_sector, nsecs - @since[args->sector]); delete(@since[args->sector]); }}'", None),
]


def main():
    collectors = [c for c in COLLECTORS if shutil.which(c[1].split()[0]) or not c[1].startswith("bpftrace")]
    reader = os.path.abspath(os.path.join(BUILD, "bench", "read_blocks"))
    bad = False
    for threads in (1, 16):
        reads = READS // 4 if threads == 1 else READS
        times, failed = measure(f"{reader} {FILE} {threads} {reads}", collectors, ROUNDS)
        rate = reads / min(times["none"]) if times["none"] else 0
        show(f"{reads} direct reads of 4 kB, {threads} at a time, up to {rate:.0f} a second, {ROUNDS} rounds", collectors,
             times, True)
        for name, said in failed.items():
            print(f"\nfailed: {name}\n    {said}")
        bad |= any(name.startswith("pyrograph") for name in failed)
    os.unlink(FILE)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
