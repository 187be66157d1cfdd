#!/usr/bin/env python3
"""Holds stacks that we unwound against those of `perf script`, sample by sample; prints TAP.

    compare_walks.py WHAT PERF_SCRIPT_TEXT FOLDED MOST_EARLY MOST_OTHER [COMM ...]

perf script must have been run with -F comm,pid,tid,time,event,ip,sym,symoff,dso, --ns and
--no-inline, ours with --event all --root tid --timed.  Every sample falls into one of these:

    same      frame for frame; where one of the two has no name for a frame, any name will do
    cut       the copy of the stack ended there, which we say ([truncated]); perf shows what it
              had not read as a frame without a name, or ends one frame earlier
    further   we have all that perf has, in this order, and more: inside functions of libc that
              were written by hand, and system calls, perf gives up or passes over a caller, and
              it leaves out the first functions (clone3; a stripped _start)
    limit     perf script has no more than 127 frames
    early     perf has all that we have, and goes on: at most MOST_EARLY %
    other     the same depth, with another name here and there (several symbols of one address:
              operator delete[], operator delete), or something else: at most MOST_OTHER %

With COMM only samples of those programs count: of others the file may be replaced between
recording and reading.
"""
import collections
import functools
import os
import re
import sys

import compare

FRAME = re.compile(r"^\t\s*([0-9a-f]+) (.*) \((.*)\)$")
HEAD = re.compile(r"^\s*(.+?)\s+(-?\d+)/(-?\d+)\s+([\d.]+):")
ROOT = re.compile(r"(.*)-(-?\d+)/(-?\d+)$")
NAMELESS = re.compile(r"^\[.*\]$")
PERF_LIMIT = 127


@functools.lru_cache(maxsize=None)
def plain(name):
    return "?" if NAMELESS.match(name) or name.endswith("@plt") else compare.one_name(name.split("@")[0].replace(";", ":"))


@functools.lru_cache(maxsize=None)
def perf_frame(line):
    """The name of a frame; None: the line is not one"""
    frame = FRAME.match(line)
    return plain(re.sub(r"\+0x[0-9a-f]+$", "", frame.group(2))) if frame else None


def perf_samples(path):
    """{tid: [(time, comm, frames leaf first)]}, each in the order of time."""
    samples, frames = collections.defaultdict(list), []
    for line in open(path, errors="surrogateescape"):
        frame = perf_frame(line)
        head = None if frame else HEAD.match(line)
        if head:
            frames = []
            samples[int(head.group(3))].append((float(head.group(4)), head.group(1), frames))
        elif frame:
            frames.append(frame)
    for of_thread in samples.values():
        of_thread.sort(key=lambda sample: sample[0])
    return samples


def once(samples):
    """perf shows a sample of a group once for each of its events."""
    return [s for i, s in enumerate(samples) if not i or s != samples[i - 1]]


def our_samples(path):
    """{tid: [(frames leaf first, cut)]}"""
    samples = collections.defaultdict(list)
    for line in open(path, errors="surrogateescape"):
        if not line.startswith("@"):
            continue
        root, *frames = line.split(" ", 1)[1].rsplit(" ", 1)[0].split(";")
        cut = frames[:1] == ["[truncated]"]
        samples[int(ROOT.match(root).group(3))].append(([plain(f) for f in frames[cut:]][::-1], cut))
    return samples


def alike(a, b):
    return a == b or "?" in (a, b)


def is_within(perf, ours):
    rest = iter(ours)
    return all(any(alike(frame, own) for own in rest) for frame in perf)


def kind_of(perf, ours, cut):
    common = 0
    while common < min(len(perf), len(ours)) and alike(perf[common], ours[common]):
        common += 1
    if cut and len(perf) - common <= 1 and len(ours) - common <= 1 and (perf[common:] in ([], ["?"])):
        return "cut"
    if common == len(perf) == len(ours):
        return "same"
    if common == PERF_LIMIT == len(perf):
        return "limit"
    if is_within(perf, ours):
        return "further"
    return "early" if common == len(ours) else "other"


def judge():
    plain.cache_clear()  # there may be aliases now
    perf_frame.cache_clear()
    what, perf_path, our_path, most_early, most_other = sys.argv[1:6]
    comms = sys.argv[6:]
    perf, ours = perf_samples(perf_path), our_samples(our_path)
    kinds, examples = collections.Counter(), collections.defaultdict(collections.Counter)
    missing = 0
    for tid, samples in perf.items():
        if len(samples) != len(ours[tid]):
            samples = once(samples)
        missing += len(samples) != len(ours[tid]) and (not comms or samples[0][1] in comms)
        for (_, name, theirs), (stack, cut) in zip(samples, ours[tid]):
            if comms and name not in comms:
                continue
            kind = kind_of(theirs, stack, cut)
            kinds[kind] += 1
            examples[kind][";".join(theirs[::-1]) + "\n#     ours: " + ("[truncated];" if cut else "") +
                           ";".join(stack[::-1])] += 1
    total = sum(kinds.values())
    figures = ", ".join("%s %d" % (kind, count) for kind, count in sorted(kinds.items()))
    bad = [kind for kind, most in (("early", most_early), ("other", most_other))
           if kinds[kind] * 100 > float(most) * total]
    if not kinds["same"] + kinds["cut"] + kinds["limit"]:
        bad.append("further")
    if compare.ALIASES is None and kinds["other"]:  # may be "early" by another name
        bad.append("other")
    if missing or not total or bad:
        return "\n".join(["not ok - %s: %s\n#   of %d threads the number of samples differs" % (what, figures, missing)] +
                         ["#   %s: %d\n#     perf: %s" % (kind, count, example) for kind in bad
                          for example, count in examples[kind].most_common(3)])
    return "ok - %s: %s" % (what, figures)


if __name__ == "__main__":
    if os.path.exists(os.environ.get("perf_left", "")):  # tests/tap.sh
        print("ok - %s # SKIP perf asserts in a chroot (util/namespaces.c)" % sys.argv[1])
    else:
        compare.judged(judge)
