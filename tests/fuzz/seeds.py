#!/usr/bin/env python3
"""Writes the first inputs of fuzz targets.

    seeds.py TARGET DIRECTORY

jit: a byte (tests/fuzz/jit.c), then a jitdump or a perf map.  unwind: the same of
tests/fuzz/unwind.c.  recorded: the private sections of tests/collapse/golden/*.txt.
jvm: where walks begin, then the memory of a JVM (tests/fuzz/jvm.c).  python: a byte, then memory (tests/fuzz/python.c).  text: the digit of its format
(tests/fuzz/text.c), then an input of tests/collapse/formats."""
import glob
import os
import re
import struct
import subprocess
import sys
import tempfile

# --- jit ---------------------------------------------------------------------------------------

LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING = range(5)
CODE = 0x7F2C4D000100


def record(order, kind, time, body):
    return struct.pack(order + "IIQ", kind, 16 + len(body), time) + body


def load(order, time, start, size, number, name):
    head = struct.pack(order + "IIQQQQ", 7, 7, start, start, size, number)
    return record(order, LOAD, time, head + name + b"\0" + b"\xc3" * size)


def lines(order, time, start, entries):
    body = b"".join(struct.pack(order + "QII", at, line, 0) + file + b"\0" for at, line, file in entries)
    return record(order, DEBUG_INFO, time, struct.pack(order + "QQ", start, len(entries)) + body)


def unwinding(order, time, table, header):
    sizes = struct.pack(order + "QQQ", len(table + header), len(header), 0)
    return record(order, UNWINDING, time, sizes + table + header)


def dump(order):
    table = raw_table(0x20)
    return b"".join([
        struct.pack(order + "IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 1000, 0),
        load(order, 1001, CODE, 8, 1, b"first"),
        lines(order, 1002, CODE + 16, [(CODE + 16, 3, b"a.js"), (CODE + 20, 4, b"\xff")]),
        unwinding(order, 1003, table, b"\1\x1b\3\x3b" + bytes(16)),
        load(order, 1004, CODE + 16, 8, 2, b"second"),
        lines(order, 1005, CODE, [(CODE + 64, 5, b"b.js")]),
        load(order, 1006, CODE, 4, 3, b"JS:*third"),
        record(order, MOVE, 1007, struct.pack(order + "IIQQQQQ", 7, 7, CODE, CODE + 16, CODE + 64, 8, 2)),
        record(order, 9, 1008, b"unknown!"),
        b"\0" * 24,
        load(order, 1009, CODE + 32, 8, 4, b"behind zeros"),
        record(order, CLOSE, 1010, b""),
    ])


MAP = b"""7f2c4d000100 80 LFoo;::bar
7f2c4d000180 0x20 a b c
0x7f2c4d000100 40 newer
7f2c4d000100 80 LFoo;::bar
no line
7f2c4d000200 0 empty
ffffffffffffff00 100 end
7f2c4d000140 40 inside
"""


def jit():
    return {"dump": b"\0" + dump("<"), "dump-grows": b"\x1c" + dump("<"), "dump-swapped": b"\4" + dump(">"),
            "map": b"\1" + MAP, "map-grows": b"\x1d" + MAP, "map-anew": b"\x0f" + MAP + MAP}


# --- unwind ------------------------------------------------------------------------------------

RULES = bytes([0x0C, 7, 8, 0x90, 1])             # CFA = rsp + 8; the return address at CFA - 8
RULES_ARM = bytes([0x0C, 31, 0])                 # CFA = sp; the return address in the link register
FRAME = bytes([0x41, 0x0E, 16, 0x86, 2, 0x43, 0x0D, 6, 0x02, 0x40, 0x0A, 0x0C, 7, 8, 0xC6, 0x48, 0x0B])
FRAME_ARM = bytes([0x41, 0x0E, 32, 0x9D, 4, 0x9E, 3, 0x42, 0x2D])
# CFA by the expression of a PLT; rbx by an expression, r12 as a value, r13 in a register, r14 undefined, rsp signed
PLT = bytes([0x0F, 11, 0x77, 8, 0x80, 0, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22])
EXPRESSIONS = bytes([0x10, 3, 3, 0x76, 0x78, 6, 0x16, 12, 2, 0x77, 16, 0x09, 13, 3, 0x07, 14, 0x14, 15, 2, 0x2E, 16])
SIGNAL = bytes([0x0F, 4, 0x77, 0xA0, 1, 6]) + b"".join(bytes([0x10, n, 2, 0x77, 8 * n]) for n in range(10))


def entry(body):
    body += bytes(-(len(body) + 4) % 8)
    return struct.pack("<I", len(body)) + body


def raw_table(size):
    common = entry(b"\0\0\0\0\1zR\0" + bytes([1, 0x78, 16, 1, 3]) + RULES)
    return common + entry(struct.pack("<III", len(common) + 4, 0, size) + b"\0" + FRAME)


def stack():
    """A copy in which return addresses, and places of the stack, take turns."""
    return bytes(n % 128 if n & 1 else 136 + n % 100 for n in range(100))


def registers():
    return bytes([136] * 8 + [20] + [137] * 8 + [140] * 15 + [21])


def made(how, rules, frame):
    return bytes([how, len(rules) << 1 | (rules is SIGNAL), len(frame)]) + rules + frame + registers() + stack()


def unwind():
    table, raw, arm, expressions, code = raw_table(0x100), 0, 1, 8, 12
    seeds = {
        "raw": bytes([raw, len(table)]) + table + registers() + stack(),
        "raw-cut": bytes([raw | 2, len(table)]) + table + registers() + stack(),
        "frame": made(4, RULES, FRAME), "frame-arm": made(4 | arm, RULES_ARM, FRAME_ARM),
        "plt": made(4, RULES, PLT), "expressions": made(4, RULES, EXPRESSIONS),
        "signal": made(4, SIGNAL, b""), "first": made(4, RULES, b"\7\20"),
        "code": bytes([code]) + b"\x48\xc7\xc0\x0f\0\0\0\x0f\5" + b"\0\0\xe8\xf8\1\0\0" + b"\x48\x83\xc4\x08\xc3"
                + b"\xf3\x0f\x1e\xfa\x55\x48\x89\xe5",
    }
    for n in range(0, 256, 8):  # each operation, on what is there already
        body = b"".join(bytes([0x31 + k, 0, 0, k]) for k in range(4))
        body += b"".join(bytes([n + k, 8, 1, 4 + 3 * k]) for k in range(8))
        seeds["operations-%d" % n] = bytes([expressions | 2]) + bytes([136, 136] * 4) + body
    return seeds


# --- recorded ----------------------------------------------------------------------------------

def section_line(line):
    word, _, rest = line.partition(" ")
    if word == "symbol":
        start, size, name = (rest.split(" ", 2) + [""] * 2)[:3]
        return "%x %x %s" % (int(start, 0), int(size, 0), name)
    return {"symbol-module": "module " + rest, "symbol-line": rest, "loss": rest}.get(word)


def recorded():
    seeds = {"code": b"7 2 10100 80 1c40 /tmp/jit-7.dump\n7 3 10140 100 1d00 /tmp/jit-7.dump\n"
                     b"8 1 10000 1 0 /tmp/perf-8.map\nmodule jit 7 /tmp/perf-7.map\n100 80 LFoo;::bar\n"}
    for path in glob.glob("tests/collapse/golden/*.txt"):
        with open(path) as text:
            found = [section_line(line.rstrip("\n")) for line in text]
        section = "\n".join(line for line in found if line is not None)
        if section:
            seeds[os.path.basename(path)] = section.encode() + b"\n"
    return seeds


# --- jvm ---------------------------------------------------------------------------------------

class Memory:
    """What tests/fuzz/jvm.c reads, with fields where tests/unit/made_jvm.h says that they are."""
    start, size = 0x1000, 0x4000

    def __init__(self):
        with open("tests/unit/made_jvm.h") as text:
            rows = re.findall(r'(FIELD|STATIC)\("(.*?)", "(.*?)", ".*?", (\d+)\)', text.read())
        self.fields = {(kind, name): int(at) for what, kind, name, at in rows if what == "FIELD"}
        self.statics = {(kind, name): self.start + 8 * int(at) for what, kind, name, at in rows if what == "STATIC"}
        self.bytes = bytearray(self.size)

    def put(self, at, value, size=8):
        self.bytes[at - self.start:at - self.start + size] = value.to_bytes(size, "little")

    def field(self, at, kind, name, value, size=8):
        self.put(at + self.fields[kind, name], value, size)

    def static(self, kind, name, value, size=8):
        self.put(self.statics[kind, name], value, size)

    def text(self, at, text):
        self.bytes[at - self.start:at - self.start + len(text)] = text

    def symbol(self, at, text):
        self.put(at + 4, len(text), 2)
        self.text(at + 6, text)


def put_method(m, method):
    const_method, pool, klass, tags = 0x2100, 0x2200, 0x2400, 0x2700
    lines = bytes([7, 4 << 3 | 2, 0xff, 16, 198, 6, 0])
    m.field(method, "Method", "_constMethod", const_method)
    m.field(const_method, "ConstMethod", "_constants", pool)
    m.field(const_method, "ConstMethod", "_constMethod_size", 10, 4)
    m.field(const_method, "ConstMethod", "_flags", 1, 2)
    m.field(const_method, "ConstMethod", "_code_size", 20, 2)
    m.field(const_method, "ConstMethod", "_name_index", 3, 2)
    m.text(const_method + 48 + 20, lines)
    m.field(pool, "ConstantPool", "_tags", tags)
    m.field(pool, "ConstantPool", "_pool_holder", klass)
    m.field(pool, "ConstantPool", "_length", 6, 4)
    m.field(pool, "ConstantPool", "_source_file_name_index", 5, 2)
    m.put(pool + 72 + 8 * 3, 0x3000)
    m.put(pool + 72 + 8 * 5, 0x3040)
    m.put(tags, 6, 4)
    m.text(tags + 4, b"\0\0\0\1\0\1")
    m.field(klass, "Klass", "_name", 0x3080)
    m.field(klass, "Klass", "_layout_helper", 64, 4)
    m.field(klass, "InstanceKlass", "_constants", pool)
    m.symbol(0x3000, b"handle")
    m.symbol(0x3040, b"App.java")
    m.symbol(0x3080, b"com/example/App$$Lambda+0x77")


def put_code(m, method):
    """A heap of segments of 128 bytes, with one compiled method."""
    array, heap, segments, low = 0x3100, 0x3140, 0x3300, 0x4000
    blob = low + 16
    m.static("CodeCache", "_heaps", array)
    m.field(array, "GrowableArrayBase", "_len", 1, 4)
    m.field(array, "GrowableArray<int>", "_data", array + 32)
    m.put(array + 32, heap)
    for field, start, end in (("_memory", low, 0x5000), ("_segmap", segments, segments + 32)):
        space = heap + m.fields["CodeHeap", field]
        m.field(space, "VirtualSpace", "_low", start)
        m.field(space, "VirtualSpace", "_high", end)
        m.field(space, "VirtualSpace", "_high_boundary", end)
    m.field(heap, "CodeHeap", "_log2_segment_size", 7, 4)
    m.text(segments, bytes(range(16)) + b"\xff" * 16)
    m.field(low, "HeapBlock::Header", "_length", 16)
    m.field(low, "HeapBlock::Header", "_used", 1, 1)
    for field, value in (("_name", 0x3320), ("_code_begin", blob + 512), ("_code_end", blob + 1024)):
        m.field(blob, "CodeBlob", field, value)
    for field, value in (("_size", 2000), ("_frame_complete_offset", 12), ("_frame_size", 4)):
        m.field(blob, "CodeBlob", field, value, 4)
    m.text(0x3320, b"nmethod\0")
    m.field(blob, "CompiledMethod", "_method", method)
    m.field(blob, "CompiledMethod", "_scopes_data_begin", blob + 1100)
    for field, value in (("_metadata_offset", 1040), ("_scopes_pcs_offset", 1200), ("_dependencies_offset", 1264),
                         ("_compile_id", 7), ("_comp_level", 4)):
        m.field(blob, "nmethod", field, value, 4)
    m.put(blob + 1040, method)
    m.text(blob + 1100, bytes([0, 1, 5, 0, 0, 0, 0, 1, 1, 3, 0, 0, 0, 0]))
    for n, (pc, scope) in enumerate(((-1 & 0xffffffff, 0), (64, 1), (128, 8), (512, 0))):
        m.text(blob + 1200 + 16 * n, struct.pack("<IIII", pc, scope, 0, 0))
    return blob + 512


def jvm():
    m = Memory()
    put_method(m, 0x2000)
    pc = put_code(m, 0x2000)
    stack = b"".join(struct.pack("<Q", pc + 64 * (n % 4)) for n in range(64))
    starts = b"".join(struct.pack("<II", pc + n, 0x4800) for n in (64, 128, 20, 0))
    seeds = {"compiled": starts + bytes(m.bytes)}
    m.text(m.start + 0x200, stack)
    seeds["stack"] = starts + bytes(m.bytes)
    return seeds


# --- python: a byte, which is the version, then memory (tests/fuzz/python.c) ----------------------

RUNTIME, BLOCK = 0x10000, 0x100


def python_memory(blocks):
    """Blocks of words at offsets, each BLOCK bytes; text is given as such."""
    memory = bytearray(24 * BLOCK)
    for number, fields in blocks.items():
        for at, value in fields.items():
            data = value if isinstance(value, bytes) else struct.pack("<Q", value)
            memory[number * BLOCK + at:number * BLOCK + at + len(data)] = data
    return bytes(memory)


def python_text(text, characters):
    return {8: 0x2000, 16: len(text), 24: 4711, 32: (1 | 8 | 16) << 2, characters: text}


def python():
    """Versions 3.9, 3.11 and 3.12, as their tables in collect/python/python_layout.c say."""
    runtime, interpreter, thread, code, name, globals_, keys, key, module, file, lines, frame, cframe = \
        (RUNTIME + BLOCK * n for n in range(13))
    seeds = {}
    for version, heads, threads, code_at, line_at, text_at in (
            (0x309, 32, 8, (112, 104, 120), 40, 48), (0x30b, 40, 16, (128, 112, 136), 72, 48),
            (0x30c, 40, 72, (128, 112, 136), 68, 40)):
        is_old = version < 0x30b
        entries = struct.pack("<8xQQ" if is_old else "<QQ", key, module)
        seeds["%x" % version] = bytes([version - 0x309]) + python_memory({
            0: {heads: interpreter},
            1: {threads: thread},
            2: {16: interpreter, 24: frame, 56: cframe if version == 0x30b else cframe + 8, 136: 7, 144: 8, 152: 7, 160: 8, 176: 7},
            3: {8: 0x1000, line_at: 3, code_at[0]: name, code_at[1]: file, code_at[2]: lines},
            4: python_text(b"Thread._bootstrap", text_at),
            5: {8: 0x3000, 32: keys},
            6: {8: 8, 32: 1, 48: entries} if is_old else {8: b"\3\3\1", 24: 1, 40: entries},
            7: python_text(b"__name__", text_at),
            8: python_text(b"threading", text_at),
            9: python_text(b"/usr/lib/threading.py", text_at),
            10: {16: 6, 32: b"\x80\0\xd8\x08\x09\x80"},
            11: {0: code, 32: code, 72: globals_},
            12: {8: frame},
        })
    return seeds


def names():
    """Names that are nested in themselves, or in twice themselves."""
    rust = ("_RB_", "_RNvB_1a", "_RIC0RB2_E", "_RIC0DB3_EL_E", "_RIC0FKCB3_EuE")
    made = {"conversions": "_ZN1AcvT_I" + 4 * "L_ZN1AcvT_I" + "i" + 4 * "EEvE" + "EEv",
            "packs": "_ZN1AIDp" + 4 * "S_I" + "S_IiiES0_ES1_ES2_ES3_EE1gEv",
            "types": "_D1aFHiiHQeQg" + 4 * "HQgQi" + "Zv"}
    made.update((name[1:], name) for name in rust)
    return {name: text.encode() for name, text in made.items()}


FORMATS = {"jstack": "jstack", "threaddump": "threaddump", "json": "threaddump", "javacore": "javacore",
           "asprof": "asprof", "log": "exceptions"}


def text():
    with open("collapse/formats.h", encoding="utf-8") as header:
        rows = re.findall(r"X\((\w+)\)", header.read().split("define INPUT_FORMATS(X)")[1])
    digits = {name: bytes([ord("0") + i]) for i, name in enumerate(rows[rows.index("folded"):])}
    made = {}
    for path in glob.glob("tests/collapse/formats/*"):
        name = FORMATS.get(path.rsplit(".", 1)[-1])
        if name:
            with open(path, "rb") as sample:
                made[os.path.basename(path)] = digits[name] + sample.read()
    with tempfile.TemporaryDirectory() as scratch:
        for option in ("", "wide", "chained"):
            path = os.path.join(scratch, "made.jfr")
            subprocess.run([sys.executable, "tests/collapse/make_jfr.py", path, option], check=True)
            with open(path, "rb") as sample:
                made["jfr" + option] = digits["jfr"] + sample.read()
    return made


def main():
    target, to = sys.argv[1:]
    for name, data in {"jit": jit, "unwind": unwind, "recorded": recorded, "jvm": jvm, "python": python,
                       "names": names, "text": text}[target]().items():
        with open(os.path.join(to, name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main()
