#!/usr/bin/env python3
"""Damages ELF files in every part that is read, and looks whether names are still asked for
without a crash; prints TAP.

    damaged.py NAMES RUNS FILE OFFSETS [BESIDE]

NAMES FILE - 0 0 <OFFSETS is run on RUNS copies of FILE, in the directory where FILE is, each
damaged in another way, which only depends on its number; with BESIDE that file, which FILE leads
to, is damaged instead, and what it was is put back at the end."""
import os
import random
import struct
import subprocess
import sys

NUMBERS = [0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1,
           1 << 63, (1 << 64) - 1, (1 << 64) - 4096]


def parts(data):
    """What is there to be damaged: [(name, start, size)]."""
    shoff, = struct.unpack_from("<Q", data, 40)
    phoff, = struct.unpack_from("<Q", data, 32)
    phnum, shnum, shstrndx = (struct.unpack_from("<H", data, at)[0] for at in (56, 60, 62))
    found = [("header", 0, 64), ("program headers", phoff, 56 * phnum), ("sections", shoff, 64 * shnum)]
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(shnum)]
    names = headers[shstrndx][4]
    for name, kind, _, _, offset, size, *_ in headers:
        text = data[names + name:data.index(b"\0", names + name)].decode()
        if kind not in (0, 8) and size and (kind in (2, 3, 4, 6, 7, 11) or text.startswith(
                (".plt", ".gnu_debug", ".eh_frame", ".got"))):
            found.append((text, offset, size))
    return found


def damage(data, number):
    rng = random.Random(number)
    data = bytearray(data)
    places = parts(data)
    how = number % 8
    if how == 0:  # the end is missing
        del data[rng.choice([0, 3, 16, 63, 64, rng.randrange(len(data)), len(data) - 1]):]
        return data
    for _ in range(1 if how < 5 else rng.randrange(2, 30)):
        name, start, size = places[number // 8 % len(places)] if how < 7 else rng.choice(places)
        at = start + rng.randrange(size)
        if how % 2:
            data[at] ^= 1 << rng.randrange(8)
        else:
            width = rng.choice([1, 2, 4, 8])
            at = start + (at - start) // width * width
            number_at = rng.choice(NUMBERS + [len(data), len(data) - 1, rng.getrandbits(64)])
            data[at:at + width] = (number_at & (1 << 8 * width) - 1).to_bytes(width, "little")
    return data


def main():
    names, runs, path, offsets = sys.argv[1], int(sys.argv[2]), sys.argv[3], open(sys.argv[4]).read()
    beside = sys.argv[5] if len(sys.argv) > 5 else None
    whole = open(beside or path, "rb").read()
    copy = beside or os.path.join(os.path.dirname(path), "damaged")
    wanted, named, failed = len(offsets.split()), 0, 0
    for number in range(runs):
        with open(copy, "wb") as out:
            out.write(damage(whole, number))
        done = subprocess.run([names, path if beside else copy, "-", "0", "0"], input=offsets, text=True,
                              errors="surrogateescape", capture_output=True, timeout=60)
        lines = [line.split(" ") for line in done.stdout.splitlines()]
        named += sum(1 for line in lines if len(line) > 1 and line[1] != "-")
        if done.returncode or len(lines) < wanted:
            failed += 1
            print("not ok - %s: damage number %d ended with %d" % (path, number, done.returncode))
            print("\n".join("#   " + line for line in done.stderr.splitlines()[:12]))
            if failed > 4:
                break
    if beside:
        with open(beside, "wb") as out:
            out.write(whole)
    if not failed:
        print("ok - %s%s damaged in %d ways: %d names of %d" % (
            os.path.basename(path), " by what it leads to" if beside else "", runs, named, wanted * runs))


main()
