#!/usr/bin/env python3
"""Print the samples of our own events in a recording (core/format/recording.h), a line each:

    EVENT PID TID CPU NS COUNT LONGEST BEGIN TIME FLAGS STATE BY WAKERS KERNEL USER

STATE and BY are numbers, or -; WAKERS tids joined by commas, or -; KERNEL and USER how
many frames the thread's own stack has.  times are ns of CLOCK_MONOTONIC."""
import struct
import sys

KERNEL, USER = 2**64 - 128, 2**64 - 512


def read(path):
    data = open(path, "rb").read()
    _, _, attr_size, attrs, attrs_size, start, size = struct.unpack_from("<8sQQQQQQ", data)
    names = event_names(data, start + size)
    events = {}
    for n, at in enumerate(range(attrs, attrs + attrs_size, attr_size)):
        config, = struct.unpack_from("<Q", data, at + 8)
        sample_type, = struct.unpack_from("<Q", data, at + 24)
        ids, ids_size = struct.unpack_from("<QQ", data, at + attr_size - 16)
        for i in range(ids, ids + ids_size, 8):
            events[struct.unpack_from("<Q", data, i)[0]] = (names[n], config == 10 and sample_type & 0x400)
    return data, start, start + size, events


def event_names(data, table):
    """From the feature section 12, HEADER_EVENT_DESC."""
    bits = struct.unpack_from("<4Q", data, 72)
    wanted = [b for b in range(256) if bits[b // 64] >> b % 64 & 1].index(12)
    at, _ = struct.unpack_from("<QQ", data, table + 16 * wanted)
    count, attr_size = struct.unpack_from("<II", data, at)
    at += 8
    names = []
    for _ in range(count):
        at += attr_size
        ids, length = struct.unpack_from("<II", data, at)
        names.append(data[at + 8:at + 8 + length].split(b"\0")[0].decode())
        at += 8 + length + 8 * ids
    return names


def sample(data, at, events):
    ident, ip, pid, tid, time, cpu, _, period, count = struct.unpack_from("<QQIIQIIQQ", data, at)
    name, ours = events[ident]
    if not ours:
        return
    chain = struct.unpack_from("<%dQ" % count, data, at + 56)
    _, flags, spans, longest, begin = struct.unpack_from("<IIQQQ", data, at + 56 + 8 * count)
    labels = {1: "-", 2: "-"}
    wakers, frames, part = [], {KERNEL: 0, USER: 0}, USER
    for entry in chain:
        if entry >> 56 == 0x4c:
            kind, value = entry >> 48 & 0xff, entry & 0xffffffffffff
            if kind == 3:
                wakers.append(str(value & 0xffffff))
            else:
                labels[kind] = value
        elif entry in (KERNEL, USER):
            part = entry
        elif not wakers:
            frames[part] += 1
    print(name, pid, tid, cpu if cpu < 2**31 else -1, period, spans, longest, begin, time, flags,
          labels[1], labels[2], ",".join(wakers) or "-", frames[KERNEL], frames[USER])


def main():
    data, at, end, events = read(sys.argv[1])
    while at + 8 <= end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == 9:
            sample(data, at + 8, events)
        at += size


main()
