#!/usr/bin/env python3
"""Do the states of each thread add up to its life?

    lives.py RECORDING FOLDED SPANS [FACTOR]

FOLDED is of RECORDING, of collect sched: --event sched --root tid,state --no-stack --weight time; SPANS what
tests/collect/spans.py prints of it.  A life begins with the kernel's record of a birth (PERF_RECORD_FORK) and ends where
the recording says that the thread left its CPU for good, or ends itself.  That is a little after the record of its death
(PERF_RECORD_EXIT): on a busy machine it may wait for a CPU once more, 150 ms at most, if it waited at all.
Prints "TID LIFE SUM LATE" in ns for each thread that has all of it.  Fails when there are fewer than two, when a sum is not
its life, by more than 0.1 % and 0.1 ms, and when the end is before the record, or too late.  With FACTOR, the state that
they had longest is made so much longer first: it should be noticed."""
import collections
import re
import struct
import sys

FORK, EXIT, DEAD = 7, 4, "13"
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
    return {tid: (born[tid], died[tid]) for tid in born if tid in died}


def ends(path):
    """{tid: when it left its CPU for good}, from lines EVENT PID TID CPU NS COUNT LONGEST BEGIN TIME FLAGS STATE ...; of
    those that had not when the recording ended, that"""
    spans = [line.split() for line in open(path) if line.startswith("sched ")]
    last = max(int(f[8]) for f in spans)
    found = {int(f[2]): last for f in spans}
    found.update((int(f[2]), int(f[8])) for f in spans if f[10] == DEAD)
    return found


def sums(path, tids):
    """{tid: {state: ns}}"""
    found = {tid: collections.Counter() for tid in tids}
    for line in open(path, errors="surrogateescape"):
        thread = re.search(r"/(\d+);([a-z-]+)(?:;.*)? (\d+)$", line)
        if not line.startswith("#") and thread and int(thread[1]) in found:
            found[int(thread[1])][thread[2]] += int(thread[3])
    return found


def falsify(times, factor):
    """The state that these threads had longest"""
    longest, _ = sum(times.values(), collections.Counter()).most_common(1)[0]
    for states in times.values():
        states[longest] *= factor


def main():
    known, ended, off = lives(sys.argv[1]), ends(sys.argv[3]), 0
    times = sums(sys.argv[2], sorted(set(known) & set(ended)))
    times = {tid: states for tid, states in times.items() if states}
    if len(sys.argv) > 4:
        falsify(times, float(sys.argv[4]))
    for tid, states in times.items():
        (born, died), end, spent = known[tid], ended[tid], int(sum(states.values()))
        waited = sum(states[state] for state in WAITS)
        print(tid, end - born, spent, end - died)
        off += abs(spent - (end - born)) > (end - born) / 1000 + 100_000
        off += not 0 <= end - died <= 20_000_000 + min(waited, 150_000_000)
    sys.exit(1 if off or len(times) < 2 else 0)


main()
