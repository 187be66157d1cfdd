#!/usr/bin/env python3
"""Texts of other tools, each recognised and folded: tests/collapse/formats/cases, and what is the same for all samples.

    formats.py DIRECTORY    prints TAP lines; BLESS=1 writes the expected files
"""
import os
import re
import sys

sys.path.insert(0, "tests")
from tap import Stage, same, same_file  # noqa: E402

DIR = "tests/collapse/formats/"
ODD_LINES = (b"WARNING: 3 chunks were lost.\n\n$ ./run.sh -p 1\n"
             b"Failed to open /tmp/perf-1.map, continuing without symbols\n")
# What the header says of these lines. A header may say nothing else.
SKIPPED = re.compile(rb'^# pyrograph: losses="skipped lines 4"\n|skipped lines 4, |, skipped lines 4(?=")| losses="skipped lines 4"', re.M)
STAGE = Stage("collapse")


def fold(*args):
    """The lines, then the messages."""
    ran = STAGE.run(*args)
    said = ran.err.split(b"\n")
    rest = said.pop()
    return ran.out + b"".join(b"# said: " + row + b"\n" for row in said) + (b"# said: " + rest if rest else b"")


def written(content):
    """The path of a file with these bytes."""
    path = sys.argv[1] + "/sample"
    with open(path, "wb") as file:
        file.write(content)
    return path


def without_messages(text):
    return b"".join(row for row in text.splitlines(True) if not row.startswith(b"# said"))


def lines(content):
    return STAGE.run("-q", "--all", written(content)).out


for row in open(DIR + "cases", encoding="utf-8"):
    words = row.split()
    if not words or words[0] == "#":
        continue
    sample, name, *options = words
    same_file(f"{sample} {name}: {' '.join(options)}", fold(*options, f"{DIR}{sample}.txt"), f"{DIR}{sample}.{name}.folded")

# Exactly one format is sure of each sample, and --format NAME gives the same result.  So do carriage returns, and a
# missing last newline.
for name in sorted(os.listdir(DIR)):
    if not name.endswith(".txt"):
        continue
    kind = name.split(".")[0]
    content = open(DIR + name, "rb").read()
    wanted = fold("--all", DIR + name)
    same(f"{name}: --format {kind}", fold("--all", "--format", kind, DIR + name), wanted)
    wanted = without_messages(wanted)
    same("... with carriage returns", lines(content.replace(b"\n", b"\r\n")), wanted)
    same("... with a byte-order mark", lines(b"\357\273\277" + content), wanted)
    same("... without the last newline", lines(content.rstrip(b"\n")), wanted)
    if kind != "dtrace":  # in dtrace, any line may be the key of an aggregation
        same("... behind lines of others", SKIPPED.sub(b"", lines(ODD_LINES + content)), wanted)
    again = STAGE.run("-q", stdin=STAGE.run("-q", "--all", DIR + name).out).out
    same("... read again", b"".join(sorted(again.splitlines(True))), b"".join(sorted(wanted.splitlines(True))))

# ---- the result is the same for any number of threads, and repeated text gives multiples ----
HEADINGS = re.compile(rb"(CPU |  0  64091 |.*not ended|.*`cut\n$)")  # would end a stack of the previous copy
NUMBER = re.compile(rb"[0-9.]+")


def times(text, copies):
    """Lines whose values, one or two, are those of so many copies."""
    for row in text.splitlines():
        if row.startswith(b"# pyrograph: ") or not row:
            continue
        words = row.split()
        for i in (-1, -2)[:1 + bool(len(words) > 1 and NUMBER.fullmatch(words[-2]))]:
            words[i] = b"%.6g" % (float(words[i]) * copies)
        yield b" ".join(words)


for sample in ("bpftrace bpftrace.lines bcc bcc.wakeuptime bcc.wakeuptime-terminal bcc.offwaketime stackcount dtrace "
               "dtrace.keys systemtap gdb gdb.lines eu-stack eu-stack.inlined faulthandler py-spy austin austin.full procstack "
               "pstack goroutine goroutine.counts phpspy rbspy bpftrace-json strace").split():
    kind = sample.split(".")[0]
    content = open(f"{DIR}{sample}.txt", "rb").read()
    copies = 1500000 // len(content) + 2
    copy = b"".join(row for row in content.splitlines(True) if not HEADINGS.match(row))
    large = written(copy * copies)
    one, several = (STAGE.run("--format", kind, "--all", "--jobs", jobs, large) for jobs in ("1", "3"))
    same(f"{sample}: 3 threads", several.out, one.out)
    same("... and their messages", several.err, one.err)
    wanted = times(STAGE.run("-q", "--format", kind, "--all", written(copy)).out, copies)
    got = times(b"".join(row for row in one.out.splitlines(True) if not row.startswith(b"# ")), 1)
    same(f"... {copies} times the values", b"\n".join(got), b"\n".join(wanted))
