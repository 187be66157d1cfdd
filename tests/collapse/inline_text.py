#!/usr/bin/env python3
"""Text of perf script for a program, and our lines as addr2line has them, for script_inline.test.sh.

    inline_text.py text FILE BASE SHIFT [LEAF] <NM
        NM: nm -S --defined-only; a sample at each address of the own functions, as if it were mapped at BASE, its
        command the address; SHIFT is added to the address that is seen, LEAF is a line before it
    inline_text.py many FILE BASE COUNT <NM
        so for COUNT places, 8192 bytes apart, and threads t1, t2, ..., a frame of a file that is not here after each
    inline_text.py chains <FOLDED
        as addr2line -a -i -f -s prints them
"""
import re
import sys


def functions():
    for line in sys.stdin:
        field = line.rstrip("\n").split(" ", 3)
        if len(field) == 4 and field[2] in "tTwW" and not field[3].startswith("_start"):
            yield int(field[0], 16), int(field[1], 16), field[3]


def samples(found, file, base, shift, leaf, comm=None):
    seen = set()
    for start, size, name in found:
        for at in range(size):
            if start + at not in seen:
                seen.add(start + at)
                print(comm or "0x%x" % (start + at), "7 1.0: 1 cycles:")
                if leaf:
                    print(leaf)
                print("\t%16x %s+0x%x (%s)\n" % (base + start + at + shift, name, at + shift, file))


def text(file, base, shift, leaf=""):
    samples(functions(), file, int(base), int(shift), leaf)


def many(file, base, count):
    found, base = list(functions()), int(base)
    for i in range(1, int(count) + 1):
        samples(found, file, base + i * 8192, 0, "", "t%d" % i)
        print("t 7 1.0: 1 cycles:\n\t    %x outer+0x%x (/nowhere/%d)\n" % (base + i, i, i % 5))


def chains():
    for line in sys.stdin:
        if line[0] == "#":
            continue
        frames = line.rsplit(" ", 1)[0].split(";")
        print(frames[0])
        for frame in reversed([f for f in frames[1:] if f != "[unknown]"]):
            name, place = re.match(r"(.*?)((?::(?:[^:]*\.(?:c|cc|h|tcc)|bit):?[0-9?]*)?)(?:_\[i\])?$", frame).groups()
            if place.count(":") == 1:
                place += ":0"
            print(name + "\n" + (place[1:] or "??:0"))


{"text": text, "many": many, "chains": chains}[sys.argv[1]](*sys.argv[2:])
