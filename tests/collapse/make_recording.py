#!/usr/bin/env python3
"""Writes a perf.data file from a short text, so that tests know every byte of it.

    make_recording.py OUT <TEXT

One record a line, numbers in any base that Python reads:

    event NAME [TYPE CONFIG]           an event; samples belong to the last one named
    span-event NAME                    one of those with struct recording_span
    comm TIME PID TID NAME...          exec TIME PID NAME... (a new program)
    fork TIME PID PPID [TID PTID]
    mmap TIME PID START LEN OFFSET PATH...   leaked-mmap: marked to have a build-id
    sample TIME PID TID CPU ADDR...    leaf first; k: before an address: the kernel part
    span BEGIN TIME PID TID CPU NS COUNT LONGEST FLAGS CHAIN...   of a span-event
                                       FLAGS: - single open single,open or a number; in
                                       CHAIN also state:NAME|N by:TID waker:PID:TID label:KIND:N
    period N                           of the samples that follow [1]
    lost COUNT                         raw HEX (bytes as they are)
    host NAME   release NAME           command WORD...
    clock RECORD_NS WALL_NS            (our private section)
    symbol-module KIND ID PATH...      symbol START SIZE NAME... (our private section)
    loss KEY COUNT                     (our private section)
    topology cpu N package N ...       (our private section)
"""
import shlex
import struct
import sys

SAMPLE_TYPE = 0x10000 | 1 | 2 | 4 | 0x80 | 0x100 | 0x20  # IDENTIFIER IP TID TIME CPU PERIOD CALLCHAIN
RAW = 0x400
KERNEL, USER = (1 << 64) - 128, (1 << 64) - 512
SPANS = (1, 10)  # PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT
FLAGS = {"-": 0, "single": 1, "open": 2, "single,open": 3}
# enum recording_state, with the names that folded lines have
STATES = ["unknown-state", "running", "preempted", "quantum-over", "yielded", "woken", "sleeping", "blocked-io",
          "blocked", "stopped", "traced", "parked", "idle", "dead"]


def label(kind, value):
    return 0x4c << 56 | kind << 48 | value


def labels(word):
    """The entry that a word such as state:running stands for, or None."""
    name, *values = word.split(":")
    if name == "state":
        return label(1, STATES.index(values[0]) if values[0] in STATES else int(values[0], 0))
    if name == "by":
        return label(2, int(values[0], 0))
    if name == "waker":
        return label(3, int(values[0], 0) << 24 | int(values[1], 0))
    if name == "label":
        return label(int(values[0], 0), int(values[1], 0))
    return None


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time, pid=0, tid=0, event=0):
    return struct.pack("<IIQIIQ", pid, tid, time, 0, 0, event + 1)


def text(value):
    raw = value.encode("utf-8", "surrogateescape").decode("unicode_escape").encode("latin-1") + b"\0"
    return raw + b"\0" * (-len(raw) % 8)


class Recording:
    def __init__(self):
        self.events, self.data, self.period = [], b"", 1
        self.features, self.sections = {}, {}

    def add(self, kind, misc, body, time, pid=0, tid=0):
        self.data += record(kind, misc, body + trailer(time, pid, tid))

    def event(self, name, kind="1", config="0"):
        self.events.append((name, int(kind, 0), int(config, 0)))

    def comm(self, time, pid, tid, *name):
        self.add(3, 0, struct.pack("<II", pid, tid) + text(" ".join(name)), time, pid, tid)

    def exec(self, time, pid, *name):
        self.add(3, 0x2000, struct.pack("<II", pid, pid) + text(" ".join(name)), time, pid, pid)

    def fork(self, time, pid, ppid, tid=None, ptid=None):
        self.add(7, 0, struct.pack("<IIIIQ", pid, ppid, tid or pid, ptid or ppid, time), time, pid)

    def mmap(self, time, pid, start, length, offset, *path, misc=2):
        body = struct.pack("<IIQQQIIQQII", pid, pid, start, length, offset, 8, 1, 77, 0, 5, 2)
        self.add(10, misc, body + text(" ".join(path)), time, pid, pid)

    def add_sample(self, time, pid, tid, cpu, period, entries, ip, rest=b""):
        self.data += record(9, 2, struct.pack("<QQIIQIIQQ", len(self.events), ip,
                                              pid & 0xffffffff, tid & 0xffffffff, time,
                                              cpu, 0, period, len(entries)) +
                            b"".join(struct.pack("<Q", e) for e in entries) + rest)

    def sample(self, time, pid, tid, cpu, *chain):
        entries = [USER]
        for entry in chain:
            if entry == "k:":
                entries = [KERNEL]
            elif entry == "u:":
                entries.append(USER)
            else:
                entries.append(int(entry, 0))
        self.add_sample(time, pid, tid, cpu, self.period, entries, entries[-1])

    def span(self, begin, time, pid, tid, cpu, ns, count, longest, flags, *chain):
        marks = {"k:": KERNEL, "u:": USER}
        entries = [marks[w] if w in marks else labels(w) if labels(w) is not None else int(w, 0) for w in chain]
        flags = FLAGS[flags] if flags in FLAGS else int(flags, 0)
        self.add_sample(time, pid, tid, cpu, ns, entries, entries[0] if entries else 0,
                        struct.pack("<IIQQQ", 28, flags, count, longest, begin))

    def run(self, line):
        verb, *words = shlex.split(line, comments=True) or [""]
        if verb == "event":
            self.event(*words)
        elif verb == "span-event":
            self.events.append((words[0], *SPANS))
        elif verb == "span":
            self.span(*[int(w, 0) for w in words[:8]], *words[8:])
        elif verb == "topology":
            self.section(244, " ".join(words))
        elif verb == "period":
            self.period = int(words[0], 0)
        elif verb in ("comm", "exec", "fork", "mmap"):
            count = {"comm": 3, "exec": 2, "fork": len(words), "mmap": 5}[verb]
            getattr(self, verb)(*[int(w, 0) for w in words[:count]], *words[count:])
        elif verb == "leaked-mmap":
            self.mmap(*[int(w, 0) for w in words[:5]], *words[5:], misc=0x4002)
        elif verb == "sample":
            self.sample(*[int(w, 0) for w in words[:4]], *words[4:])
        elif verb == "lost":
            self.add(2, 0, struct.pack("<QQ", 1, int(words[0], 0)), 0)
        elif verb == "raw":
            self.data += bytes.fromhex("".join(words))
        elif verb in ("host", "release"):
            self.features[{"host": 3, "release": 4}[verb]] = self.string(words[0])
        elif verb == "command":
            self.features[11] = struct.pack("<I", len(words)) + b"".join(map(self.string, words))
        elif verb in ("clock", "loss"):
            self.section(243 if verb == "clock" else 242, " ".join(words))
        elif verb == "symbol-module":
            self.section(240, "module " + " ".join(words))
        elif verb == "symbol":
            self.section(240, "%x %x " % (int(words[0], 0), int(words[1], 0)) + " ".join(words[2:]))
        elif verb:
            sys.exit("make_recording: what is '%s'?" % verb)

    @staticmethod
    def string(value):
        raw = text(value)
        return struct.pack("<I", len(raw)) + raw

    def section(self, bit, line):
        self.sections[bit] = self.sections.get(bit, b"") + line.encode("utf-8", "surrogateescape") + b"\n"

    def attr(self, kind, config):
        flags = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 18 | 1 << 23  # mmap comm freq sample_id_all mmap2
        rate, types = 99, SAMPLE_TYPE
        if (kind, config) == SPANS:
            flags, rate, types = 1 << 18, 1, SAMPLE_TYPE | RAW  # as collect/spans.c
        return struct.pack("<IIQQQQQ", kind, 128, config, rate, types, 0, flags).ljust(128, b"\0")

    def bytes(self):
        count = len(self.events)
        ids_at = 104
        attrs_at = ids_at + 8 * count
        data_at = attrs_at + 144 * count
        ids = b"".join(struct.pack("<Q", i + 1) for i in range(count))
        attrs = b"".join(self.attr(kind, config) + struct.pack("<QQ", ids_at + 8 * i, 8)
                         for i, (_, kind, config) in enumerate(self.events))
        self.features[12] = struct.pack("<II", count, 128) + b"".join(
            self.attr(kind, config) + struct.pack("<I", 1) + self.string(name) + struct.pack("<Q", i + 1)
            for i, (name, kind, config) in enumerate(self.events))
        features = {**self.features, **self.sections}
        at = data_at + len(self.data) + 16 * len(features)
        bits, table, tail = 0, b"", b""
        for bit in sorted(features):
            bits |= 1 << bit
            table += struct.pack("<QQ", at, len(features[bit]))
            tail += features[bit]
            at += len(features[bit])
        header = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, attrs_at, 144 * count, data_at,
                                           len(self.data), 0, 0) + bits.to_bytes(32, "little")
        return header + ids + attrs + self.data + table + tail


def main():
    recording = Recording()
    for line in sys.stdin:
        recording.run(line)
    with open(sys.argv[1], "wb") as out:
        out.write(recording.bytes())


if __name__ == "__main__":
    main()
