#!/usr/bin/env python3
"""Compares the states of threads with what `perf sched timehist` says of them.

    timehist.py TIMEHIST FOLDED TID...   (TAP lines; FOLDED has root tid,state)
"""
import re
import sys
from collections import defaultdict

# 12587.984070 [0001]  taskset[9312/9300]   1.206   0.000   0.059
LINE = re.compile(r"\s*([\d.]+) \[\d+\]\s+(.*)\[(-?\d+)(?:/-?\d+)?\]\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*$")


def read_timehist(path):
    """ms off the CPU, woken and running by thread."""
    sums, last_ms = defaultdict(lambda: [0.0, 0.0, 0.0]), {}
    for line in open(path, errors="replace"):
        m = LINE.match(line)
        if m:
            tid = int(m[3])
            ms, wait, woken, run = 1000 * float(m[1]), float(m[4]), float(m[5]), float(m[6])
            if m[2] == f":{tid}" and not wait and tid in last_ms:  # perf 6.12 forgets a thread before its last switch
                wait = max(0, ms - run - last_ms[tid])
            off = max(wait, woken)  # a new thread's first wait is only in woken
            if woken == wait:       # perf 6.12: of a preempted thread, too
                woken = 0
            for i, value in enumerate((off, woken, run)):
                sums[tid][i] += value
            last_ms[tid] = ms
    return sums


def read_folded(path):
    states = defaultdict(lambda: defaultdict(float))
    for line in open(path, errors="replace"):
        if not line.startswith("#"):
            stack, value = line.rsplit(" ", 1)
            thread, state = stack.split(";")[:2]
            states[int(thread.rsplit("/", 1)[1])][state] += int(value) / 1e6
    return states


def main():
    perf, ours = read_timehist(sys.argv[1]), read_folded(sys.argv[2])
    for tid in map(int, sys.argv[3:]):
        mine = ours[tid]
        # perf attributes the time between two switches to the thread that leaves at the second one.
        lost = mine["unknown-state"]
        whole = sum(mine.values())
        for name, got, wanted in (("running", mine["running"], perf[tid][2]), ("woken", mine["woken"], perf[tid][1]),
                                  ("off the CPU", whole - lost - mine["running"], perf[tid][0])):
            # If a virtual machine's kernel hides switches, that costs a few ms of a second.
            near = abs(got - wanted) <= 0.02 * max(got, wanted) + lost + max(1, 0.005 * whole)
            print("%s - thread %d %s as in perf sched timehist" % ("ok" if near else "not ok", tid, name))
            if not near:
                print("#   %.3f ms, perf says %.3f ms; not known: %.3f ms of %.3f" % (got, wanted, lost, whole))
        print("%s - what thread %d did is known" % ("ok" if lost < 0.1 * whole else "not ok", tid))


if __name__ == "__main__":
    main()
