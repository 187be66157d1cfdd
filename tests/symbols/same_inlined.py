#!/usr/bin/env python3
"""Holds the inlined functions and lines that we find at each address against those of another
program, both in the format of `addr2line -a -i -f`; prints a TAP line.

    same_inlined.py WHAT OURS THEIRS [--all-names] [--except=PERCENT]

Left out: discriminators; "?", which is line 0; the scopes in front of names without linkage
("app::(anonymous namespace)::twice<int>", which the others call "twice<int>"); and without
--all-names the name of the outermost function, which we have from the symbol table ("run.cold").
--except: so many percent of the addresses may differ in names and files, not in number and lines, since
addr2line of binutils 2.40 gives some the function around theirs (llvm-addr2line does not)."""
import collections
import functools
import os
import re
import sys


@functools.lru_cache(maxsize=None)
def last(name):
    """What stands behind the last "::" outside of brackets."""
    depth, start = 0, 0
    for i, c in enumerate(name):
        depth += (c in "<(") - (c in ">)")
        if not depth and name[i:i + 2] == "::":
            start = i + 2
    return name[start:]


@functools.lru_cache(maxsize=None)
def line_of(place):
    path, number = place.rsplit(":", 1)
    return os.path.normpath(path), number.replace("?", "0")


def frames(path):
    found, lines = collections.OrderedDict(), None
    for line in open(path):
        line = line.rstrip("\n")
        if " (discriminator " in line:
            line = re.sub(r" \(discriminator [0-9]+\)$", "", line)
        if line.startswith("0x") and re.match(r"^0x[0-9a-f]+$", line):
            lines = found.setdefault(int(line, 16), [])
        else:
            lines.append(line)
    return found


def chain(lines, all_names):
    result = []
    for name, place in zip(lines[::2], lines[1::2]):
        result.append((last(name), *line_of(place)))
    if result and not all_names:
        result[-1] = ("",) + result[-1][1:]
    return result


def main():
    what, ours, theirs = [a for a in sys.argv[1:] if not a.startswith("--")]
    names = "--all-names" in sys.argv
    mistaken = sum(int(a[9:]) for a in sys.argv if a.startswith("--except=")) / 100
    ours, theirs = frames(ours), frames(theirs)
    pairs = {a: (chain(ours.get(a, []), names), chain(theirs[a], names)) for a in theirs}
    differ = [a for a, (x, y) in pairs.items() if x != y]
    worse = [a for a, (x, y) in pairs.items() if [f[2] for f in x] != [f[2] for f in y]]
    deep = sum(len(lines) > 2 for lines in theirs.values())
    good = deep and not worse and len(differ) <= mistaken * len(theirs)
    print("%s - %s: %d addresses, %d of them in inlined functions, %d differ" %
          ("ok" if good else "not ok", what, len(theirs), deep, len(differ)))
    for address in differ[:0 if good else 5]:
        print("#   %#x ours:   %s" % (address, pairs[address][0]))
        print("#   %#x theirs: %s" % (address, pairs[address][1]))


main()
