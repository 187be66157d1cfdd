#!/usr/bin/env python3
"""Holds folded stacks against what a program says of itself; prints TAP.

    truth.py WHAT TRUTH FOLDED COMM [SCRIPT]

TRUTH is the output of a program as tests/unwind/chains/chains.h describes it: lines
"STACK NANOSECONDS".  FOLDED is of `collapse --kernel` (kernel frames are left out).  Of the samples whose leaf is
that of a true stack, at least 98 in 100 must have exactly that stack, and none may have a
wrong one: one that is neither the stack nor ends early.  Early are [truncated] ones, and those
that lack their beginning while the rest is right.  On the way to the leaf every prefix is right.
Each leaf must have about the share of the samples that it had of the time.

INLINED=no in the environment: there is no debug information, and none of name_[i] in the stacks.
SCRIPT is the text of `perf script -F comm,ip,sym,dso --no-inline` of the same recording: what
perf has right we must have too; where we differ is told.  perf 6.1 differs from us in this: it
stops after 127 frames; behind a stack that was cut it shows one more address, which is none; it
loses samples at a function's last instructions, whose tables say that registers are on the stack
which were popped already; it finds no tables in static programs and in .debug_frame of programs
that have some elsewhere; it loses sight of a program that executes another.
"""
import collections
import itertools
import os
import re
import sys

SAMPLES, LEAST = 20, 5
WHOLE, MOVING = 0.98, 0.8  # MOVING: functions of stacks that unwind themselves
VERDICTS = ("right", "way", "early", "wrong", "elsewhere")
PLACES = {
    "start": r"(_start|\[chains.*\]|chains\+0x[0-9a-f]+|_start_c)",
    "libc_start": r"(__libc_start_\w+|__libc_init_first|\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+|\[chains.*\]|chains\+0x[0-9a-f]+)",
    "clone": r"(_*clone3?|\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+|\[chains.*\]|chains\+0x[0-9a-f]+)",
    "start_thread": r"(start_thread|\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+|\[chains.*\]|chains\+0x[0-9a-f]+)",
    "signal": r"(__restore_rt|\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+|\[chains.*\]|chains\+0x[0-9a-f]+)",
    "libc": r"(__)?(GI_)?(__)?(clock_gettime.*|libc_\w+|\w+@plt|\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+|\[chains.*\]|chains\+0x[0-9a-f]+)",
    "vdso": r"(__vdso_\w+|\[vdso\]|\w*clock_gettime\w*|__cvdso\w*|do_hres.*|\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+)",
}
# How long a program takes to start depends on the cost of page faults on the machine.
LINKER = re.compile(r"^(\[truncated\];)?(_start;)?(_dl_start\w*|\[?ld-linux[^;]*)(;|$)")
PLACES = {name: re.compile(text + r"$") for name, text in PLACES.items()}


def is_place(name, frame):
    return PLACES[name].match(frame) is not None


def beginning(frames):
    """frames with what lies below main and below a thread's function as one."""
    if frames and is_place("start", frames[0]):
        n = 1
        while n < min(len(frames), 4) and is_place("libc_start", frames[n]):
            n += 1
        if n > 1 or len(frames) == 1:
            return ["{start}"] + frames[n:]
    if len(frames) > 1 and is_place("clone", frames[0]) and is_place("start_thread", frames[1]):
        return ["{thread}"] + frames[2:]
    return frames


class Truth:
    def __init__(self, text):
        self.early_is_right = text.startswith("~")
        self.text = text.lstrip("~")
        self.frames = []
        for word in self.text.split(";"):
            name, star, times = word.partition("*")
            self.frames += [name] * int(times) if star and times.isdigit() else [word]
        self.is_stub = self.frames[-1].startswith("{stub}")
        self.any_depth = self.frames[-1] == "{deeper}"
        if self.any_depth:
            self.frames.pop()
        self.own = {f for f in self.frames if not f.startswith("{")} - {"main"}
        self.counts = collections.Counter()

    @staticmethod
    def same(want, got):
        if want == got:
            return True
        if want.startswith("{stub}"):
            name = want[6:]
            return got in (name, name + "@plt")
        return want in ("{signal}", "{libc}", "{vdso}") and is_place(want[1:-1], got)

    def all_same(self, wanted, got):
        return len(wanted) == len(got) and all(map(self.same, wanted, got))

    def canonical(self, got):
        """got, which is right, with the words of the truth where names may differ."""
        if self.any_depth and len(got) > len(self.frames):
            return self.frames + ["{deeper}"]
        return [w if w.startswith("{") and self.same(w, g) else g
                for w, g in itertools.zip_longest(self.frames, got, fillvalue="") if g]

    def is_moving(self, frames, others):
        """In a library, above nothing but functions of the truth: an exception that is about to arrive
        has put the place where it is caught where return addresses were."""
        return frames[-1] not in others and others & set(frames) <= self.own | {"main"}

    def judge(self, frames, marked, others):
        """right, way (to the leaf, or from there into a library), early, wrong, or None: nothing
        to do with this.  others: names of all true stacks."""
        wanted, n = self.frames, len(frames)
        if self.is_stub and n == len(wanted) and self.all_same(wanted[:-1], frames[:-1]) and \
                not self.same(wanted[-1], frames[-1]) and not frames[-1].startswith("_dl_"):
            return "wrong"  # the stub's name
        if not marked:
            if self.all_same(wanted, frames) or self.any_depth and self.all_same(wanted, frames[:len(wanted)]):
                return "right"
            if any(self.all_same(wanted[:k], frames[:k]) and not others & set(frames[k:])
                   for k in range(min(n, len(wanted)), 0, -1)):
                return "way"
        for end in range(len(wanted), n - 1, -1):
            if n and self.all_same(wanted[end - n:end], frames) and (n > 1 or frames[0] in self.own):
                return "early"
        if self.any_depth and self.own & set(frames) and self.is_moving(frames, others):
            return "early"
        return "wrong" if self.own & set(frames) else None


def without_inlined(frames):
    return [f for f in frames if not f.endswith("_[i]")]


def read_truth(path, inlined=True):
    truths = []
    for line in open(path):
        if not line.startswith("#"):
            stack, ns = line.rsplit(" ", 1)
            truths.append(Truth(stack if inlined else ";".join(without_inlined(stack.split(";")))))
            truths[-1].ns = int(ns)
    return truths


def folded(path):
    """(comm, frames, count) of each line; without what is the kernel's."""
    for line in open(path, errors="surrogateescape"):
        if not line.startswith("# "):
            stack, count = line.rstrip("\n").rsplit(" ", 1)
            comm, *frames = stack.split(";")
            yield comm, [f for f in frames if not f.endswith("_[k]")], int(count)


def script(path):
    """The same of perf script's text."""
    comm, frames = None, []
    for line in open(path, errors="surrogateescape"):
        match = re.match(r"\s+[0-9a-f]+ (.*) \((.*)\)$", line)
        if match and comm is not None:
            name, place = match.groups()
            if place.startswith(("[kernel", "[guest")) or place.endswith(".ko"):
                continue
            if name == "[unknown]":
                name = "[%s]" % place.rsplit("/", 1)[-1].strip("[]")
            frames.append(name.split("@")[0])
        elif line.strip():
            if comm is not None:
                yield comm, frames[::-1], 1
            comm, frames = line.strip(), []
    if comm is not None:
        yield comm, frames[::-1], 1


def judge_all(truths, stacks, comm_wanted):
    """Count everything into truths; returns {(verdict, stack): samples}."""
    seen, sums = collections.Counter(), collections.Counter()
    for comm, frames, count in stacks:
        sums[comm, tuple(frames)] += count
    others = {name for t in truths for name in t.own} | {"main", "[%s]" % comm_wanted}
    for (comm, frames), count in sums.items():
        if comm != comm_wanted or not frames:
            continue
        frames = list(frames)
        marked = frames[0] == "[truncated]"
        frames = beginning(frames[1:] if marked else frames)
        verdicts = [(t.judge(frames, marked, others), t) for t in truths]
        for wanted in ("right", "way", "early", "wrong"):
            found = [t for verdict, t in verdicts if verdict == wanted]
            if found:
                break
        else:
            wanted = "elsewhere"
        if found and (len(found) == 1 or wanted in ("right", "wrong")):
            found.sort(key=lambda t: t.frames[-1] != frames[-1])
            found[0].counts[wanted] += count
        if wanted in ("right", "way"):
            frames = found[0].canonical(frames)
        seen[wanted, ";".join((["[truncated]"] if marked else []) + frames)] += count
    return seen


def has_lost(path):
    """Some samples are missing, nobody knows of what."""
    match = re.search(r" lost=(\d+)/", open(path, errors="surrogateescape").readline())
    return match is not None and int(match.group(1)) > 0


def tell(seen):
    totals = collections.Counter()
    for (verdict, _), count in seen.items():
        totals[verdict] += count
    return ", ".join("%d %s" % (totals[v], v) for v in VERDICTS if totals[v] or v == "right")


def shown(stack):
    return stack if len(stack) < 400 else stack[:100] + " ... " + stack[-300:]


def faults_of(truths, seen, lost):
    faults = []
    total = sum(seen.values())
    total_ns = sum(t.ns for t in truths)
    for t in truths:
        right, early, wrong, way = (t.counts[v] for v in ("right", "early", "wrong", "way"))
        if t.early_is_right:
            right, early = right + early, 0
        share, true_share = (right + way) / total, t.ns / total_ns
        if t.is_stub or t.frames[-1].endswith("_[i]") and right:  # whose instructions are mixed with its caller's
            right += way
        least = MOVING if t.any_depth else WHOLE
        few = 1 if t.text.endswith("{vdso}") else LEAST  # some virtual machines read the clock in the kernel, seldom in the vdso
        if right < min(few, true_share * total / 3) or right < least * (right + early + wrong) or wrong:
            faults.append("%d right, %d early, %d wrong of %s" % (right, early, wrong, t.text))
        elif not lost and abs(share - true_share) > 0.03 + 5 * (true_share / total) ** 0.5:
            faults.append("%.3f of samples, %.3f of the time: %s" % (share, true_share, t.text))
    if sum(n for (verdict, stack), n in seen.items() if verdict == "elsewhere" and not LINKER.search(stack)) > 0.1 * total:
        faults.append("too many samples elsewhere")
    return faults


def compare_script(ours, perfs):
    """What perf has right and we have not; and a comment on every other difference."""
    plain, right = collections.Counter(), collections.Counter()
    for (verdict, stack), n in ours.items():
        stack = ";".join(without_inlined(stack.split(";")))
        plain[verdict, stack] += n
        right[stack] += n
    ours = plain
    missing = sum(max(0, n - right[stack]) for (verdict, stack), n in perfs.items() if verdict == "right")
    faults = ["%d stacks that perf script has right are not ours" % missing] if missing else []
    for name, more in (("only perf script's", perfs - ours), ("only ours", ours - perfs)):
        for (verdict, stack), n in more.most_common():
            print("# %s: %d %s: %s" % (name, n, verdict, shown(stack)))
    return faults


def main():
    what, truth_path, path, comm = sys.argv[1:5]
    inlined = os.environ.get("INLINED") != "no"
    truths = read_truth(truth_path, inlined)
    seen = judge_all(truths, folded(path), comm)
    faults, told = [], tell(seen)
    if not truths or sum(seen.values()) < SAMPLES:
        faults.append("too little to compare: %d true stacks, %d samples" % (len(truths), sum(seen.values())))
    else:
        faults += faults_of(truths, seen, has_lost(path))
    if len(sys.argv) > 5:
        perfs = judge_all(read_truth(truth_path, False), script(sys.argv[5]), comm)
        told += " (perf script: %s)" % tell(perfs)
        faults += compare_script(seen, perfs)
    print("%s - %s: %s" % ("not ok" if faults else "ok", what, told))
    for fault in faults:
        print("#   " + fault)
    for (verdict, stack), n in seen.most_common() if faults else []:
        if verdict in ("wrong", "early", "elsewhere"):
            print("#   %s: %d %s" % (verdict, n, shown(stack)))


if __name__ == "__main__":
    main()
