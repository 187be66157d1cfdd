#!/usr/bin/env python3
"""Makes profiles in formats of other tools, for tests.

    profiles.py KIND [OPTION]    writes one to stdout; KIND: pprof, otlp, otlp-json

Messages are lists of (field, value): an int is a varint, bytes are bytes, a list is a message, a Fixed 8 bytes."""
import json
import struct
import sys


class Fixed(int):
    pass


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def encode(message):
    out = b""
    for field, value in message:
        if isinstance(value, Fixed):
            out += varint(field << 3 | 1) + struct.pack("<Q", value)
        elif isinstance(value, int):
            out += varint(field << 3) + varint(value)
        else:
            body = encode(value) if isinstance(value, list) else value
            out += varint(field << 3 | 2) + varint(len(body)) + body
    return out


class Strings:
    def __init__(self):
        self.items = [b""]

    def __call__(self, text):
        text = text if isinstance(text, bytes) else text.encode()
        if text not in self.items:
            self.items.append(text)
        return self.items.index(text)


def pprof(option):
    s = Strings()
    packed = lambda numbers: b"".join(varint(n) for n in numbers)
    types = [(1, [(1, s("samples")), (2, s("count"))]), (1, [(1, s("cpu")), (2, s("nanoseconds"))]),
             (1, [(1, s("alloc")), (2, s("bytes"))])]
    thread = lambda name, tid: [(3, [(1, s("thread")), (2, s(name))]), (3, [(1, s("tid")), (3, tid)])]
    samples = [
        # leaf first: leaf (with small inlined into it) < work < main
        (2, [(1, packed([3, 2, 1])), (2, packed([1, 10, 0]))] + thread("w\u00f6rker", 12)),
        # not packed
        (2, [(1, 2), (1, 1), (2, 2), (2, 20), (2, 4096)] + thread("main", 11)),
        (2, [(1, packed([3, 2, 1])), (2, packed([1, 10, 0]))] + thread("w\u00f6rker", 12)),
    ]
    if option != "whole":
        # locations without a function: in the kernel, in a file, in no mapping, and one that does not exist
        samples.append((2, [(1, packed([4, 5, 6, 99, 1])), (2, packed([1, 5, 0]))]))
    if option == "negative":
        samples.append((2, [(1, packed([1])), (2, packed([1, -10, 0]))]))
    if option == "ids":
        named = [("-5", 1), ("0x7f12", 2), ("worker-1-3", 4), ("worker-1-4", 8), ("77", 16)]
        samples = [(2, [(1, 1), (2, n), (2, 0), (2, 0), (3, [(1, s("thread_id")), (2, s(text))])]) for text, n in named]
        samples.append((2, [(1, 1), (2, 32), (2, 0), (2, 0), (3, [(1, s("tid")), (3, -3)])]))
    if option == "hostile":
        samples.append((2, [(1, packed([7])), (2, packed([1, 1, 0]))]))
    tables = [
        (3, [(1, 1), (5, s("/usr/bin/app"))]),
        (3, [(1, 2), (5, s("[kernel.kallsyms]"))]),
        (4, [(1, 1), (2, 1), (3, 0x1000), (4, [(1, 1), (2, 7)])]),
        (4, [(1, 2), (2, 1), (3, 0x2000), (4, [(1, 2)])]),
        (4, [(1, 3), (2, 1), (3, 0x3000), (4, [(1, 4)]), (4, [(1, 3)])]),
        (4, [(1, 4), (2, 2), (3, 0xFFFFFFFF81000000), (4, [(1, 5)])]),
        (4, [(1, 5), (2, 1), (3, 0x5000)]),
        (4, [(1, 6)]),
        (4, [(1, 7), (4, [(1, 6)])]),
        (5, [(1, 1), (2, s("main"))]),
        (5, [(1, 2), (2, s("work")), (3, s("_Z4workv"))]),
        (5, [(1, 3), (2, s("leaf"))]),
        (5, [(1, 4), (2, s("small"))]),
        (5, [(1, 5), (3, s("do_idle"))]),
        (5, [(1, 6), (2, s(b"a;b\x1b[31m\x00\xff 7"))]),
    ]
    default = [(14, s("samples"))] if option == "default" else []
    strings = [(6, text) for text in s.items]
    return encode(types + samples + tables + default + strings)


# The messages of OTLP as {field: (name, kind)}; kind is a message, "text", "number", "packed" or "fixed"; * repeated
NAMES = {
    "data": {1: ("resourceProfiles", "resource*"), 2: ("dictionary", "dictionary")},
    "resource": {1: ("resource", "attributes"), 2: ("scopeProfiles", "scope*")},
    "attributes": {1: ("attributes", "pair*")},
    "pair": {1: ("key", "text"), 2: ("value", "any")},
    "scope": {1: ("scope", None), 2: ("profiles", "profile*")},
    "profile": {1: ("sampleType", "type"), 2: ("samples", "sample*"), 3: ("timeUnixNano", "number")},
    "type": {1: ("typeStrindex", "index"), 2: ("unitStrindex", "index")},
    "sample": {1: ("stackIndex", "index"), 2: ("attributeIndices", "packed"), 4: ("values", "packed"),
               5: ("timestampsUnixNano", "fixed")},
    "dictionary": {1: ("mappingTable", "mapping*"), 2: ("locationTable", "location*"), 3: ("functionTable", "function*"),
                   4: ("linkTable", "link*"), 5: ("stringTable", "text*"), 6: ("attributeTable", "attribute*"),
                   7: ("stackTable", "stack*")},
    "mapping": {4: ("filenameStrindex", "index")},
    "location": {1: ("mappingIndex", "index"), 2: ("address", "number"), 3: ("lines", "line*")},
    "line": {1: ("functionIndex", "index")},
    "function": {1: ("nameStrindex", "index"), 2: ("systemNameStrindex", "index")},
    "link": {},
    "attribute": {1: ("keyStrindex", "index"), 2: ("value", "any")},
    "any": {1: ("stringValue", "text"), 3: ("intValue", "number")},
    "stack": {1: ("locationIndices", "packed")},
}


def varints(data):
    numbers, n, shift = [], 0, 0
    for byte in data:
        n |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(n - (1 << 64) if n >> 63 else n)
            n, shift = 0, 0
    return numbers


def as_json(value, kind):
    if kind == "text":
        return value.decode()
    if kind == "index":
        return value
    if kind == "number":
        return str(value)  # as for all of 64 bits
    if kind == "packed":
        return [str(n) for n in (varints(value) if isinstance(value, bytes) else [value])]
    if kind == "fixed":
        return [str(n) for (n,) in struct.iter_unpack("<Q", value)]
    out = {}
    for field, item in value or []:
        name, below = NAMES[kind][field]
        if below and below.endswith("*"):
            out.setdefault(name, []).append(as_json(item, below[:-1]))
        elif below:
            out[name] = as_json(item, below)
    return out


def otlp_json(option):
    kept = globals()["encode"]
    globals()["encode"] = lambda message: message
    whole = as_json(otlp(option), "data")
    globals()["encode"] = kept
    if option == "lines":  # as a file exporter writes it, one message a line
        return 2 * (json.dumps(whole).encode() + b"\n")
    return json.dumps(whole, indent=1).encode() + b"\n"


def otlp(option):
    s = Strings()
    fixed = lambda times: b"".join(struct.pack("<Q", t) for t in times)
    second = 1795342502 * 10**9
    pair = lambda key, text: (1, [(1, key), (2, [(1, text)])])
    resource = [(1, [pair(b"host.name", b"db1"), pair(b"k8s.pod.name", b"shop-7f9c"), pair(b"k8s.namespace.name", b"prod"),
                     pair(b"container.id", 64 * b"a")])]
    profile = [
        (1, [(1, s("cpu")), (2, s("nanoseconds"))]),
        (3, Fixed(second)),
        (2, [(1, 1), (2, b"\x01\x02"), (4, varint(10) + varint(20)), (5, fixed([second + 1, second + 2]))]),
        (2, [(1, 2), (2, 1), (4, varint(5))]),
        (2, [(1, 1), (2, 3), (5, fixed([second + 3, second + 4]))]),
    ]
    if option == "negative":
        profile.append((2, [(1, 1), (4, varint(-1))]))
    other = [(1, [(1, s("alloc")), (2, s("bytes"))]), (2, [(1, 2), (4, varint(4096))])]
    scope = [(1, [(1, b"profiler")]), (2, profile), (2, other)]
    dictionary = [
        (1, b""), (1, [(4, s("/usr/bin/app"))]), (1, [(4, s("[kernel.kallsyms]"))]),
        (2, b""), (2, [(1, 1), (3, [(1, 1)])]), (2, [(1, 1), (3, [(1, 3)]), (3, [(1, 2)])]),
        (2, [(1, 2), (3, [(1, 4)])]), (2, [(1, 1), (2, 0x5000)]),
        (3, b""), (3, [(1, s("main"))]), (3, [(1, s("work"))]), (3, [(1, s("small"))]), (3, [(2, s("do_idle"))]),
        (4, b""),
        (6, b""), (6, [(1, s("thread.name")), (2, [(1, "w\u00f6rker".encode())])]),
        (6, [(1, s("thread.id")), (2, [(3, 12)])]),
        (6, [(1, s("container.id")), (2, [(1, 64 * b"b")])]),
        (7, b""), (7, [(1, b"\x02\x01")]), (7, [(1, b"\x03\x04\x01")]),
    ] + [(5, text) for text in s.items]
    return encode([(1, resource + [(2, scope)]), (2, dictionary)])


kind, option = sys.argv[1], (sys.argv[2:] or [""])[0]
sys.stdout.buffer.write({"pprof": pprof, "otlp": otlp, "otlp-json": otlp_json}[kind](option))
