#!/usr/bin/env python3
"""names.py: the names of threads in a recording.

  list RECORDING              its section: PID TID NAME
  compare RECORDING DUMP PID  beside a thread dump that the JVM PID, which still lives, has printed: says what
                              differs, and at the end of how many threads the names are the same
"""
import os
import re
import struct
import sys

RECORDING_THREADS = 241


def section(path, wanted):
    data = open(path, "rb").read()
    start, size = struct.unpack_from("<QQ", data, 40)
    features = int.from_bytes(data[72:104], "little")
    at = start + size
    for bit in range(256):
        if features >> bit & 1:
            offset, length = struct.unpack_from("<QQ", data, at)
            at += 16
            if bit == wanted:
                return data[offset:offset + length]
    return b""


def names_of(path, pid=None):
    lines = section(path, RECORDING_THREADS).decode().split("\n")
    fields = [line.split(" ", 2) for line in lines if line]
    return {int(tid): name for p, tid, name in fields if pid in (None, int(p))}


def as_ours(text):
    """From modified UTF-8, in which a character of two halves is two, to UTF-8; what has only one half is U+FFFD."""
    text = text.replace(b"\xc0\x80", b"?").decode("utf-8", "surrogatepass")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def names_of_dump(path):
    """"a name" #12 daemon prio=5 ... nid=0x21a3 ...: of a Java thread; of one of the JVM's own: no #."""
    line = re.compile(rb'^"(.*)" (#\d+ |)(?:\[\d+\] )?[a-z].*? nid=(0x[0-9a-f]+|\d+) ', re.M)
    dump = open(path, "rb").read()
    dump = dump[dump.rindex(b"Full thread dump"):]
    return {int(nid, 0): (as_ours(name), bool(number)) for name, number, nid in line.findall(dump)}


def compare(recording, dump, pid):
    ours, theirs = names_of(recording, int(pid)), names_of_dump(dump)
    living = {int(tid) for tid in os.listdir(f"/proc/{pid}/task")}
    same = own = 0
    for tid, (name, is_java) in sorted(theirs.items()):
        if tid not in living:
            continue
        if ours.get(tid) == name:
            same += is_java
            own += not is_java
        elif is_java or tid in ours:
            print(f"{tid}: {ours.get(tid)!a}, the dump has {name!a}")
    print(f"same: {same} of Java, {own} of the JVM's own")


if sys.argv[1] == "list":
    sys.stdout.buffer.write(section(sys.argv[2], RECORDING_THREADS))
else:
    compare(*sys.argv[2:])
