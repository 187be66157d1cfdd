#!/usr/bin/env python3
"""Holds `pyrograph collapse` against `perf script` on any perf.data files: those that others have published, or yours.

    holdout.py [--depth] [--pyrograph PROGRAM] DIRECTORY_OR_FILE...

Compares how many samples each event has of each comm; with --depth, of each number of frames too.  Prints a table:

    same          1234       1234  perf.data
    DIFFERENT     1234       1230  other.data: cycles, sh: perf 7, ours 3
    not read                   29  third.data: perf: incompatible file format

where the numbers are perf's samples and ours.  "not read": perf does not read the file, so that there is nothing
to compare; where perf reads it and we do not, that is different.  Files that are not recordings are passed over.
Exit status: 0 when nothing differs, 1 when something does, 2 when nothing could be compared.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

MAGICS = (b"PERFILE2", b"PERFFILE", b"2ELIFREP")
PIPE_HEADER = b"\x10" + bytes(7)
HEAD = re.compile(r"^\s*(.*?)\s+(-?\d+) +(.*?):\s*$")  # "comm 1234 event:", and nothing behind it
HEAD_ALONE = re.compile(r"^\s*(.*?) +(\S*?):\s*$")     # of events without a tid
FRAME = re.compile(r"^\s+[0-9a-f]+\s*$")
LEFT = 5                                               # differences that are told of a file


class Unread(Exception):
    """A reader does not read a file; with its reason."""


def recordings(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
        for directory, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                name = os.path.join(directory, name)
                if os.path.isfile(name) and open(name, "rb").read(8) in MAGICS:
                    yield name


def run(command, path, piped):
    with open(path, "rb") as recording:
        done = subprocess.run(command, stdin=recording if piped else subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=300)
    said = done.stderr.decode(errors="surrogateescape").strip().split("\n")
    return done.returncode, done.stdout.decode(errors="surrogateescape"), said


def last_word(said):
    return next((line.strip() for line in reversed(said) if line.strip()), "no reason given")


def perf_counts(path, depth):
    """{(event, comm, frames): samples}; frames is 0 unless depth."""
    piped = open(path, "rb").read(16)[8:] == PIPE_HEADER
    for fields in ("comm,tid,event", "comm,event"):
        wanted = fields + ",ip" if depth else fields
        # --no-itrace: only recorded samples, without those that perf decodes from a tracer's data
        status, out, said = run(["perf", "script", "-i", "-" if piped else path, "--no-inline", "--no-itrace", "-F",
                                  wanted], path, piped)
        if not status:
            break
    if status:
        raise Unread("perf: " + last_word(said))
    counts, head, frames = collections.Counter(), HEAD if "tid" in fields else HEAD_ALONE, 0
    key = None

    def flush():
        if key:
            counts[key + (frames,)] += 1

    for line in out.split("\n"):
        if FRAME.match(line) and key:
            frames += 1
            continue
        alone = re.match(r"^(.*: )\s+[0-9a-f]+\s*$", line) if depth else None  # no chain: the address is on the line
        match = head.match(alone.group(1) if alone else line)
        if not match:
            continue
        flush()
        key, frames = (match.group(match.lastindex), match.group(1)), 1 if alone else 0
    flush()
    return counts


def our_counts(program, path, depth):
    command = [program, "collapse", "-q", "--event", "all", "--root", "event,comm"]
    status, out, said = run(command + (["--no-inline", "--files=never"] if depth else ["--no-stack"]) + ["--", path], path, False)
    if status:
        raise Unread("we: " + last_word(said))
    counts = collections.Counter()
    for line in out.split("\n"):
        if not line or line.startswith("# "):
            continue
        stack, count = line.rsplit(" ", 1)
        event, comm, *frames = stack.split(";")
        counts[(event, comm, len([f for f in frames if f != "[truncated]"]))] += int(count)
    return counts


def as_ours(counts):
    """Names as folded lines have them: without ';'."""
    plain = collections.Counter()
    for (event, comm, frames), count in counts.items():
        plain[(event.replace(";", ":"), comm.replace(";", ":"), frames)] += count
    return plain


def as_recorded(theirs, ours):
    """Of events for which the file has no name perf says how they were asked for, "cycles:ppH"; we do not."""
    known, plain = {key[0] for key in ours}, collections.Counter()
    for (event, comm, frames), count in theirs.items():
        bare = re.sub(r":[ukhpPHGISDW]+$", "", event)
        plain[(event if event in known or bare not in known else bare, comm, frames)] += count
    return plain


def differences(theirs, ours):
    said = []
    for key in sorted(set(theirs) | set(ours), key=lambda k: -abs(theirs[k] - ours[k])):
        if theirs[key] != ours[key]:
            said.append("%s, %s%s: perf %d, ours %d" % (key[0], key[1], ", %d frames" % key[2] if key[2] else "",
                                                       theirs[key], ours[key]))
    more = len(said) - LEFT
    return said[:LEFT] + (["and %d more" % more] if more > 0 else [])


def compare(program, path, depth):
    """The row of a file: verdict, perf's samples, ours, what there is to say."""
    theirs = ours = None
    said = []
    try:
        theirs = as_ours(perf_counts(path, depth))
    except (Unread, subprocess.TimeoutExpired) as reason:
        said.append(str(reason))
    try:
        ours = our_counts(program, path, depth)
    except (Unread, subprocess.TimeoutExpired) as reason:
        said.append(str(reason))
    if theirs is not None and not theirs and ours is None:
        return "same", 0, 0, said                      # "has no samples" is an error of ours
    if theirs is not None and ours is not None:
        said = differences(as_recorded(theirs, ours), ours)
    verdict = "not read" if theirs is None else "DIFFERENT" if said else "same"
    return verdict, theirs and sum(theirs.values()), ours and sum(ours.values()), said


def number(n):
    return "" if n is None else n


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", action="store_true", help="compare the numbers of frames, too")
    parser.add_argument("--pyrograph", default="pyrograph", help="the program [pyrograph]")
    parser.add_argument("paths", nargs="+", metavar="DIRECTORY_OR_FILE")
    options = parser.parse_args()
    verdicts = collections.Counter()

    for path in recordings(options.paths):
        verdict, theirs, ours, said = compare(options.pyrograph, path, options.depth)
        verdicts[verdict] += 1
        print("%-9s %10s %10s  %s" % (verdict, number(theirs), number(ours), ": ".join([path] + ["; ".join(said)] * bool(said))),
              flush=True)
    print("%d files: %d same, %d different, %d not read by perf" %
          (sum(verdicts.values()), verdicts["same"], verdicts["DIFFERENT"], verdicts["not read"]))
    if not verdicts["same"] and not verdicts["DIFFERENT"]:
        return 2
    return 1 if verdicts["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
