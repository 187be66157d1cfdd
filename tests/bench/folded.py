#!/usr/bin/env python3
"""folded.py: "make bench": many distinct folded lines to merged ones, and to a flame graph.

The lines are those of a recording, which is made once, with the thread of a pool before them and one to four more frames
behind them: 613,000 distinct stacks over 4,700 names, sorted, and in another order.
"""
import os
import random
import subprocess

import run

STACKS, NAMES, THREADS, LINE_MAX = 613000, 4650, 48, 232


def draw(lines, rng):
    """Distinct stacks, sorted."""
    names, kept, stacks = set(), [], set()
    rng.shuffle(lines)
    for line in lines:
        frames = line.split(";")
        if len(names.union(frames)) <= NAMES:
            names.update(frames)
            kept.append(line)
    names = sorted(names)
    while len(stacks) < STACKS:
        more = ";".join(rng.choice(names) for _ in range(rng.randint(1, 4)))
        stacks.add(f"java-8513/worker-{rng.randrange(THREADS)};{rng.choice(kept)};{more}")
    return sorted(stacks)


def make():
    """BUILD/bench/distinct.folded, if it is not there."""
    path = os.path.join(run.DIR, "distinct.folded")
    if os.path.exists(path):
        return path
    folded = subprocess.run([run.PYROGRAPH, "collapse", "-q", run.recording("mixed.data", 999)], stdout=subprocess.PIPE, check=True)
    lines = [line.rpartition(" ")[0] for line in folded.stdout.decode(errors="replace").splitlines() if line[:1] != "#"]
    rng = random.Random(17)
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        for stack in draw([line for line in lines if len(line) <= LINE_MAX], rng):
            file.write(f"{stack} {1 + int(rng.expovariate(0.5))}\n")
    os.rename(path + ".tmp", path)
    return path


def main():
    path = make()
    for what, each in (("sorted", path), ("not sorted", run.shuffled(path))):
        size = os.path.getsize(each) / 1e6
        collapse = f"{run.PYROGRAPH} collapse -q {each}"
        run.compare(f"{STACKS} distinct stacks, {what} ({size:.1f} MB), to merged lines", [
            ("pyrograph collapse --jobs 1", f"{collapse} --jobs 1"),
            ("pyrograph collapse --jobs 2", f"{collapse} --jobs 2"),
            ("sort", f"sort {each}"),
        ])
        run.compare("... to a flame graph", [
            ("pyrograph render flame", f"{run.PYROGRAPH} render flame -q {each}"),
            ("inferno-flamegraph", run.argument(run.INFERNO_FLAMEGRAPH, f"-q {each}")),
        ])
    return run.tell_failures()


if __name__ == "__main__":
    raise SystemExit(main())
