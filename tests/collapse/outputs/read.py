#!/usr/bin/env python3
"""read.py: reads what collapse --out writes, strictly, and compares it with folded text.

    read.py same WHAT FOLDED NAME=FILE...

Prints a TAP line for each file: its stacks have the values that FOLDED has, to the unit.  NAME: pprof (what "go tool pprof
-raw" prints of it), speedscope, firefox, chrome, csv; otlp is otlp.py's."""
import collections
import csv
import json
import re
import sys
from decimal import Decimal


def read_folded(path):
    stacks, count = collections.Counter(), 1
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("# pyrograph"):
                columns = re.search(r" columns=(\S+)", line)
                count = len(columns.group(1).split(",")) if columns else 1
                continue
            if line.startswith("# "):
                continue
            words = re.sub(r"^@[0-9.]+ ", "", line.rstrip("\n")).rsplit(" ", count)
            stacks[words[0]] += Decimal(words[1])
    return stacks


def load(path):
    def constant(text):
        raise AssertionError("not JSON: " + text)
    with open(path, encoding="utf-8", errors="strict") as file:
        return json.load(file, parse_float=Decimal, parse_constant=constant)


def read_pprof(path):
    """go tool pprof -raw -symbolize=demangle=none"""
    stacks, locations, state = collections.Counter(), collections.defaultdict(list), ""
    samples = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if re.match(r"^(Samples|Locations|Mappings|Comment|PeriodType|Period|Time|Duration)\b", line):
                state = line.split(":")[0].strip()
                continue
            sample = re.match(r"^ +([0-9 ]+): ([0-9 ]+)$", line.rstrip("\n") + ("" if line.strip().endswith(":") else ""))
            if state == "Samples" and sample:
                samples.append((int(sample.group(1).split()[0]), sample.group(2).split()))
            if state == "Locations":
                at = re.match(r"^ +(\d+): 0x0 (M=\d+ )?(.*)$", line.rstrip("\n"))
                number = at.group(1) if at else number
                text = at.group(3) if at else line.strip("\n ")
                name = re.match(r"^(.*) (\S*):\d+ s=\d+(\(.*\))?$", text)
                assert name, "a location: " + line
                locations[number].append(name.group(1))
    for value, numbers in samples:
        frames = []
        for number in reversed(numbers):
            names = locations[number][::-1]
            frames += names[:1] + [name + "_[i]" for name in names[1:]]
        stacks[";".join(frames)] += value
    return stacks


def read_speedscope(path):
    data, stacks = load(path), collections.Counter()
    names = [frame["name"] for frame in data["shared"]["frames"]]
    assert data["$schema"] == "https://www.speedscope.app/file-format-schema.json" and data["name"] and data["profiles"]
    for profile in data["profiles"]:
        assert profile["unit"] in ("none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes")
        assert profile["name"] and profile["startValue"] <= profile["endValue"]
        if profile["type"] == "sampled":
            assert len(profile["samples"]) == len(profile["weights"])
            for sample, weight in zip(profile["samples"], profile["weights"]):
                stacks[";".join(names[i] for i in sample)] += weight
            continue
        assert profile["type"] == "evented"
        stack, last, opened = [], profile["startValue"], True
        for event in profile["events"]:
            assert last <= event["at"] <= profile["endValue"], "not in order"
            if event["type"] == "O":
                stack.append((event["frame"], event["at"]))
                opened = True
            else:
                frame, start = stack.pop()
                assert frame == event["frame"], "another frame closes"
                if opened:
                    stacks[";".join(names[i] for i, _ in stack + [(frame, start)])] += event["at"] - start
                opened = False
            last = event["at"]
        assert not stack, "a frame stays open"
    return stacks


# Version 60 of the processed format, as documented.
FIREFOX_TABLES = {
    "stackTable": {"frame": ("frameTable", False), "prefix": ("stackTable", True)},
    "frameTable": {"address": None, "inlineDepth": None, "category": ("categories", False), "subcategory": None,
                   "func": ("funcTable", False), "nativeSymbol": ("nativeSymbols", True), "innerWindowID": None,
                   "line": None, "column": None},
    "funcTable": {"name": ("stringArray", False), "isJS": None, "relevantForJS": None, "resource": None,
                  "source": ("sources", True), "lineNumber": None, "columnNumber": None},
    "resourceTable": {"lib": None, "name": ("stringArray", False), "host": None, "type": None},
    "nativeSymbols": {"libIndex": None, "address": None, "name": None, "functionSize": None},
    "sources": {"uuid": None, "filename": None},
}


def check_table(where, table, columns, lengths):
    assert set(table) == set(columns) | {"length"}, "%s has %s" % (where, sorted(table))
    for name, target in columns.items():
        column = table[name]
        assert len(column) == table["length"], "%s.%s: %d rows" % (where, name, len(column))
        for row, value in enumerate(column if target else []):
            assert (value is None and target[1]) or 0 <= value < lengths[target[0]], "%s.%s: %s" % (where, name, value)
            assert where != "stackTable" or name != "prefix" or value is None or value < row, "a stack before its prefix"


def read_firefox(path):
    data, stacks = load(path), collections.Counter()
    meta, shared = data["meta"], data["shared"]
    assert meta["preprocessedProfileVersion"] == 60 and meta["version"] and meta["interval"] > 0
    assert all(key in meta for key in "startTime product processType stackwalk categories markerSchema".split())
    assert any(c["color"] == "grey" for c in meta["categories"]) and all(c["subcategories"] for c in meta["categories"])
    assert data["libs"] == [] and set(shared) == set(FIREFOX_TABLES) | {"stringArray"}
    lengths = {name: shared[name]["length"] for name in FIREFOX_TABLES}
    lengths.update(categories=len(meta["categories"]), stringArray=len(shared["stringArray"]))
    assert len(set(shared["stringArray"])) == len(shared["stringArray"]), "a string twice"
    for name, columns in FIREFOX_TABLES.items():
        check_table(name, shared[name], columns, lengths)
    texts = []
    for frame, prefix in zip(shared["stackTable"]["frame"], shared["stackTable"]["prefix"]):
        name = shared["stringArray"][shared["funcTable"]["name"][shared["frameTable"]["func"][frame]]]
        name += "_[i]" if shared["frameTable"]["inlineDepth"][frame] else ""
        texts.append(name if prefix is None else texts[prefix] + ";" + name)
    schemas = {schema["name"]: {f["key"] for f in schema["fields"]} for schema in meta["markerSchema"]}
    for thread in data["threads"]:
        assert isinstance(thread["pid"], str) and thread["name"] and "isMainThread" in thread
        samples, markers = thread["samples"], thread["markers"]
        check_table("samples", {k: v for k, v in samples.items() if k != "weightType"},
                    {"stack": ("stackTable", True), "time": None, "weight": None}, lengths)
        check_table("markers", markers, {"data": None, "name": ("stringArray", False), "startTime": None,
                                         "endTime": None, "phase": None, "category": ("categories", False)}, lengths)
        times = [t for t in samples["time"]]
        assert times == sorted(times), "samples are not in order"
        for marker, start, end in zip(markers["data"], markers["startTime"], markers["endTime"]):
            assert start <= end and 0 <= marker["cause"]["stack"] < lengths["stackTable"]
            assert set(marker) - {"type", "cause"} <= schemas[marker["type"]] | {"comm", "pid", "tid", "host", "event"}
        scale = 1000000 if samples["weightType"] == "tracing-ms" else 1
        for stack, weight in zip(samples["stack"], samples["weight"]):
            stacks[texts[stack]] += weight * scale
    return stacks


def read_chrome(path):
    """Slices by nesting; those of spans have their stack as an argument."""
    data, stacks, tracks = load(path), collections.Counter(), collections.defaultdict(list)
    starts, ends, named = set(), set(), set()
    for event in data["traceEvents"]:
        assert event["ph"] in "MXsf" and isinstance(event["pid"], int) and isinstance(event["tid"], int)
        track = (event["pid"], event["tid"])
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name") and event["args"]["name"]
            named.add(track)
            continue
        assert event["ts"] >= 0 and track in named, "a track without a name"
        if event["ph"] == "X":
            assert event["dur"] >= 0 and event["name"]
            event["dur"] = round(event["dur"], 3)  # ns; smaller fractions are there for viewers that add up in doubles
            if event["cat"] != "wakeup":
                tracks[track].append(event)
        else:
            (starts if event["ph"] == "s" else ends).add(event["id"])
    assert starts == ends, "arrows with one end"
    scale = 1000 if data["otherData"]["unit"] == "ns" else 1
    for events in tracks.values():
        # Of slices with the same length, the outer one comes first.
        order = sorted(range(len(events)), key=lambda i: (events[i]["ts"], -events[i]["dur"], i))
        by_width = all("args" not in event for event in events)
        stack = []
        for event in (events[i] for i in order):
            end = event["ts"] + event["dur"]
            while stack and stack[-1][1] <= event["ts"] and stack[-1][2] is not event and \
                    not (stack[-1][1] == end and event["cat"] == "sample" and stack[-1][2] == event["ts"]):
                stack.pop()
            assert not stack or end <= stack[-1][1], "slices overlap"
            if by_width and stack:
                stacks[";".join(name for name, _, _ in stack)] -= event["dur"] * scale
            stack.append((event["name"], end, event["ts"]))
            args = event.get("args", {})
            text = ";".join(name for name, _, _ in stack)
            if by_width:
                stacks[text] += event["dur"] * scale
            if "value" not in args:
                continue
            if event["cat"] == "span":
                text = args.get("stack", "") if event["name"] == args.get("stack", "").split(";")[-1] else \
                    ";".join(filter(None, [event["name"], args.get("stack")]))
            stacks[text] += args["value"]
    return stacks


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    assert text.endswith("\r\n") and "\n" not in re.sub(r'"[^"]*"', "", text).replace("\r\n", ""), "ends of lines"
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    assert all(len(row) == len(rows[0]) for row in rows), "rows of several lengths"
    at = rows[0].index("stack")
    roots = range(rows[0].index("time") + 1 if "time" in rows[0] else 0, at)
    stacks = collections.Counter()
    for row in rows[1:]:
        frames = [row[i] for i in roots if row[i]] + ([row[at]] if row[at] else [])
        stacks[";".join(frames) or "[no stack]"] += Decimal(row[at + 1])
    assert not any(row[-1] for row in rows[2:]), "facts twice"
    return stacks


def read_otlp(path):
    """What otlp.py check printed."""
    stacks, on = collections.Counter(), False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("profile "):
                if on:
                    break
                on = True
            elif on:
                stack, value = line.rstrip("\n").rsplit(" ", 1)
                stacks[stack] += int(value)
    return stacks


READERS = {"pprof": read_pprof, "speedscope": read_speedscope, "firefox": read_firefox, "chrome": read_chrome,
           "csv": read_csv, "otlp": read_otlp}
# Formats without inlined frames, and formats with whole numbers only.
PLAIN, WHOLE = ("otlp",), ("pprof", "otlp")


def compare(what, folded, name, path):
    wanted = read_folded(folded)
    if name in PLAIN:
        plain = collections.Counter()
        for stack in wanted:
            plain[re.sub(r"(;[^;]*)_\[[i?]\](?=;|$)", r"\1", stack)] += wanted[stack]
        wanted = plain
    try:
        got = READERS[name](path)
    except Exception as error:  # whatever is wrong with the file
        print("not ok - %s: %s\n#   %s: %s" % (what, name, type(error).__name__, error))
        return
    wrong = [s for s in set(wanted) | set(got) if (abs(wanted[s] - got[s]) >= 1 if name in WHOLE else wanted[s] != got[s])]
    total, all_ = sum(got.values()), sum(wanted.values())
    if not wrong and (total == all_ or name in WHOLE and abs(total - all_) < 1):
        print("ok - %s: %s: %d stacks, total %s" % (what, name, len(got), total))
        return
    print("not ok - %s: %s: total %s, wanted %s" % (what, name, total, all_))
    for stack in sorted(wrong)[:5]:
        print("#   %r: %s, wanted %s" % (stack, got[stack], wanted[stack]))


for argument in sys.argv[4:]:
    compare(sys.argv[2], sys.argv[3], *argument.split("=", 1))
