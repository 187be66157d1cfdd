#!/usr/bin/env python3
"""Do the states of each thread add up to its life?

    lives.py RECORDING FOLDED

FOLDED is of RECORDING, of collect sched: --event sched --root tid,state --no-stack --weight time.
A life is what the kernel's records of births and deaths say (PERF_RECORD_FORK and EXIT).
Prints "TID LIFE SUM" in ns for each thread of FOLDED that has both.  Fails when there are
fewer than two, when a sum is more than 0.1 % short, and when it is longer by more than that
and 20 ms: a thread says that it ends a little before it leaves its CPU, and on a busy
machine may wait for one once more, 150 ms at most, if it waited at all."""
import collections
import re
import struct
import sys

FORK, EXIT = 7, 4
WAITS = ("woken", "preempted", "quantum-over", "yielded")


def lives(path):
    with open(path, "rb") as file:
        raw = file.read()
    at, size = struct.unpack_from("<QQ", raw, 40)  # the header's section of records
    end, born, died = at + size, {}, {}
    while at + 8 <= end:
        kind, _, length = struct.unpack_from("<IHH", raw, at)
        if length < 8:
            break
        if kind in (FORK, EXIT):
            _, _, tid, _, time = struct.unpack_from("<IIIIQ", raw, at + 8)
            if time:  # not of one that was there already
                (born if kind == FORK else died)[tid] = time
        at += length
    return {tid: died[tid] - born[tid] for tid in born if tid in died}


def sums(path):
    """{tid: time, and of that the time it waited for a CPU}, ns"""
    found, waited = collections.Counter(), collections.Counter()
    for line in open(path, errors="surrogateescape"):
        thread = re.search(r"/(\d+);([a-z-]+)(?:;.*)? (\d+)$", line)
        if not line.startswith("#") and thread:
            found[int(thread[1])] += int(thread[3])
            waited[int(thread[1])] += int(thread[3]) * (thread[2] in WAITS)
    return {tid: (found[tid], waited[tid]) for tid in found}


def main():
    off, threads, known = 0, 0, lives(sys.argv[1])
    for tid, (spent, waited) in sorted(sums(sys.argv[2]).items()):
        if tid not in known:
            continue
        life, threads = known[tid], threads + 1
        print(tid, life, spent)
        late = 20_000_000 + min(waited, 150_000_000)
        off += not life * 999 <= spent * 1000 <= life * 1001 + late * 1000
    sys.exit(1 if off or threads < 2 else 0)


main()
