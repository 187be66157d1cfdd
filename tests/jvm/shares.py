#!/usr/bin/env python3
"""shares.py: how right the shares of inlined methods are, of programs (tests/jvm/Shares.java) that a JVM runs with
default flags: as collect has it, with nearest debug information and with what is certain only, and as JFR has it.
The truth is what collect says of the same program under -XX:+DebugNonSafepoints.

    shares.py [--tap] PYROGRAPH CLASSES JAVA [PROGRAM ...]
    shares.py [--tap] [--most=POINTS] --same NEAR_TRUTH CLASSES JAVA [PROGRAM ...]

--most: the leaf may be wrong by so many points in the mean.  With --same (and perf) one JVM with that flag is sampled, and asked by tests/jvm/near_truth.c what would be said of the
same code if it had been started without: two runs of a program are not always compiled alike, which is as much as 10
points.  Only samples in compiled code are counted, and only what is inlined there.

The error of the leaf: how many percentage points of the samples are at another method than in truth, which is
half of the sum of the differences.  The error of a sum: by how much the share of the stacks that have a method in them
differs, of the method of which it does most.

    SHARES_SECONDS  of CPU time, of each recording      [3]
    SHARES_OPTIONS  of the JVM: -XX:+UseSerialGC, say

Where HotSpot says that the hash of the program's name is computed, which it was once, it is wrong (42 points of chains under the
serial collector): those samples are left out of --same.

HashMap is not among the programs: most of what javac calls a comparison is laid by HotSpot's own records to a method
that has nothing to do with it, so that they are not the truth of it.
"""
import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime

SECONDS = float(os.environ.get("SHARES_SECONDS", 3))
PROGRAMS = ["virtual", "middle", "pair", "nest", "numbers", "arrays", "strings"]
HELD_OUT = ["parse", "chains", "matrix", "visit", "tree"] # by which nothing was chosen
OPTIONS = os.environ.get("SHARES_OPTIONS", "").split()
TRUTH = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"]
JFR = "-XX:StartFlightRecording:filename=%s,settings=none,+jdk.ExecutionSample#enabled=true,+jdk.ExecutionSample#period=10ms"
ENOUGH = 80  # samples, to judge by
NOT_TRUE = ";java.lang.StringLatin1.hashCode"


class Jvm:
    def __init__(self, java, classes, program, *options):
        self.process = subprocess.Popen([java, *OPTIONS, *options, "-cp", os.path.abspath(classes), "Shares", program],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while "ready" not in self.process.stdout.readline():
            if self.process.poll() is not None:
                sys.exit("shares.py: the JVM has ended")

    def cpu(self):
        with open("/proc/%d/stat" % self.process.pid) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stands_still(self, still):
        self.process.send_signal(signal.SIGSTOP if still else signal.SIGCONT)

    def end(self):
        self.stands_still(False)
        self.process.stdin.close()
        self.process.wait()


def until_used(jvm, recorder, data, begun):
    """Waits until the JVM has used SECONDS since there were so many bytes of the recording: a busy machine takes its time
    for that, too.  Then ends it, and the JVM stands still until the next one, or its end: what it does meanwhile tells
    nothing."""
    for _ in range(3000):
        if recorder.poll() is not None or (os.path.exists(data) and os.path.getsize(data) >= begun):
            break
        time.sleep(0.02)
    enough = jvm.cpu() + SECONDS
    while recorder.poll() is None and jvm.cpu() < enough:
        time.sleep(max(0.02, (enough - jvm.cpu()) / os.cpu_count()))
    jvm.stands_still(True)
    recorder.send_signal(signal.SIGINT)
    recorder.wait()


def recorded(pyrograph, jvm, directory, *options):
    """Stacks of the main thread, the innermost last, and how many samples have them."""
    data = os.path.join(directory, "shares.data")
    if os.path.exists(data):
        os.unlink(data)
    jvm.stands_still(False)
    collector = subprocess.Popen([pyrograph, "collect", "cpu", "-q", "-F", "1999", "--call-graph", "dwarf",
                                  "-p", str(jvm.process.pid), "-o", data, *options])
    until_used(jvm, collector, data, 4000) # what was there before
    folded = subprocess.run([pyrograph, "collapse", "-q", "--all", "--threads", "^main$", data],
                            check=True, stdout=subprocess.PIPE, text=True).stdout
    stacks = collections.Counter()
    for line in folded.splitlines():
        if line.startswith("#"):
            continue
        stack, count = line.rsplit(" ", 1)
        java = [f[:-4] for f in stack.split(";") if re.search(r"_\[[01ji?]\]$", f) and "." in f]
        if java:
            stacks[tuple(java)] += int(count)
    return stacks


def of_jfr(path, since):
    printed = subprocess.run(["jfr", "print", "--json", "--stack-depth", "64", "--events", "jdk.ExecutionSample", path],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
    stacks = collections.Counter()
    for event in json.loads(printed)["recording"]["events"]:
        values = event["values"]
        at = datetime.fromisoformat(re.sub(r"(\.\d{6})\d*", r"\1", values["startTime"]).replace("Z", "+00:00"))
        if values["sampledThread"]["javaName"] != "main" or at.timestamp() < since:
            continue
        frames = [f["method"]["type"]["name"].replace("/", ".") + "." + f["method"]["name"]
                  for f in values["stackTrace"]["frames"]]
        stacks[tuple(reversed(frames))] += 1
    return stacks


def shares(stacks, of):
    found, total = collections.Counter(), sum(stacks.values())
    for stack, count in stacks.items():
        for method in of(stack):
            found[method] += 100 * count / total
    return found


def leaf(stack):
    return [stack[-1]]


def leaf_error(stacks, truth):
    got, wanted = shares(stacks, leaf), shares(truth, leaf)
    return sum(abs(got[m] - wanted[m]) for m in set(got) | set(wanted)) / 2


def sum_error(stacks, truth):
    got, wanted = shares(stacks, set), shares(truth, set)
    return max((abs(got[m] - wanted[m]), m) for m in set(got) | set(wanted))


def measure(pyrograph, classes, java, program):
    with tempfile.TemporaryDirectory() as directory:
        jvm = Jvm(java, classes, program, *TRUTH)
        found = {"truth": recorded(pyrograph, jvm, directory)}
        jvm.end()
        log = os.path.join(directory, "shares.jfr")
        jvm = Jvm(java, classes, program, JFR % log)
        since = datetime.now().timestamp()
        found["nearest"] = recorded(pyrograph, jvm, directory)
        found["certain"] = recorded(pyrograph, jvm, directory, "--jvm-inline", "certain")
        jvm.end()
        found["JFR"] = of_jfr(log, since)
    return found


def measure_same(near_truth, classes, java, program):
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "shares.data")
        jvm = Jvm(java, classes, program, *TRUTH)
        perf = subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "3999", "-p", str(jvm.process.pid), "-o", data],
                                stderr=subprocess.DEVNULL)
        until_used(jvm, perf, data, 1)
        printed = subprocess.run(["perf", "script", "-i", data, "-F", "ip"], check=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True).stdout
        addresses = collections.Counter(printed.split())
        said = subprocess.run([near_truth, str(jvm.process.pid)], check=True, stdout=subprocess.PIPE, text=True,
                              input="".join("%s %d\n" % a for a in addresses.items())).stdout
        jvm.end()
    found = {name: collections.Counter() for name in ("truth", "nearest", "next")}
    lines = [line.split(" ", 2) for line in said.splitlines()]
    for address in zip(*[iter(lines)] * 3): # truth, next, nearest
        if address[0][2].endswith(NOT_TRUE):
            continue
        for name, count, stack in address:
            found[name][tuple(stack.split(";"))] += int(count)
    return found


def print_program(program, found):
    methods = shares(found["truth"], leaf)
    for name in found:
        methods |= shares(found[name], leaf)
    print("# %-30s %s" % (program + ", leaf:", "".join("%9s" % name for name in found)))
    for method in sorted(methods, key=methods.get, reverse=True):
        row = [shares(stacks, leaf)[method] for stacks in found.values()]
        if max(row) >= 3:
            print("#   %-28s %s" % (method[-28:], "".join("%9.1f" % share for share in row)))
    print("#   %-28s %s" % ("samples", "".join("%9d" % sum(stacks.values()) for stacks in found.values())))


def judge(what, ok, said):
    print("%s - %s: %s" % ("ok" if ok else "not ok", what, said))


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    same = "--same" in sys.argv
    most = [float(a[7:]) for a in sys.argv if a.startswith("--most=")]
    pyrograph, classes, java = arguments[:3]
    errors = collections.defaultdict(list)
    for program in arguments[3:] or PROGRAMS + HELD_OUT:
        found = (measure_same if same else measure)(pyrograph, classes, java, program)
        print_program(program, found)
        # How many samples a JVM's own sampler takes is up to the JVM: some programs are hardly sampled at all.
        few = min(sum(stacks.values()) for name, stacks in found.items() if name != "JFR")
        if few < ENOUGH:
            judge(program, False, "%d samples are not enough to judge" % few)
        for name, stacks in found.items():
            if name != "truth":
                errors[name].append((leaf_error(stacks, found["truth"]), *sum_error(stacks, found["truth"]), program))
    mean, mean_sums = {}, {}
    for name, list_ in errors.items():
        mean[name] = sum(e[0] for e in list_) / len(list_)
        mean_sums[name] = sum(e[1] for e in list_) / len(list_)
        print("# error of %-8s leaf, mean %5.1f:" % (name, mean[name]), ", ".join("%s %.1f" % (e[3], e[0]) for e in list_))
        print("#               sums, mean %5.1f:" % mean_sums[name],
              ", ".join("%s %.1f (%s)" % (e[3], e[1], e[2]) for e in list_))
    for points in most:
        judge("the leaf is as good as right", mean["nearest"] <= points, "%.1f points wrong" % mean["nearest"])
    if "--tap" in sys.argv:
        others = [name for name in mean if name != "nearest"]
        for name in others:
            judge("the leaf is nearer to the truth than with " + name, mean["nearest"] < mean[name],
                  "%.1f points wrong, %.1f with %s" % (mean["nearest"], mean[name], name))
            judge("and the sums are", mean_sums["nearest"] < mean_sums[name],
                  "%.1f points wrong, %.1f with %s" % (mean_sums["nearest"], mean_sums[name], name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
