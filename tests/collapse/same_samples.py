#!/usr/bin/env python3
"""Holds our lines of a recording against our lines of its text by perf script; prints TAP.

    same_samples.py WHAT PERF_SCRIPT_TEXT FROM_RECORDING FROM_TEXT

Both were made with --timed, the text with --ns, the recording with --merge-unnamed.  Every sample must have the same line
in both, but for blanks in names of threads, which become "_" in those of text, and for frames outside of any file, one
after another, which are one frame of a recording.  Left out are samples that perf script
names otherwise (compare.py): with a return address at the very beginning of a function (+0x0), or in a stub of a PLT,
a nameless _start, and BPF programs, which come and go.
"""
import collections
import re
import sys

import compare

MARK = re.compile(r"_\[.\]$")
NAMED = re.compile(r";(_start|\.plt)\b")  # a name that only we find: perf finds no symbol there
TIME = re.compile(r"\s(\d+\.\d{9}):")


def unlike(path):
    """The times of samples that are left out."""
    times, now, first = set(), None, False
    for line in open(path, errors="surrogateescape"):
        head = TIME.search(line) if not line.startswith("\t") else None
        if head:
            now, first = head.group(1), True
            if "bpf_prog_" in line or "@plt" in line:
                times.add(now)
        elif line.startswith("\t"):
            if ("+0x0 (" in line and not first) or "bpf_prog_" in line or "@plt" in line or " .plt" in line or " _start" in line:
                times.add(now)
            first = False
    return times


def samples(path, blanks):
    """{time: the sorted lines of that time}"""
    found = collections.defaultdict(list)
    for line in open(path, errors="surrogateescape"):
        if line.startswith("#"):
            continue
        time, rest = line.rstrip("\n").split(" ", 1)
        stack, value = rest.rsplit(" ", 1)
        root, *frames = stack.split(";")
        frames = [compare.one_name(f[:-4]) + f[-4:] if MARK.search(f) else compare.one_name(f) for f in frames]
        frames = [f for i, f in enumerate(frames) if f != "[unknown]" or not i or frames[i - 1] != f]
        found[time[1:]].append(";".join([root.replace(" ", "_") if blanks else root] + frames) + " " + value)
    return {time: sorted(lines) for time, lines in found.items()}


def judge():
    what, perf, from_recording, from_text = sys.argv[1:5]
    skipped = unlike(perf)
    ours, text = samples(from_recording, True), samples(from_text, False)
    if set(ours) != set(text):
        return "not ok - %s\n#   %d times in the recording, %d in its text" % (what, len(ours), len(text))
    skipped |= {time for time in ours if any(NAMED.search(line) for line in ours[time])}
    different = [time for time in sorted(ours) if time not in skipped and ours[time] != text[time]]
    compared = len(set(ours) - skipped)
    if different or compared < (len(ours) - 10) / 2:
        return "\n".join(
            ["not ok - %s\n#   %d samples, %d compared, %d of them differ" % (what, len(ours), compared, len(different))] +
            ["#   recording: %s\n#   text:      %s" % (ours[time], text[time]) for time in different[:5]])
    return "ok - %s: %d samples, %d compared" % (what, len(ours), compared)


if __name__ == "__main__":
    compare.judged(judge)
