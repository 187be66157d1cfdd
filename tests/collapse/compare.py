#!/usr/bin/env python3
"""Holds our folded text against `perf script` of the same recording; prints TAP.

    compare.py WHAT PERF_SCRIPT_TEXT FOLDED [COMM]

perf script must have been run with -F comm,pid,tid,time,event,ip,sym,symoff,dso
and --no-inline, ours with --event all --no-inline.  Every stack must be there with the same
count.  These differences are ours by intent, and are left out of the comparison:
perf looks a return address up as it stands, so that a call at the very end of a
function is shown as the next one (+0x0); it has no [unknown] for modules; it shows
the versions of symbols (free@@GLIBC_2.2.5); it takes the stubs of a PLT to be in the
order of their relocations, which is not so in libc, and takes other stubs for a part of _init; it has no name
for the _start of a stripped program, and perf 6.12 in some runs none for the functions of the vdso; it shows an address at
which nothing is mapped as often as a frame pointer that points to itself leads there; it names a BPF program only as long as
it is loaded, and other tests load and unload some.
With COMM only stacks of that program are compared: what else runs on a machine may
come, go, and write its JIT map between the two readings.
"""
import collections
import functools
import os
import re
import sys

FRAME = re.compile(r"^\s+([0-9a-f]+) (.*) \((.*)\)$")
HEAD = re.compile(r"^\s*(.+?)\s+(-?\d+)/(-?\d+)\s+[\d.]+:(.*)$")
NAMELESS = re.compile(r"^\[.*\]$|.*\+0x[0-9a-f]+$")  # in a module; or told apart by where it begins


def kernel_aliases():
    """{name: one name for all that the kernel has at this address}, of names that stand for one address only."""
    names, addresses = collections.defaultdict(set), collections.defaultdict(set)
    try:
        for line in open("/proc/kallsyms", errors="surrogateescape"):
            address, _, name = line.split()[:3]
            names[address].add(name)
            addresses[name].add(address)
    except OSError:
        pass
    if len(names) < 2:  # hidden: all are 0
        return {}
    return {name: min(group) for group in names.values() if len(group) > 1
            for name in group if len(addresses[name]) == 1}


# The kernel's assembly has some functions with several names: memcpy, __pi_memcpy.
ALIASES = None  # not read: this takes half a second


def judged(judge):
    """Prints what judge() says.  What is "not ok" is judged again with the aliases, which only make names the same that
    were not."""
    global ALIASES
    said = judge()
    if said.startswith("not ok"):
        ALIASES = kernel_aliases()
        perf_symbol.cache_clear()
        said = judge()
    print(said)


def one_name(name):
    return ALIASES.get(name, name) if ALIASES else name


# Functions that have another name in perf's text, or none.
UNLIKE_PERF = re.compile(r"^(_start|_init|__vdso_\w+|\.plt|.*@plt|bpf_prog_[0-9a-f]{16}_.*)$")


@functools.lru_cache(maxsize=None)
def perf_frame(line):
    """The match of a frame; None: it is not one.  A sample's first line has blanks, where its frames have a tab."""
    return FRAME.match(line) if line.startswith("\t") else None


@functools.lru_cache(maxsize=None)
def perf_symbol(text):
    match = re.match(r"(.*)\+0x([0-9a-f]+)$", text)
    name, offset = match.groups() if match else (text, None)
    if name == "[unknown]":
        return "?", False
    if UNLIKE_PERF.match(name):
        return "?", False
    return one_name(name.split("@")[0].replace(";", ":")), offset == "0"


def perf_stacks(path):
    """{stack: count} and {stack: count} of those with a frame at +0x0."""
    plain, shifted = collections.Counter(), collections.Counter()
    comm, frames, has_shift, nowhere = None, [], False, None

    def flush():
        if comm is not None:
            (shifted if has_shift else plain)[";".join([comm] + frames[::-1])] += 1

    for line in open(path, errors="surrogateescape"):
        line = line.rstrip("\n")
        frame = perf_frame(line)
        head = None if frame else HEAD.match(line)
        if frame and comm is not None:
            address, before = frame.group(1), nowhere
            nowhere = address if frame.group(2).startswith("[unknown]") and frame.group(3) == "[unknown]" else None
            if nowhere and nowhere == before:
                continue
            name, shift = perf_symbol(frame.group(2))
            has_shift |= shift and len(frames) > 0
            frames.append(name)
        elif head:
            flush()
            comm, frames, has_shift, nowhere = head.group(1), [], False, None
            rest = re.search(r":\s+([0-9a-f]+) (\S+.*) \((.*)\)$", head.group(4))
            if rest:  # there is no call chain: the address is on the same line
                frames.append(perf_symbol(rest.group(2))[0])
    flush()
    return plain, shifted


def our_stacks(path):
    stacks = collections.Counter()
    for line in open(path, errors="surrogateescape"):
        if line.startswith("# "):
            continue
        stack, count = line.rstrip("\n").rsplit(" ", 1)
        comm, *frames = stack.split(";")
        frames = ["?" if NAMELESS.match(f) or UNLIKE_PERF.match(f) else one_name(f) for f in frames if f != "[truncated]"]
        stacks[";".join([comm] + frames)] += int(count)
    return stacks


def only(stacks, comm):
    return collections.Counter({s: n for s, n in stacks.items() if s.split(";")[0] == comm})


def judge():
    what, perf_path, our_path = sys.argv[1:4]
    plain, shifted = perf_stacks(perf_path)
    ours = our_stacks(our_path)
    if len(sys.argv) > 4:
        plain, shifted, ours = (only(stacks, sys.argv[4]) for stacks in (plain, shifted, ours))
    total, our_total = sum(plain.values()) + sum(shifted.values()), sum(ours.values())
    missing = plain - ours
    if total == 0 or total != our_total:
        return "not ok - %s\n#   perf has %d samples, we have %d" % (what, total, our_total)
    if not plain or missing:
        return "\n".join(["not ok - %s\n#   %d of %d samples have another stack" % (what, sum(missing.values()), total)] +
                         ["#   only perf: %d %s" % (count, stack) for stack, count in missing.most_common(5)] +
                         ["#   only ours: %d %s" % (count, stack) for stack, count in (ours - plain).most_common(5)])
    return "ok - %s: %d samples, %d stacks" % (what, total, len(ours))


if __name__ == "__main__":
    if os.path.exists(os.environ.get("perf_left", "")):  # tests/tap.sh
        print("ok - %s # SKIP perf asserts in a chroot (util/namespaces.c)" % sys.argv[1])
    else:
        judged(judge)
