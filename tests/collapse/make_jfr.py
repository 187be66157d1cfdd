#!/usr/bin/env python3
"""Writes a small flight recording (collapse/jvm/jfr.c), as async-profiler and the JVM would.

    make_jfr.py FILE [OPTION...]

wide: numbers are big-endian.  twice: two chunks.  unknown-type, endless-type, deep-type, long-array, huge-pool,
huge-string, self-string, no-metadata, bad-event, chained, ticks, short-chunk, huge-chunk: the damage of that name."""
import struct
import sys

wide = False


def number(n, width=8):
    n &= (1 << 64) - 1 if width == 8 else (1 << 8 * width) - 1
    if wide:
        return n.to_bytes(width, "big")
    out = b""
    while n > 0x7F and len(out) < 8:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def string(text, kind=3):
    if text is None:
        return b"\0"
    if kind == 2:  # text is a key
        return b"\2" + number(text)
    if kind == 4:
        units = struct.unpack("<%dH" % (len(text.encode("utf-16-le")) // 2), text.encode("utf-16-le"))
        return b"\4" + number(len(units), 4) + b"".join(number(u, 2) for u in units)
    data = text.encode("utf-8" if kind == 3 else "latin-1")
    return bytes([kind]) + number(len(data), 4) + data


def event(kind, body):
    body = number(kind) + body
    if wide:
        return (len(body) + 4).to_bytes(4, "big") + body
    size = len(body) + 4  # number padded to four bytes, as the JVM writes it for large events
    return bytes([size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21 & 0x7F]) + body


TYPES = [  # (id, name, fields: (name, type, constant pool, array))
    (1, "boolean", []), (2, "byte", []), (3, "int", []), (4, "long", []), (5, "float", []), (6, "double", []),
    (7, "short", []), (8, "char", []), (9, "java.lang.String", []),
    (20, "java.lang.Thread", [("osName", 9), ("osThreadId", 4), ("javaName", 9), ("javaThreadId", 4)]),
    (21, "java.lang.Class", [("classLoader", 27, True), ("name", 22, True), ("modifiers", 3)]),
    (22, "jdk.types.Symbol", [("string", 9)]),
    (23, "jdk.types.Method", [("type", 21, True), ("name", 22, True), ("descriptor", 22, True), ("hidden", 1)]),
    (24, "jdk.types.FrameType", [("description", 9)]),
    (25, "jdk.types.StackFrame", [("method", 23, True), ("lineNumber", 3), ("bytecodeIndex", 3), ("type", 24, True)]),
    (26, "jdk.types.StackTrace", [("truncated", 1), ("frames", 25, False, True)]),
    (27, "jdk.types.ClassLoader", [("type", 21, True), ("name", 22, True)]),
    (28, "jdk.types.ThreadState", [("name", 9)]),
    (29, "example.Place", [("x", 7), ("y", 8), ("f", 5), ("d", 6), ("b", 2), ("s", 9), ("names", 22, True, True)]),
    (101, "jdk.ExecutionSample", [("startTime", 4), ("sampledThread", 20, True), ("stackTrace", 26, True),
                                  ("state", 28, True)]),
    (102, "profiler.WallClockSample", [("startTime", 4), ("sampledThread", 20, True), ("stackTrace", 26, True),
                                       ("state", 28, True), ("samples", 3)]),
    (103, "profiler.Malloc", [("startTime", 4), ("eventThread", 20, True), ("stackTrace", 26, True), ("address", 4),
                              ("size", 4)]),
    (104, "example.Own", [("startTime", 4), ("duration", 4), ("eventThread", 20, True), ("stackTrace", 26, True),
                          ("place", 29), ("places", 29, False, True)]),
    (105, "jdk.JVMInformation", [("startTime", 4), ("jvmName", 9), ("pid", 4)]),
    (106, "jdk.ObjectAllocationSample", [("startTime", 4), ("eventThread", 20, True), ("stackTrace", 26, True),
                                         ("objectClass", 21, True), ("weight", 4)]),
]


def metadata(types):
    table = []

    def ref(text):
        if text not in table:
            table.append(text)
        return number(table.index(text), 4)

    def element(name, attributes, children):
        out = ref(name) + number(len(attributes), 4)
        for key, value in attributes:
            out += ref(key) + ref(value)
        return out + number(len(children), 4) + b"".join(children)

    classes = []
    for kind, name, fields in types:
        children = []
        for field in fields:
            name_, type_, pooled, array = tuple(field) + (False,) * (4 - len(field))
            attributes = [("name", name_), ("class", str(type_))]
            attributes += [("constantPool", "true")] * pooled + [("dimension", "1")] * array
            children.append(element("field", attributes, [element("annotation", [("class", "1")], [])]))
        classes.append(element("class", [("id", str(kind)), ("name", name)], children))
    tree = element("root", [], [element("metadata", [], classes), element("region", [("locale", "en")], [])])
    body = number(1000) + number(0) + number(1)
    return event(0, body + number(len(table), 4) + b"".join(string(t) for t in table) + tree)


def pool(kind, values):
    return number(kind) + number(len(values), 4) + b"".join(number(k) + v for k, v in values.items())


def frame(method, line, kind):
    return number(method) + number(line, 4) + number(-1, 4) + number(kind)


def trace(truncated, frames):
    return bytes([truncated]) + number(len(frames), 4) + b"".join(frames)


def checkpoint(distance, pools):
    return event(1, number(1000) + number(0) + number(distance) + b"\0" + number(len(pools), 4) + b"".join(pools))


def constants():
    symbols = ["", "com/example/App", "handle", "java/lang/Thread", "run", "write", "[Ljava/lang/String;", "[[J",
               "com/example/App$$Lambda$14/0x0000000800c03000", "pthread_\u00e4\U0001f600"]
    symbol = {i: string(s, 4 if "\u00e4" in s else 3) for i, s in enumerate(symbols)}
    classes = {1: 1, 2: 3, 3: 6, 4: 7, 5: 8, 6: 0}
    methods = {1: (1, 2), 2: (2, 4), 3: (6, 5), 4: (5, 4), 5: (6, 9)}
    kinds = ["Interpreted", "JIT compiled", "Inlined", "Native", "C++", "Kernel", "C1 compiled"]
    return [
        pool(22, symbol),
        pool(21, {k: number(0) + number(v) + number(1, 4) for k, v in classes.items()}),
        pool(23, {k: number(t) + number(n) + number(0) + b"\0" for k, (t, n) in methods.items()}),
        pool(24, {k: string(v) for k, v in enumerate(kinds)}),
        pool(26, {1: trace(0, [frame(1, 12, 1), frame(4, 0, 2), frame(2, 840, 0)]),
                  2: trace(1, [frame(3, 0, 5), frame(5, 0, 3), frame(1, 13, 6)]),
                  3: trace(0, [frame(77, 1, 1)]),
                  4: trace(0, [])}),
        pool(9, {1: string("pooled"), 2: string(1, 2), 3: string(3, 2)}),
        pool(20, {1: string("java") + number(8530) + string("dw-20") + number(20),
                  2: string("caf\u00e9", 5) + number(8531) + string(None) + number(0),
                  3: string("") + number(0) + string("") + number(33),
                  4: string("x") + number(8532) + string(2, 2) + number(34),
                  5: string("x") + number(8533) + string(3, 2) + number(35)}),
        pool(28, {0: string("STATE_RUNNABLE"), 1: string("STATE_SLEEPING")}),
    ]


def place():
    return number(1, 2) + number(2, 2) + bytes(4 + 8 + 1) + string("s") + number(2, 4) + number(1) + number(2)


def events():
    out = []
    for at, (thread, stack, state) in enumerate([(1, 1, 0), (1, 1, 0), (2, 2, 0), (3, 1, 1), (4, 4, 0), (9, 3, 0)]):
        out.append(event(101, number(1000 + at * 1000) + number(thread) + number(stack) + number(state)))
    out.append(event(102, number(2000) + number(1) + number(1) + number(1) + number(17, 4)))
    out.append(event(103, number(2500) + number(1) + number(2) + number(0x7F0000001000) + number(4096)))
    out.append(event(104, number(3000) + number(2500) + number(5) + number(1) + place() + number(2, 4) + place() * 2))
    out.append(event(105, number(1) + string("JVM") + number(8513)))
    out.append(event(106, number(3000) + number(1) + number(1) + number(3) + number(100)))
    out.append(event(106, number(3000) + number(1) + number(0) + number(4) + number(24)))
    return out


def chunk(options):
    types = list(TYPES)
    if "endless-type" in options:  # nothing but itself, twice
        types[-1] = (106, "jdk.ObjectAllocationSample", [("stackTrace", 26, True), ("a", 106), ("b", 106)])
    if "deep-type" in options:  # 2^30 times nothing
        types += [(200 + i, "t%d" % i, [("a", 201 + i), ("b", 201 + i)]) for i in range(30)] + [(230, "none", [])]
        types[-32 - 0 if len(types) < 32 else types.index(next(t for t in types if t[0] == 106))] = (
            106, "jdk.ObjectAllocationSample", [("stackTrace", 26, True), ("a", 216), ("b", 200)])
    body = events()
    if "unknown-type" in options:
        body.insert(2, event(999, b"abc"))
    if "long-array" in options:
        body[8] = event(104, number(3000) + number(2500) + number(5) + number(1) + place() + number(1 << 30, 4))
    pools = constants()
    if "huge-pool" in options:
        pools[5] = number(9) + number(1 << 31, 4) + number(1)
    if "huge-string" in options:
        pools[5] = number(9) + number(1, 4) + number(1) + b"\3" + number(1 << 31, 4)
    early = checkpoint(0, pools[:4])
    if "bad-event" in options:
        body.insert(3, b"\0" * 8)
    data, late_at = b"", 0
    meta = b"" if "no-metadata" in options else metadata(types)
    parts = [early] + body[:4] + [meta] + body[4:]
    if "bad-event" in options:
        parts = body[:4] + [early] + body[4:] + [meta]
    meta_at = early_at = 0
    for part in parts:
        if part is meta:
            meta_at = 68 + len(data)
        if part is early:
            early_at = 68 + len(data)
        data += part
    late_at = 68 + len(data)
    data += checkpoint(-(late_at - early_at) if "chained" not in options else 5, pools[4:])
    size = 68 + len(data)
    if "short-chunk" in options:
        size = 10
    if "huge-chunk" in options:
        size = 1 << 62
    head = b"FLR\0" + struct.pack(">HHQQQQQQQI", 2, 1, size, late_at, meta_at, 1795515302 * 10 ** 9, 10 ** 9, 1000,
                                  0 if "ticks" in options else 10 ** 6, 0 if wide else 1)
    return head + data


def main():
    global wide
    options = sys.argv[2:]
    wide = "wide" in options
    with open(sys.argv[1], "wb") as out:
        out.write(chunk(options) * (2 if "twice" in options else 1))


main()
