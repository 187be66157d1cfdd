#!/usr/bin/env python3
"""Any of our outputs behind any other, read again: the sums of both, or a refusal, or losses that are counted.

usage: concatenated.py DIR   (TAP on stdout)
"""
import itertools
import pathlib
import re
import sys

sys.path.insert(0, "tests")
from tap import Stage  # noqa: E402

tmp = pathlib.Path(sys.argv[1])

# Names differ between the inputs, so that the tables of one input do not fit the other.
FOLDED = {
    "plain": "# pyrograph: host=h event=cpu-clock unit=samples\na;b 100\na;c 20\n",
    "other": "# pyrograph: host=i event=cpu-clock unit=samples\nz;y;x 7\na;c 3\nq 1\n",
    "bare": "m;n 5\na;c 2\n",
    "timed": "# pyrograph: host=h event=cpu-clock unit=samples\n@1475682078.000000001 a;b 9\n@1475682079.000000000 a;c 8\n",
    "spans": "# pyrograph: host=h event=sched spans=start unit=samples\n@1475682078.000000001 a;b 6\na;d 7\n",
    "columns": "# pyrograph: host=h event=sched columns=time,count,longest unit=samples\na;b 100 2 60\na;c 20 1 20\n",
    "two": "# pyrograph: host=h event=sched columns=samples,period unit=samples\na;b 100 2\na;d 20 1\n",
    "differential": "# pyrograph: columns=before,after unit=samples\n# before: x: y\na;b 1 2\na;c 3 4\n",
    "ns": "# pyrograph: event=sched unit=ns\na;b 11\n",
    "numbers": "# pyrograph: host=h unit=samples\nmain;at timers.js position 7095 12\nmain;poll 3\n",
    "empty": "# pyrograph: host=h event=cpu-clock unit=samples\n",
}
# What each format makes of these two inputs, which have different stacks.
OUTPUTS = ("pprof", "otlp", "speedscope", "firefox", "chrome", "csv", "samples")
OF = ("plain", "other")


collapse = Stage("collapse").run


def sums(text):
    """The first values of folded lines, by stack."""
    found = {}
    for line in text.decode().splitlines():
        if line.startswith("# ") or not line:
            continue
        line = re.sub(r"^@\S+ ", "", line)
        stack = re.match(r"(.*?)((?: [0-9.]+)+)$", line)
        if stack:
            values = stack.group(2).split()
            found[stack.group(1)] = found.get(stack.group(1), 0) + float(values[0])
    return found


def add(first, second):
    return {stack: first.get(stack, 0) + second.get(stack, 0) for stack in first | second}


def judge(name, got, wanted):
    """None, or what is wrong."""
    said = got.err.decode(errors="replace")
    if got.status == 1 and said.strip() and not got.out:
        return None
    if got.status:
        return f"exit status {got.status}: {said}"
    if sums(got.out) == wanted:
        return None
    if re.search(r"(skipped: [1-9]|ends too soon)", said):  # each kept line is one of those that were written
        strange = {s for s, v in sums(got.out).items() if v > wanted.get(s, 0)}
        return f"{strange} were never written: {said}" if strange else None
    return f"{sums(got.out)}, not {wanted}, and nothing is said: {said}"


files = {}
for name, text in FOLDED.items():
    files[name] = text.encode()
for output, of in itertools.product(OUTPUTS, OF):
    if output == "samples" and of == "other":
        of = "timed"
    files[f"{of} as {output}"] = collapse("-q", "--out", output, "--format", "folded", "-o", "/dev/stdout", "-",
                                          stdin=FOLDED[of].encode()).out

alone = {name: sums(collapse("-q", stdin=data).out) if name != "empty" else {} for name, data in files.items()}
for first in files:
    wrong = []
    for second in files:
        (tmp / "pair").write_bytes(files[first] + files[second])
        got = collapse(str(tmp / "pair"))
        bad = judge(f"{first}, then {second}", got, add(alone[first], alone[second]))
        if bad:
            wrong.append(f"#   then {second}: {bad}")
    print("not ok" if wrong else "ok", f"- {first}, and any other output behind it")
    print("\n".join(wrong), end="\n" if wrong else "")
