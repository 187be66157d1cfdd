#!/usr/bin/env python3
"""Compares the states of threads in two recordings of the same time.

    same_states.py A B TID...   (TAP lines; A, B: folded, roots tid,state,by)

Of each thread each state may differ by 2 % of its life, and who had the CPU meanwhile too.
"""
import sys
from collections import defaultdict


def read(path):
    states = defaultdict(lambda: defaultdict(float))
    for line in open(path, errors="replace"):
        if line.startswith("#"):
            continue
        stack, value = line.rsplit(" ", 1)
        thread, state, *by = stack.split(";")
        tid, ms = int(thread.rsplit("/", 1)[1]), int(value) / 1e6
        states[tid][state] += ms
        if by:  # "sh-8513/sh": the thread's name may have changed, but not its process
            states[tid]["waits for " + by[0].split("/")[0].rsplit("-", 1)[-1]] += ms
    return states


def main():
    a, b = read(sys.argv[1]), read(sys.argv[2])
    for tid in map(int, sys.argv[3:]):
        life = max(sum(ms for state, ms in x[tid].items() if not state.startswith("waits for ")) for x in (a, b))
        others = "waits for [others]"  # there were more threads than a collector tells apart
        untold = a[tid].pop(others, 0) + b[tid].pop(others, 0)
        keys = [k for k in {*a[tid], *b[tid]}
                if abs(a[tid][k] - b[tid][k]) > 0.02 * life + ("waits" in k and untold)]
        print("%s - thread %d: the same states, for the same threads" % ("not ok" if keys or life < 100 else "ok", tid))
        for key in sorted(keys):
            print("#   %s: %.3f ms, %.3f ms, of %.3f" % (key, a[tid][key], b[tid][key], life))


if __name__ == "__main__":
    main()
