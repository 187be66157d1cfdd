#!/usr/bin/env python3
"""Compares collapse with `jfr print` on a flight recording: times, threads, stacks, lines, values.

    jfr_judge.py PYROGRAPH JFR RECORDING EVENT...

Prints a TAP line for each event."""
import datetime
import json
import re
import subprocess
import sys

KINDS = {"Interpreted": "_[0]", "JIT compiled": "_[j]", "C1 compiled": "_[1]", "Inlined": "_[i]", "Kernel": "_[k]"}
WEIGHTS = {"jdk.ObjectAllocationInNewTLAB": "tlabSize", "jdk.ObjectAllocationOutsideTLAB": "allocationSize",
           "jdk.ObjectAllocationSample": "weight"}
PRIMITIVES = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short",
              "Z": "boolean"}


def frame(text):
    """As collapse/frames/frame.h."""
    text = re.sub(r"[\0-\x1f]", "?", text.replace(";", ":"))
    return re.sub(r" ([0-9.]+)$", r"_\1", text)


def time_ns(text):
    whole, fraction, zone = re.fullmatch(r"([^.Z+]*)(?:\.(\d+))?(Z|[+-].*)", text).groups()
    at = datetime.datetime.fromisoformat(whole + zone.replace("Z", "+00:00"))
    return int(at.timestamp()) * 10 ** 9 + int((fraction or "0").ljust(9, "0"))


def duration_ns(text):
    hours, minutes, seconds, fraction = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?", text).groups()
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole * 10 ** 9 + int((fraction or "0").ljust(9, "0"))


def class_name(name):
    name = re.sub(r"/(?!\d)", ".", name)
    inner = name.lstrip("[")
    if inner == name:
        return name
    inner = PRIMITIVES.get(inner) or re.sub(r"^L(.*);$", r"\1", inner)
    return inner + "[]" * (len(name) - len(name.lstrip("[")))


def line_of(event):
    values = event["values"]
    thread = values.get("sampledThread") or values.get("eventThread") or {}
    comm = thread.get("javaName") or thread.get("osName") or "[unknown]"
    stack = []
    leaf = values.get("objectClass") or values.get("monitorClass") or values.get("parkedClass")
    if leaf:
        stack.append(frame(class_name(leaf["name"])))
    trace = values.get("stackTrace")
    for f in trace["frames"] if trace else []:
        method = f["method"]
        name = class_name(method["type"]["name"]) + "." + method["name"]
        if f["lineNumber"] > 0:
            name += ":%d" % f["lineNumber"]
        stack.append(frame(name) + KINDS.get(f["type"], ""))
    if not trace or not trace["frames"]:
        stack.append("[unknown]")
    elif trace["truncated"]:
        stack.append("[truncated]")
    stack.append(frame(comm))
    if values.get("state"):
        stack.append(values["state"].replace("STATE_", ""))
    weight = 1
    counted = event["type"] in ("jdk.JavaErrorThrow", "jdk.JavaExceptionThrow")
    if event["type"] in WEIGHTS:
        weight = values[WEIGHTS[event["type"]]]
    elif "duration" in values and not counted:
        weight = duration_ns(values["duration"])
    at = time_ns(values["startTime"])
    return "@%d.%09d %s %d" % (at // 10 ** 9, at % 10 ** 9, ";".join(reversed(stack)), weight)


def main():
    pyrograph, jfr, recording = sys.argv[1:4]
    said = subprocess.run([jfr, "print", "--json", "--stack-depth", "2048", "--events", ",".join(sys.argv[4:]), recording],
                          stdout=subprocess.PIPE, check=True).stdout
    events = json.loads(said)["recording"]["events"]
    for event in sys.argv[4:]:
        wanted = sorted(line_of(e) for e in events if e["type"] == event)
        run = subprocess.run([pyrograph, "collapse", "-q", "--timed", "--all", "--srcline", "--root", "state,comm",
                              "--event", event, recording], stdout=subprocess.PIPE)
        got = sorted(line for line in run.stdout.decode().splitlines() if not line.startswith("# "))
        what = "%s: %d as jfr print has them" % (event, len(wanted))
        if got == wanted and got:
            print("ok - " + what)
            continue
        print("not ok - " + what)
        for name, lines in (("only jfr", set(wanted) - set(got)), ("only collapse", set(got) - set(wanted))):
            for line in sorted(lines)[:3]:
                print("#   %s: %s" % (name, line))


main()
