#!/usr/bin/env python3
"""Has `pyrograph collapse` merge random folded lines, judges the result, and prints TAP lines.

    merged_lines.py RUNS

What is right is worked out here, from core/format/folded.h, frame by frame.  Some inputs come in several parts, some are
sorted, some have the same lines again and again, some have frames that must be changed.  The seed is fixed.
"""
import functools
import random
import sys

sys.path.insert(0, "tests")
from tap import Stage  # noqa: E402

PLAIN = ["main", "read_[k]", "std::vector<int, std::allocator<int> >::push_back", "java.lang.Thread.run", "a", "b!", "b:",
         "0123456789abcdef", "0123456789abcde", "x" * 40, "worker-12", "b 7 c", "~", "é", "日本語"]
CHANGED = ["", " a", "a ", "worker 7", "worker 7.5", "# x", "#", "@1.5 x y", "@", "a\tb", "\x7f", "\x01", "a\u202eb", "7", "."]
FORBIDDEN = [0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)]


@functools.lru_cache(maxsize=None)
def fit(frame):
    """The frame as collapse writes it."""
    if not frame:
        return "[no name]"
    frame = "".join("?" if ord(c) < 32 or 0x7f <= ord(c) <= 0x9f or ord(c) in FORBIDDEN else c for c in frame)
    if frame.startswith(" "):
        frame = "_" + frame[1:]
    if frame.endswith(" "):
        frame = frame[:-1] + "_"
    digits = len(frame.rstrip("0123456789."))
    if 0 < digits < len(frame) and frame[digits - 1] == " ":
        frame = frame[:digits - 1] + "_" + frame[digits:]
    if frame.startswith("# "):
        frame = "#_" + frame[2:]
    return frame.replace(" ", "_") if frame.startswith("@") else frame


EIGHTHS = ["", ".125", ".25", ".375", ".5", ".625", ".75", ".875"]


def written(values):
    """Values are in eighths, which have an end as decimals."""
    return "".join(f" {value >> 3}{EIGHTHS[value & 7]}" for value in values)


def merged(lines):
    same_list, sums = {}, {}  # lines share the lists of their frames
    for frames, values in lines:
        old = same_list.get(id(frames))
        same_list[id(frames)] = (frames, [a + b for a, b in zip(old[1], values)] if old else values)
    for frames, values in same_list.values():
        while len(frames) > 1 and not frames[-1]:  # an empty last frame is none
            frames = frames[:-1]
        key = tuple(fit(frame).encode() for frame in frames)
        old = sums.get(key)
        sums[key] = [a + b for a, b in zip(old, values)] if old else values
    return b"".join(b";".join(key) + written(sums[key]).encode() + b"\n" for key in sorted(sums))


def draw(rng):
    names = PLAIN if rng.random() < 0.5 else PLAIN + CHANGED
    stacks = [[rng.choice(names) for _ in range(rng.choice((1, 2, 5, 12)))] for _ in range(rng.choice((3, 200, 9000)))]
    width, fractions = rng.choice((1, 1, 2)), rng.random() < 0.3
    lines = []
    for _ in range(rng.choice((1, 30, 9000, 30000))):
        frames = rng.choice(stacks)
        if frames[-1].endswith("\t") or " " in frames[-1] or frames[0].startswith(("#", "@")) or not "".join(frames).strip():
            frames = ["main", *frames, "end"]
        if len(frames) == 1 and not frames[0]:
            continue
        values = [8 * rng.randrange(10 ** 6) // (rng.choice((1, 8)) if fractions else 1) for _ in range(width)]
        lines.append((frames, values))
    lines = lines or [(["main"], [8] * width)]
    if rng.random() < 0.3:
        lines.sort(key=lambda line: [frame.encode() for frame in line[0]])
    if rng.random() < 0.2:
        lines += lines[:len(lines) // 2]
    return lines


def draw_many(rng):
    """So many distinct lines that they are sorted in several runs, and fill several blocks of memory; some are long."""
    heads = [["java", f"worker-{n}", *(rng.choice(PLAIN) for _ in range(n % 20))] for n in range(300)]
    lines = [([*rng.choice(heads), f"end{rng.randrange(25000)}"], [8 * n]) for n in range(40000)]
    for n in (70, 20000, 39000):
        lines[n][0].insert(1, "y" * rng.choice((1 << 20, 1500000)))
    return lines


def main():
    runs, stage = int(sys.argv[1]), Stage("collapse")
    rng = random.Random(17)
    for run in range(runs + 1):
        lines = draw(rng) if run < runs else draw_many(rng)
        wanted = merged(lines)
        text = "".join(";".join(frames) + written(values) + "\n" for frames, values in lines).encode()
        for jobs in ("1", "3"):
            got = stage.run("-q", "--format", "folded", "--jobs", jobs, stdin=text)
            what = f"random lines {run} ({len(text)} bytes), {jobs} threads"
            if got.status == 0 and got.out == wanted and not got.err:
                print(f"ok - {what}")
                continue
            print(f"not ok - {what}")
            pairs = zip(got.out.splitlines(), wanted.splitlines())
            print("#   first difference:", next(((a, b) for a, b in pairs if a != b), (got.status, got.err[-500:])))


main()
