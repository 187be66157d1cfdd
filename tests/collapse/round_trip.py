#!/usr/bin/env python3
"""Any format to any format and back gives the same stacks; what goes in comes out, or is reported.

    round_trip.py DIRECTORY    prints TAP lines

Profiles are made at random, from a fixed seed, of names that some format may trip over."""
import os
import random
import re
import sys

sys.path.insert(0, "tests")
from tap import Stage, line  # noqa: E402

tmp = sys.argv[1]
STAGE = Stage("collapse")
OUTS = ["folded", "pprof", "otlp", "speedscope", "firefox", "chrome"]
NS = {"chrome"}  # values without a time are us in that format, and ns when they are read back
NAMES = ["main", "a", "a b", "a->b", "operator->", "f(int, char*)", "std::map<int, X<Y> >::~map()", "x_[k]", "y_[j]",
         "z_[i]", "v_[0]", "w_[1]", "étage", "日本", "😀", "[unknown]", "[libc.so.6]", "libc.so.6+0x12", '"quoted"', "a,b",
         "=1+1", "<b>&amp;", "]]>", "back\\slash", "java.lang.Thread.run", "Lcom/a/B;.run", "--", "-", "(root)", "0x7f",
         "name_7", "%s%n$", "'x'", "`x`", "x\u2028y", "swapper/0", "#1", "@1", "null", "(anonymous namespace)::f"]


def collapse(*args):
    status, out, said = STAGE.run(*args)
    return status, out.decode("utf-8", "surrogateescape"), said.decode("utf-8", "replace")


def read(text):
    found = {}
    for row in text.split("\n"):
        if row and not row.startswith("# "):
            stack, value = row.rsplit(" ", 1)
            found[stack] = found.get(stack, 0) + int(value)
    return found


def scaled(found, factor):
    return {stack: value * factor for stack, value in found.items()}


def difference(got, wanted):
    rows = [f"{s}: {got.get(s)}, not {wanted.get(s)}" for s in sorted(got.keys() | wanted.keys())
            if got.get(s) != wanted.get(s)]
    return rows[:6]


def make(rng, header):
    rows = {}
    for _ in range(rng.randrange(1, 60)):
        stack = ";".join(rng.choice(NAMES) for _ in range(rng.choice([1, 1, 2, 3, 5, 9, 40])))
        rows[stack] = rng.choice([1, 1, 2, 7, 1000, rng.randrange(1, 10**9)])
    return header + "".join(f"{stack} {value}\n" for stack, value in rows.items())


def path(name):
    return os.path.join(tmp, "trip." + name)


def write(name, text):
    with open(path(name), "w", encoding="utf-8", errors="surrogateescape") as out:
        out.write(text)
    return path(name)


def convert(source, to, *options):
    """Returns the path of source in another format; None: it failed."""
    target = path(os.path.basename(source)[5:][:20] + "." + to)
    options = [] if source.endswith(".folded") else options  # folded text has no roots
    status, _, said = collapse("-q", "--all", "--out", to, "-o", target, *options, source)
    return (target, said) if status == 0 else (None, said)


def trips(what, source, wanted, *options):
    """source to each format, and from there to each other one, has the stacks wanted."""
    wrong = []
    for first in OUTS:
        one, said = convert(source, first, *options)
        if not one:
            wrong.append(f"{first}: {said}")
            continue
        factor = 1000 if first in NS else 1
        got = read(collapse("-q", "--all", *([] if first == "folded" else options), one)[1])
        if got != scaled(wanted, factor):
            wrong += [f"{first}: {row}" for row in difference(got, scaled(wanted, factor))]
            continue
        for second in OUTS:
            two, said = convert(one, second, *options)
            if not two:
                wrong.append(f"{first}, {second}: {said}")
                continue
            # ns are ns in traces, too
            more = factor
            if second in NS and first not in NS:
                more = 1000
            got = read(collapse("-q", "--all", *([] if second == "folded" else options), two)[1])
            if got != scaled(wanted, more):
                wrong += [f"{first}, {second}: {row}" for row in difference(got, scaled(wanted, more))]
    line(not wrong, f"{what}: {len(wanted)} stacks through {len(OUTS) * (len(OUTS) + 1)} ways", *wrong[:12])


def random_profiles():
    rng = random.Random(17)
    for i in range(4):
        source = write(f"random{i}.folded", make(rng, ""))
        trips(f"random profile {i}", source, read(collapse("-q", "--all", source)[1]))
    roots = "# pyrograph: host=h event=cpu-clock root=comm unit=samples\n"
    source = write("rooted.folded", make(rng, roots))
    # The root is a label, and remains a frame.
    trips("with a root", source, read(collapse("-q", "--all", source)[1]), "--root", "none")


def samples(folder):
    """Texts of tools, through each format: threads are labels there."""
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".txt"):
            continue
        source, wrong = os.path.join(folder, name), []
        no_root = [] if name.startswith("folded.") else ["--root", "none"]
        status, text, said = collapse("-q", "--all", *no_root, source)
        if re.search(r" \d*\.\d+$", text, re.M):
            continue  # fractions become whole numbers
        if " columns=before,after" in text:
            continue  # for negative values: formats with one column keep only one of the two
        wanted = read(text)
        for out in OUTS[1:]:
            target = path("sample." + out)
            status, _, said = collapse("-q", "--all", "--out", out, "-o", target, source)
            got = read(collapse("-q", "--all", "--root", "none", target)[1]) if status == 0 else {}
            factor = sum(got.values()) // max(1, sum(wanted.values()))
            if "[no stack]" in wanted:  # if a label is required, it is one of the names of the thread
                named = [stack for stack in got if stack not in wanted]
                got["[no stack]"] = sum(got.pop(stack) for stack in named)
            if factor not in (1, 1000, 1000000) or got != scaled(wanted, factor):
                wrong += [f"{out}: {row}" for row in difference(got, scaled(wanted, factor or 1)) + [said]]
        line(wanted and not wrong, f"{name} through each format", *wrong[:12])


def losses():
    """Each line is a sample in the output, or is reported."""
    rng = random.Random(4)
    wrong = []
    for i in range(20):
        good, malformed, rows = {}, 0, []
        for _ in range(rng.randrange(1, 400)):
            if rng.random() < 0.2:
                malformed += 1
                rows.append(rng.choice(["nothing", "a;b -x", "a;b 1e30", "a;b x", "a;b 0x10", "a;b 1 ."]))
                continue
            stack = ";".join(rng.choice("abcdef") for _ in range(rng.randrange(1, 5)))
            good[stack] = good.get(stack, 0) + 3
            rows.append(stack + " 3")
        source = write(f"losses{i}.folded", "x 1\n" + "\n".join(rows) + "\n")
        good["x"] = good.get("x", 0) + 1
        _, text, said = collapse("--format", "folded", "--jobs", str(1 + i % 3), source)
        found = re.search(r"skipped: (\d+)", said)
        if read(text) != good:
            wrong += difference(read(text), good)
        if int(found[1] if found else 0) != malformed:
            wrong.append(f"{found and found[1]} of {malformed} are reported")
    line(not wrong, "what is not in the output is reported", *wrong[:12])


random_profiles()
samples("tests/collapse/formats")
losses()
