#!/usr/bin/env python3
"""Writes a perf.data file from a short text, so that tests know every byte of it.

    make_recording.py OUT <TEXT

One record a line, numbers in any base that Python reads:

    event NAME [TYPE CONFIG]           an event; samples belong to the last one named
    span-event NAME [MIN]              one of those with struct recording_span; MIN: of a single span, in ns
    stack-event NAME SIZE [WITH...]    one of perf record --call-graph dwarf,SIZE; WITH: values branches raw,
                                       which its samples then also have; nocopy: registers only
    walked-event NAME                  one whose user stacks we walked while recording (needs a loss line)
    stack TIME PID TID CPU WORD...     of a stack-event; WORD: an ADDR or mark of the chain, as in sample;
                                       REGISTER:N; at:OFFSET:N, 8 bytes of the stack; there:N bytes of it [SIZE];
                                       size:N instead of SIZE; abi:N [2]
    comm TIME PID TID NAME...          exec TIME PID NAME... (a new program)
    fork TIME PID PPID [TID PTID]
    mmap TIME PID START LEN OFFSET PATH...   leaked-mmap: marked to have a build-id;
                                       file-mmap: with the inode that PATH has here
    sample TIME PID TID CPU ADDR...    leaf first; k: before an address: the kernel part
    span BEGIN TIME PID TID CPU NS COUNT LONGEST FLAGS CHAIN...   of a span-event
                                       FLAGS: - single open single,open or a number; in
                                       CHAIN also state:NAME|N by:TID waker:PID:TID class:N end:N reason:N:NS label:KIND:N,
                                       and last migrations:N (without it: as before that field)
    bare-event NAME                    without call chains
    bare TIME PID TID CPU MODE ADDR    of a bare-event; MODE: kernel user hypervisor guest-kernel guest-user unknown
    calls-event NAME                   one of perf record --call-graph lbr
    calls TIME PID TID CPU WORD...     of a calls-event: a chain as in sample, and FROM>TO for each call, newest first
    deferred TIME TID COOKIE ADDR...   the user part of samples that have later:COOKIE as their last ADDR
    aux KIND BYTES                     data of a tracer, of KIND (1: Intel PT)
    kernel-mmap START LEN OFFSET NAME
    kernel-code TIME START LEN NAME    a BPF program that came (PERF_RECORD_KSYMBOL)
    pipe                               as perf writes into a pipe: no names of events, nor features
    here                               this machine: host, release and arch are its own
    tracepoint NAME ID                 of the scheduler's: switch waking wakeup wakeup_new migrate_task
    switch TIME CPU PREV STATE NEXT [CHAIN...]    STATE: a number, as prev_state
    wake NAME TIME CPU WAKER TID TARGET_CPU [CHAIN...]   NAME: waking wakeup wakeup_new migrate_task
    in TIME PID TID CPU                out TIME PID TID CPU   out-preempt TIME PID TID CPU   (PERF_RECORD_SWITCH; with
                                       wide- before it, and the other thread's [PID TID] at the end: SWITCH_CPU_WIDE)
    exit TIME PID TID                  a thread ends
    lost-at TIME CPU COUNT             lost-sum EVENT_NUMBER COUNT   (as perf writes it at the end)
    throttle TIME CPU EVENT_NUMBER     unthrottle TIME CPU EVENT_NUMBER   (of events, from 1 on)
    cpu-map CPU...                     cpu-mask WORD...   (of 8 bytes)   cpu-range FIRST LAST
    period N                           of the samples that follow [1]
    lost COUNT                         raw HEX (bytes as they are)
    host NAME   release NAME   arch NAME          command WORD...
    clock RECORD_NS WALL_NS            (our private section)
    clock-state RECORD_NS WHO synchronized|unsynchronized MAXIMUM_NS ESTIMATE_NS
    watch KEY VALUE
    cost KEY VALUE
    symbol-module KIND ID PATH...      symbol START SIZE NAME... (our private section)
    symbol-line TEXT...                (a line of that section as it is)
    loss KEY COUNT                     (our private section)
    gap START END COUNT EVENT          (our private section)
    thread PID TID NAME...             (our private section)
    topology cpu N package N ...       (our private section)
    own PID                            (our private section)
    file NUMBER PATH...                (our private section)
    syscall NUMBER NAME...             (our private section)
    lane NUMBER UNIT NAME...           (our private section)
    value TIME LANE THOUSANDTHS        a sample of span-event lanes
    device NUMBER MAJOR:MINOR NAME...  (our private section)
    window KEY VALUE...                (our private section)
    priority PID TID POLICY NICENESS   (our private section)
    affinity PID TID COUNT|cpus COUNT  (our private section)
    owner WORD...                      (a line of our private section)
"""
import os
import shlex
import struct
import sys

SAMPLE_TYPE = 0x10000 | 1 | 2 | 4 | 0x80 | 0x100 | 0x20  # IDENTIFIER IP TID TIME CPU PERIOD CALLCHAIN
RAW = 0x400
KERNEL, USER, USER_DEFERRED = (1 << 64) - 128, (1 << 64) - 512, (1 << 64) - 640
MODES = ["unknown", "kernel", "user", "hypervisor", "guest-kernel", "guest-user"]
VALUES, BRANCHES, REGISTERS, STACK = 0x10, 0x800, 0x1000, 0x2000
# Registers by their bit (asm/perf_regs.h), and the ones that perf takes.
REGISTER_BITS = {
    "x86_64": ({"bp": 6, "sp": 7, "ip": 8}, 0xff0fff),
    "aarch64": ({"x29": 29, "x30": 30, "sp": 31, "pc": 32}, (1 << 33) - 1),
}
SPANS = (1, 10)  # PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT
FLAGS = {"-": 0, "single": 1, "open": 2, "single,open": 3}
# enum recording_state, with the names that folded lines have
STATES = ["unknown-state", "running", "preempted", "quantum-over", "yielded", "woken", "sleeping", "blocked-io",
          "blocked", "stopped", "traced", "parked", "idle", "dead"]


# Fields of tracepoints: type, name, offset, size.  They are those of Linux, except for the gap.
COMMON = [("unsigned short", "common_type", 0, 2), ("int", "common_pid", 4, 4)]
SWITCH_FIELDS = [("char", "prev_comm[16]", 16, 16), ("pid_t", "prev_pid", 32, 4), ("int", "prev_prio", 36, 4),
                 ("long", "prev_state", 40, 8), ("char", "next_comm[16]", 48, 16), ("pid_t", "next_pid", 64, 4)]
WAKE_FIELDS = [("char", "comm[16]", 8, 16), ("pid_t", "pid", 24, 4), ("int", "prio", 28, 4)]
STATE_LETTERS = ", ".join('{ 0x%08x, "%s" }' % (1 << i, c) for i, c in enumerate("SDTtXZPI"))
SWITCH_PRINT = ('"prev_pid=%%d prev_state=%%s%%s", REC->prev_pid, (REC->prev_state & 0xff) ? '
                '__print_flags(REC->prev_state & 0xff, "|", %s) : "R", '
                'REC->prev_state & (((0x00000000 | 0x40) + 1) << 1) ? "+" : ""') % STATE_LETTERS


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
    if name == "class":  # N: the Nth address of "[java]"
        return label(5, int(values[0], 0))
    if name == "end":
        return label(4, int(values[0], 0))
    if name == "reason":  # a number of enum recording_reason, and ns
        return label(9, int(values[0], 0) << 42 | int(values[1], 0))
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
        self.least = {}  # config2 of span events
        self.events, self.data, self.period = [], bytearray(), 1
        self.features, self.sections, self.tracepoints = {}, {}, []
        self.arch, self.pipe, self.switches = "x86_64", False, False

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

    def mmap(self, time, pid, start, length, offset, *path, misc=2, inode=77):
        body = struct.pack("<IIQQQIIQQII", pid, pid, start, length, offset, 8, 1, inode, 0, 5, 2)
        self.add(10, misc, body + text(" ".join(path)), time, pid, pid)

    def add_sample(self, time, pid, tid, cpu, period, entries, ip, rest=b"", before=b"", misc=2):
        self.data += record(9, misc, struct.pack("<QQIIQIIQ", len(self.events), ip,
                                              pid & 0xffffffff, tid & 0xffffffff, time,
                                              cpu, 0, period) + before + struct.pack("<Q", len(entries)) +
                            b"".join(struct.pack("<Q", e) for e in entries) + rest)

    def sample(self, time, pid, tid, cpu, *chain):
        entries = [USER]
        for entry in chain:
            if entry == "k:":
                entries = [KERNEL]
            elif entry == "u:":
                entries.append(USER)
            elif entry.startswith("later:"):
                entries = [e for e in entries if e != USER] + [USER_DEFERRED, int(entry[6:], 0)]
            else:
                entries.append(int(entry, 0))
        self.add_sample(time, pid, tid, cpu, self.period, entries, entries[-1])

    def bare(self, time, pid, tid, cpu, mode, ip):
        self.data += record(9, MODES.index(mode), struct.pack("<QQIIQIIQ", len(self.events), int(ip, 0), pid, tid, time,
                                                              cpu, 0, self.period))

    def calls(self, time, pid, tid, cpu, *words):
        marks = {"k:": KERNEL, "u:": USER}
        entries = [marks[w] if w in marks else int(w, 0) for w in words if ">" not in w]
        calls = [[int(n, 0) for n in w.split(">")] for w in words if ">" in w]
        rest = struct.pack("<QQ", len(calls), 0) + b"".join(struct.pack("<QQQ", *call, 0) for call in calls)
        self.add_sample(time, pid, tid, cpu, self.period, entries, entries[1], rest, misc=1 if entries[0] == KERNEL else 2)

    def deferred(self, time, tid, cookie, *chain):
        body = struct.pack("<QQQ", cookie, len(chain) + 1, USER) + b"".join(struct.pack("<Q", int(a, 0)) for a in chain)
        self.data += record(22, 2, body + trailer(time, tid, tid))

    def aux(self, kind, size):
        self.data += record(70, 0, struct.pack("<II", kind, 0))
        self.data += record(71, 0, struct.pack("<QQQIIII", size, 0, 0, 0, 0, 0, 0)) + bytes(size)

    def kernel_mmap(self, start, length, offset, name):
        body = struct.pack("<IIQQQ", 0xffffffff, 0, int(start, 0), int(length, 0), int(offset, 0))
        self.add(1, 1, body + text(name), 0)

    def kernel_code(self, time, start, length, name):
        self.add(17, 0, struct.pack("<QIHH", int(start, 0), int(length, 0), 1, 0) + text(name), int(time, 0))

    def here(self):
        machine = os.uname()
        for feature, value in (3, machine.nodename), (4, machine.release), (6, machine.machine):
            self.features[feature] = self.string(value)

    def registers(self):
        return REGISTER_BITS.get(self.arch, REGISTER_BITS["x86_64"])

    def stack(self, time, pid, tid, cpu, *words):
        _, _, _, size, extra = self.events[-1]
        names, mask = self.registers()
        abi, there, values, at, entries = 2, None, {}, {}, []
        for word in words:
            name, *numbers = word.split(":")
            numbers = [int(n, 0) for n in numbers if n]
            if name in ("k", "u"):
                entries.append(KERNEL if name == "k" else USER)
            elif name == "abi":
                abi = numbers[0]
            elif name == "there":
                there = numbers[0]
            elif name == "size":
                size = numbers[0]
            elif name == "at":
                at[numbers[0]] = numbers[1]
            elif name in names:
                values[names[name]] = numbers[0]
            else:
                entries.append(int(word, 0))
        copy = bytearray(size)
        for offset, value in at.items():
            copy[offset:offset + 8] = struct.pack("<Q", value)
        rest = struct.pack("<IIQ", 12, 0, 0) if "raw" in extra else b""
        if "branches" in extra:  # count, index, {from, to, flags}
            rest += struct.pack("<QQ6Q", 2, 7, 1, 2, 3, 4, 5, 6)
        rest += struct.pack("<Q", abi)
        if abi:
            rest += b"".join(struct.pack("<Q", values.get(bit, 0)) for bit in range(64) if mask >> bit & 1)
        if "nocopy" not in extra:
            rest += struct.pack("<Q", size)
        if size and "nocopy" not in extra:
            rest += bytes(copy) + struct.pack("<Q", size if there is None else there)
        exact = values.get(names["pc" if "pc" in names else "ip"], 0)
        ip = entries[1] if len(entries) > 1 and entries[0] == KERNEL else exact
        before = struct.pack("<QQQQQQ", 2, 9, 1, 1, 2, 2) if "values" in extra else b""  # a group of two
        self.add_sample(time, pid, tid, cpu, self.period, entries, ip, rest, before)

    def span(self, begin, time, pid, tid, cpu, ns, count, longest, flags, *chain):
        marks, migrations = {"k:": KERNEL, "u:": USER}, b""
        if chain and chain[-1].startswith("migrations:"):
            migrations, chain = struct.pack("<Q", int(chain[-1][11:], 0)), chain[:-1]
        entries = [marks[w] if w in marks else labels(w) if labels(w) is not None else int(w, 0) for w in chain]
        flags = FLAGS[flags] if flags in FLAGS else int(flags, 0)
        self.add_sample(time, pid, tid, cpu, ns, entries, entries[0] if entries else 0,
                        struct.pack("<IIQQQ", 28 + len(migrations), flags, count, longest, begin) + migrations)

    def tracepoint(self, name, number):
        self.tracepoints.append(("sched_" + name, int(number, 0)))
        self.events.append(("sched:sched_" + name, 2, int(number, 0)))

    def trace(self, name, time, tid, cpu, raw, chain=()):
        marks = {"k:": KERNEL, "u:": USER}
        entries = [marks[w] if w in marks else int(w, 0) for w in chain]
        names = [event[0] for event in self.events]
        raw += b"\0" * (-(len(raw) + 4) % 8)
        self.data += record(9, 2, struct.pack("<QQIIQIIQQ", names.index("sched:sched_" + name) + 1, 0, tid, tid,
                                              time, cpu, 0, 1, len(entries)) +
                            b"".join(struct.pack("<Q", e) for e in entries) +
                            struct.pack("<I", len(raw)) + raw)

    def switch(self, time, cpu, prev, state, following, *chain):
        raw = struct.pack("<HHiq16siiq16si", 0, 0, prev, 0, b"t%d" % prev, prev, 120, state,
                          b"t%d" % following, following)
        self.trace("switch", time, prev, cpu, raw, chain)

    def wake(self, name, time, cpu, waker, tid, target, *chain):
        raw = struct.pack("<HHi16sii", 0, 0, waker, b"t%d" % tid, tid, 120)
        raw += struct.pack("<i", target) if name != "migrate_task" else struct.pack("<ii", cpu, target)
        self.trace(name, time, waker, cpu, raw, chain)

    def formats(self):
        """The section HEADER_TRACING_DATA."""
        files = []
        for name, number in self.tracepoints:
            fields, after = (SWITCH_FIELDS, SWITCH_PRINT) if name == "sched_switch" else (WAKE_FIELDS, '""')
            if name == "sched_migrate_task":
                fields = fields + [("int", "orig_cpu", 32, 4), ("int", "dest_cpu", 36, 4)]
            elif name != "sched_switch":
                fields = fields + [("int", "target_cpu", 32, 4)]
            content = "name: %s\nID: %d\nformat:\n" % (name, number)
            for kind, field, offset, size in COMMON + fields:
                content += "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:1;\n" % (kind, field, offset, size)
            files.append((content + "\nprint fmt: " + after + "\n").encode())
        head = b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096)
        head += b"header_page\0" + bytes(8) + b"header_event\0" + bytes(8) + struct.pack("<II", 0, 1)
        return head + b"sched\0" + struct.pack("<I", len(files)) + b"".join(
            struct.pack("<Q", len(f)) + f for f in files) + bytes(16)

    def run(self, line):
        verb, *words = shlex.split(line, comments=True) or [""]
        if verb == "event":
            self.event(*words)
        elif verb == "stack-event":
            self.events.append((words[0], 1, 0, int(words[1], 0), words[2:]))
        elif verb == "bare-event":
            self.events.append((words[0], 1, 0, None, ["bare"]))
        elif verb == "calls-event":
            self.events.append((words[0], 1, 0, None, ["calls"]))
        elif verb in ("bare", "calls"):
            getattr(self, verb)(*[int(w, 0) for w in words[:4]], *words[4:])
        elif verb in ("deferred", "aux"):
            numbers = [int(w, 0) for w in words[:3]]
            getattr(self, verb)(*numbers, *words[3:])
        elif verb == "kernel-mmap":
            self.kernel_mmap(*words)
        elif verb == "kernel-code":
            self.kernel_code(*words)
        elif verb == "pipe":
            self.pipe = True
        elif verb == "here":
            self.here()
        elif verb == "walked-event":
            self.events.append((words[0], 1, 0, 0, []))
        elif verb == "stack":
            self.stack(*[int(w, 0) for w in words[:4]], *words[4:])
        elif verb == "arch":
            self.arch = words[0]
            self.features[6] = self.string(words[0])
        elif verb == "span-event":
            self.events.append((words[0], *SPANS))
            self.least[words[0]] = int(words[1]) if words[1:] else 0
        elif verb == "span":
            self.span(*[int(w, 0) for w in words[:8]], *words[8:])
        elif verb == "gap":
            self.section(245, " ".join(words))
        elif verb == "thread":
            name = " ".join(words[2:]).encode("utf-8", "surrogateescape").decode("unicode_escape")
            self.sections.setdefault(241, bytearray()).extend((" ".join(words[:2]) + " ").encode() +
                                                              name.encode("latin-1") + b"\n")
        elif verb == "clock-state":
            self.section(255, " ".join(words))
        elif verb == "watch":
            self.section(238, " ".join(words))
        elif verb == "cost":
            self.section(236, " ".join(words))
        elif verb == "own":
            self.section(248, words[0])
        elif verb == "lane":
            self.section(250, " ".join(words))
        elif verb == "value":
            self.span(int(words[0]), int(words[0]), -1 & 0xffffffff, -1 & 0xffffffff, 0xffffffff, int(words[2]), 1, 0,
                      "single", "label:17:" + words[1])
        elif verb == "file":
            self.section(249, " ".join(words))
        elif verb == "syscall":
            self.section(252, " ".join(words))
        elif verb == "device":
            self.section(253, " ".join(words))
        elif verb == "priority":
            self.section(237, " ".join(words))
        elif verb == "owner":
            self.section(234, " ".join(words))
        elif verb == "affinity":
            self.section(235, " ".join(words))
        elif verb == "window":
            self.section(251, " ".join(words))
        elif verb == "topology":
            self.section(244, " ".join(words))
        elif verb == "tracepoint":
            self.tracepoint(*words)
        elif verb == "switch":
            self.switch(*[int(w, 0) for w in words[:5]], *words[5:])
        elif verb == "wake":
            self.wake(words[0], *[int(w, 0) for w in words[1:6]], *words[6:])
        elif verb.removeprefix("wide-") in ("in", "out", "out-preempt"):
            time, pid, tid, cpu, *other = [int(w, 0) for w in words]
            self.switches = True
            wide = verb.startswith("wide")
            misc = 0x2000 * ("out" in verb) + 0x4000 * ("preempt" in verb)
            pids = struct.pack("<ii", *(other or (0, 0))) if wide else b""
            self.data += record(15 if wide else 14, misc, pids +
                                struct.pack("<iiQIIQ", pid, tid, time, cpu, 0, 1))
        elif verb == "exit":
            time, pid, tid = [int(w, 0) for w in words]
            self.add(4, 0, struct.pack("<IIIIQ", pid, pid, tid, pid, time), time, pid, tid)
        elif verb == "lost-at":
            time, cpu, count = [int(w, 0) for w in words]
            self.data += record(2, 0, struct.pack("<QQIIQIIQ", 1, count, 0, 0, time, cpu, 0, 1))
        elif verb == "lost-sum":
            number, count = [int(w, 0) for w in words]
            self.data += record(13, 0, struct.pack("<Q", count) + trailer(0, event=number - 1))
        elif verb in ("throttle", "unthrottle"):
            time, cpu, number = [int(w, 0) for w in words]
            self.data += record(5 if verb == "throttle" else 6, 0,
                                struct.pack("<QQQIIQIIQ", time, number, number, 0, 0, time, cpu, 0, number))
        elif verb == "cpu-map":
            self.data += record(74, 0, struct.pack("<HH%dH" % len(words), 0, len(words), *[int(w) for w in words]))
        elif verb == "cpu-mask":
            self.data += record(74, 0, struct.pack("<HHHH%dQ" % len(words), 1, len(words), 8, 0,
                                                   *[int(w, 0) for w in words]))
        elif verb == "cpu-range":
            self.data += record(74, 0, struct.pack("<HBBHH", 2, 0, 0, *[int(w) for w in words]))
        elif verb == "period":
            self.period = int(words[0], 0)
        elif verb in ("comm", "exec", "fork", "mmap"):
            count = {"comm": 3, "exec": 2, "fork": len(words), "mmap": 5}[verb]
            getattr(self, verb)(*[int(w, 0) for w in words[:count]], *words[count:])
        elif verb == "file-mmap":
            self.mmap(*[int(w, 0) for w in words[:5]], *words[5:], inode=os.stat(" ".join(words[5:])).st_ino)
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
        elif verb == "build-id":
            body = struct.pack("<i20sB3x", -1, bytes.fromhex(words[0]), 20) + text(" ".join(words[1:]))
            self.features[2] = self.features.get(2, b"") + struct.pack("<IHH", 0, 0x8002, 8 + len(body)) + body
        elif verb == "command":
            self.features[11] = struct.pack("<I", len(words)) + b"".join(map(self.string, words))
        elif verb in ("clock", "loss"):
            self.section(243 if verb == "clock" else 242, " ".join(words))
        elif verb == "symbol-module":
            self.section(240, "module " + " ".join(words))
        elif verb == "symbol":
            self.section(240, "%x %x " % (int(words[0], 0), int(words[1], 0)) + " ".join(words[2:]))
        elif verb == "symbol-line":
            self.section(240, " ".join(words))
        elif verb:
            sys.exit("make_recording: what is '%s'?" % verb)

    @staticmethod
    def string(value):
        raw = text(value)
        return struct.pack("<I", len(raw)) + raw

    def section(self, bit, line):
        self.sections.setdefault(bit, bytearray()).extend(line.encode("utf-8", "surrogateescape") + b"\n")

    def attr(self, name, kind, config, size=None, extra=()):
        flags = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 18 | 1 << 23  # mmap comm freq sample_id_all mmap2
        rate, types, values, branches, registers = 99, SAMPLE_TYPE, 0, 0, 0
        if (kind, config) == SPANS or kind == 2:
            flags, rate, types = 1 << 18, 1, SAMPLE_TYPE | RAW  # as collect/recording/spans.c
        flags |= self.switches << 26  # context_switch
        if size is not None or name == "alloc":
            flags |= 1 << 22  # exclude_callchain_user
        if size:
            types |= REGISTERS | (0 if "nocopy" in extra else STACK) | (RAW if "raw" in extra else 0)
            registers = self.registers()[1]
        if "bare" in extra:
            types &= ~0x20
        if "calls" in extra:
            types, branches = types | BRANCHES, 1 << 17 | 1 << 11 | 1  # hw_index, call stack, user
        if "values" in extra:
            types, values = types | VALUES, 1 << 3 | 1 << 2 | 1  # group, id, time enabled
        if "branches" in extra:
            types, branches = types | BRANCHES, 1 << 17 | 1 << 3  # hw_index, any
        letters = name.encode()[:8].ljust(8, b"\0") if (kind, config) == SPANS else bytes(8)  # config1
        return (struct.pack("<IIQQQQQII", kind, 128, config, rate, types, values, flags, 0, 0) + letters +
                struct.pack("<QQQI", self.least.get(name, 0), branches, registers, size or 0)).ljust(128, b"\0")

    def piped(self):
        out = b"PERFILE2" + struct.pack("<Q", 16)
        for i, event in enumerate(self.events):
            out += record(64, 0, self.attr(*event) + struct.pack("<Q", i + 1))
        if self.tracepoints:
            formats = self.formats()
            formats += bytes(-len(formats) % 8)
            out += record(66, 0, struct.pack("<II", len(formats), 0)) + formats
        return out + bytes(self.data)

    def bytes(self):
        if self.pipe:
            return self.piped()
        count = len(self.events)
        ids_at = 104
        attrs_at = ids_at + 8 * count
        data_at = attrs_at + 144 * count
        ids = b"".join(struct.pack("<Q", i + 1) for i in range(count))
        attrs = b"".join(self.attr(*event) + struct.pack("<QQ", ids_at + 8 * i, 8)
                         for i, event in enumerate(self.events))
        self.features[12] = struct.pack("<II", count, 128) + b"".join(
            self.attr(*event) + struct.pack("<I", 1) + self.string(event[0]) + struct.pack("<Q", i + 1)
            for i, event in enumerate(self.events))
        if self.tracepoints:
            self.features[1] = self.formats()
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
        return header + ids + attrs + bytes(self.data) + table + tail


def main():
    recording = Recording()
    for line in sys.stdin:
        recording.run(line)
    with open(sys.argv[1], "wb") as out:
        out.write(recording.bytes())


if __name__ == "__main__":
    main()
