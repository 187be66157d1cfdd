#!/usr/bin/env python3
"""architecture.py: which part of the program may know which other, as its #include lines have it.  Prints TAP.

A part is a folder.  ARROWS holds, for each, what it may include beside itself and the core; a stage's own main and
run files, in its folder's root, may include all of the stage.  A change of these tables is a decision: make it
where the code gets simpler by it, and only then.
"""
import collections
import functools
import glob
import os
import re
import subprocess
import sys

# The core, from below: what everything uses; the formats between the stages; symbols; stacks.
ARROWS = """
core:
core/format: core
core/symbols/names: core
core/symbols/space: core
core/symbols/elf: core core/symbols/names core/symbols/space
core/symbols/jit: core core/symbols/space
core/symbols: core core/symbols/elf core/symbols/jit core/symbols/space
core/unwind: core core/symbols/elf core/symbols/jit core/symbols/space

bpf: bpf/python
bpf/io: bpf
bpf/locks: bpf
bpf/offcpu: bpf
bpf/python: bpf

collect/machine:
collect/runtime:
collect/jvm/code:
collect/jvm/tables: collect/runtime
collect/jvm: collect/jvm/code collect/jvm/tables collect/machine collect/runtime
collect/recording: collect/machine
collect/bpf: bpf collect/machine collect/recording
collect/java: bpf collect/bpf collect/jvm collect/machine collect/recording collect/runtime
collect/python: bpf collect/bpf collect/recording collect/runtime
collect/sampling: collect/java collect/machine collect/python collect/recording
collect/owners: collect/machine collect/recording
collect/run: collect/java collect/machine collect/owners collect/python collect/recording collect/sampling
collect/spans: bpf collect/bpf collect/python collect/recording collect/run collect/sampling
collect/alloc: collect/jvm collect/runtime
collect/windows: collect/alloc
collect/bindings: collect/machine collect/runtime
collect: collect/bindings collect/bpf collect/machine collect/run

collapse/input:
collapse/perfdata: collapse/input
collapse/frames: collapse/perfdata
collapse/roots: collapse/frames collapse/perfdata
collapse/fold: collapse/frames collapse/perfdata collapse/roots
collapse/sched: collapse/fold collapse/perfdata
collapse/wire:
collapse/output: collapse/fold collapse/frames collapse/perfdata collapse/roots collapse/wire
collapse/parse: collapse/fold collapse/frames collapse/input collapse/wire
collapse/jvm: collapse/fold collapse/parse
collapse/script: collapse/fold collapse/frames collapse/parse
collapse/v8: collapse/fold collapse/frames collapse/parse
collapse/text: collapse/fold collapse/frames collapse/jvm collapse/parse collapse/v8 collapse/wire
collapse/cause: collapse/fold collapse/frames collapse/perfdata collapse/roots
collapse/views: collapse/cause collapse/fold collapse/frames collapse/input collapse/output collapse/perfdata collapse/roots collapse/sched
collapse: collapse/fold collapse/frames collapse/input collapse/output collapse/parse collapse/perfdata collapse/roots collapse/sched collapse/views

render/profile:
render/colours: render/profile
render/encoding: render/colours render/profile
render/drawing: render/colours render/profile
render/bars: render/colours render/drawing render/encoding render/profile
render/rows: render/bars render/drawing render/profile
render/lanes: render/bars render/colours render/drawing render/encoding render/profile render/rows
render/flame: render/colours render/drawing render/encoding render/profile
render/timeline: render/bars render/colours render/drawing render/encoding render/flame render/profile render/rows
render/heat: render/colours render/drawing render/encoding render/flame render/lanes render/profile
render/processes: render/bars render/colours render/drawing render/encoding render/profile render/rows
render/states: render/bars render/colours render/drawing render/profile
render/tenancy: render/bars render/drawing render/profile render/timeline
render: render/drawing

report:
web:
ship:
"""

# What every collector may include in addition to its row above, which has what only that collector needs.
COLLECTOR_PARTS = {"bpf", "collect/bpf", "collect/machine", "collect/recording", "collect/run", "collect/sampling",
                   "collect/spans"}

# Where collectors and charts have their rows.
COLLECTOR_ROWS = ("core/format/recording.h", "core/format/events.c", "collapse/presets.c", "collect/main.c",
                  "report/report_charts.c", "ship/recording.c")
CHART_ROWS = ("report/report_charts.c",)

# Collectors and charts that more than three files outside of their folders mention, and how many such files there are.
# Records of sched and offcpu are the source of timelines, of --wall and of causes.  Heat maps and timelines have a
# flame graph of the selected part.  A heat map has lanes below it.  Tenancy is also drawn from timelines.
KNOWN_BY = {"collector offcpu": 12, "collector sched": 16, "chart flame": 9, "chart lanes": 5,
            "chart timeline": 4}

# A file of a chart's page exports what others may call as one member of app, named after the file: tip.js makes app.tip
# (PAGE_NAMES has the exceptions).  PAGE_CONTRACT is what common/ calls of each chart, and what a chart's files call of
# its actions.  PAGE_LOOSE counts, by folder, names that are not exported in this way yet; it must only shrink.
PAGE_NAMES = {"view": "now", "time_part": "part", "rows_panel": "panel"}
PAGE_CONTRACT = {"view", "actions", "pointerWords", "openViewMenu", "openRowMenu", "resetAll", "target", "walkMatches",
                 "menuOfCursor", "filterBox", "searchBox", "panels", "drawAll"}
PAGE_LOOSE = {"common": 37, "flame": 96, "heat": 112}

# Circles of files that know each other, with the reason for each circle.
CIRCLES = {
    "bpf/charge bpf/sched bpf/sched_look bpf/sched_slots": "one BPF program",
    "bpf/locks/locks bpf/locks/locks_look bpf/locks/locks_record bpf/locks/locks_slots bpf/locks/locks_wait "
    "bpf/locks/locks_watch": "one BPF program",
    "bpf/offcpu/offcpu bpf/offcpu/offcpu_look bpf/offcpu/offcpu_record bpf/offcpu/offcpu_rules bpf/offcpu/offcpu_slots "
    "bpf/offcpu/offcpu_untaken bpf/offcpu/offcpu_user_stack": "one BPF program",
    "bpf/call_file bpf/syscalls": "one BPF program",
    "bpf/io/io bpf/io/io_devices bpf/io/io_owner bpf/io/io_request bpf/io/io_stacks bpf/io/io_table bpf/io/io_totals":
        "one BPF program",
    "core/error core/memory core/str core/utf8": "memory that is not to be had is an error, and is told",
    "collapse/roots/roots collapse/roots/thread_root": "struct roots and one of its kinds",
    "collapse/sched/switch_spans collapse/sched/switches": "struct switches and a part",
    "core/unwind/code_tables core/unwind/instructions core/unwind/rules core/unwind/tables "
    "core/unwind/unwinder core/unwind/walk": "struct unwinder and its parts",
    "collect/jvm/code_blob collect/jvm/code_cache collect/jvm/code_heaps": "struct code_cache and its parts",
    "collect/jvm/code/code_loops collect/jvm/code/code_map collect/jvm/code/code_path": "struct method_code, its paths and loops",
    "collect/jvm/inline_tree collect/jvm/near_scopes collect/jvm/scopes collect/jvm/silent":
        "struct scope_reader and its parts",
    "collect/jvm/frame_walk collect/jvm/frames": "struct frames and a part",
    "collect/run/collection collect/run/dry_run collect/run/flight collect/run/flight_state collect/run/opening "
    "collect/run/side_band collect/run/sources collect/run/stack_choice collect/run/target_end "
    "collect/run/watch_windows":
        "struct collection and its parts",
    "render/colours/palette render/colours/palette_map render/colours/rules": "struct palette and its parts",
    "render/flame/flame render/flame/flame_options render/flame/look render/flame/modes": "struct flame and its parts",
    "render/heat/heat render/heat/heat_parts": "struct heat and its parts",
    "render/heat/grid render/heat/grid_parts": "struct grid and its parts",
    "ship/batch ship/batch_order": "struct batch_rows, and the order of its rows",
    "ship/fetch ship/fetching": "struct fetch, and a run of it",
}

COLUMNS = 120  # tabs are 8
WIDEST = 60  # most files of program in a folder; a folder with more has two subjects
FOLDERS = ("core", "bpf", "collect", "collapse", "render", "web", "ship", "report")


def is_(what, got, wanted, hint=None):
    if got == wanted:
        print("ok - %s" % what)
    else:
        print("not ok - %s\n#   got:    %s\n#   wanted: %s" % (what, got, wanted))
        if hint:
            print("#   " + hint)


def sources():
    return sorted(os.path.join(at, name) for top in FOLDERS for at, _, names in os.walk(top) for name in names
                  if name.endswith((".c", ".h")))


def includes(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r'^#\s*include\s+"([^"]+)"', file.read(), re.M)


def module(path):
    return re.sub(r"(\.bpf)?\.[ch]$", "", path)


def collectors(files):
    """Folders with a struct source."""
    for path in files:
        if path.startswith("collect/") and path.endswith(".c"):
            with open(path, encoding="utf-8") as file:
                if re.search(r"^const struct source \w+_source = ", file.read(), re.M):
                    yield os.path.dirname(path)


def folders_known(files):
    known = {}
    for line in ARROWS.split("\n"):
        if line:
            folder, others = line.split(":")
            known[folder] = set(others.split())
    for folder in collectors(files):
        known[folder] = known.get(folder, set()) | COLLECTOR_PARTS | {folder.replace("collect/", "bpf/")}
    return known


def folders_included(files):
    found = collections.defaultdict(set)
    for path in files:
        here = os.path.dirname(path)
        found[here].update(os.path.dirname(other) for other in includes(path) if not other.endswith((".skel.h", ".inc")))
    return {here: {other for other in others if not other.startswith("core") or here.startswith("core")} - {here}
            for here, others in found.items()}


def check_folders(files):
    known, found, of_collectors = folders_known(files), folders_included(files), set(collectors(files))
    for here in sorted(set(known) | set(found)):
        below, may = found.get(here, set()), known.get(here, set())
        spare = COLLECTOR_PARTS | {here.replace("collect/", "bpf/")} if here in of_collectors else set()
        is_("%s/ includes what it may" % here, sorted(below - may), [],
            "ARROWS in tests/architecture.py has what a folder may include; its row, as it is: '%s: %s'" %
            (here, " ".join(sorted(below - spare))))
        is_("%s/ may include what it does" % here, sorted(may - below - spare), [],
            "it does not: take that out of ARROWS, tests/architecture.py")
    is_("collectors may include what they do",
        sorted(COLLECTOR_PARTS - set().union(*(found[here] for here in of_collectors))), [],
        "none does: take that out of COLLECTOR_PARTS, tests/architecture.py")


def check_stages(files):
    for here, others in folders_known(files).items():
        stage = here.split("/")[0]
        strange = [other for other in others if other.split("/")[0] not in (stage, "core") and
                   not (stage == "collect" and other.split("/")[0] == "bpf")]
        is_("%s/ knows no other stage" % here, strange, [])


def circles(graph):
    """Sets of modules that reach each other (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph[node]:
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return sorted(" ".join(circle) for circle in found if len(circle) > 1)


def check_circles(files):
    graph = {module(path): set() for path in files}
    for path in files:
        graph[module(path)].update(module(other) for other in includes(path) if module(other) in graph)
        graph[module(path)].discard(module(path))
    is_("no circles of files but those that are known", [c for c in circles(graph) if c not in CIRCLES], [],
        "open the circle; or, with its reason, into CIRCLES, tests/architecture.py")
    is_("circles that are known exist", sorted(set(CIRCLES) - set(circles(graph))), [])


def check_names(files):
    """What a header declares is called so nowhere else."""
    where = collections.defaultdict(set)
    for path in files:
        if not path.startswith("bpf/"):
            with open(path, encoding="utf-8") as file:
                for name in re.findall(r"^(?:struct|enum|union) (\w+) \{", file.read(), re.M):
                    where[name].add(path)
    is_("no two structs have one name, when a header has it",
        sorted("%s: %s" % (name, " ".join(sorted(paths))) for name, paths in where.items()
               if len(paths) > 1 and any(path.endswith(".h") for path in paths)), [])


def check_functions(files, build):
    where = collections.defaultdict(set)
    objects = [os.path.join(build, path[:-1] + "o") for path in files
               if path.endswith(".c") and not path.endswith(".bpf.c") and not path.endswith("/main.c")]
    objects = [path for path in objects if os.path.exists(path)]
    symbols = subprocess.run(["nm", "-A", "--defined-only", "-g", *objects], stdout=subprocess.PIPE, text=True, check=True)
    for line in symbols.stdout.split("\n"):
        match = re.match(r"(\S+):\S+ [TDBRV] (\w+)$", line)
        if match and match[2] != "main" and not match[2].startswith("__"):
            where[match[2]].add(match[1])
    is_("functions were looked at", len(where) > 1000, True)
    is_("no two functions have one name", sorted(name for name, paths in where.items() if len(paths) > 1), [])


def check_all_functions(files):
    """Static ones, too: grep, gdb and flame graphs go by the name."""
    where = collections.defaultdict(set)
    begins = re.compile(r"^(?!\s|[#}/*]|typedef|SEC\()[\w *]*?\b(?!__)(\w+)\([^;{}]*\)\n\{", re.M)
    for path in files:
        if path.endswith((".c", ".h")):
            with open(path, encoding="utf-8") as file:
                for name in begins.findall(file.read()):
                    where[name].add(path)
    is_("functions in the sources were looked at", len(where) > 9000, True)
    is_("every function has a name of its own",
        sorted("%s: %s" % (name, " ".join(sorted(paths))) for name, paths in where.items()
               if len(paths) > 1 and name not in ("main", "BPF_PROG")), [],
        "a static function, too, begins with the noun of its file")


def check_columns():
    wide = []
    for at, _, names in os.walk("render"):
        for path in (os.path.join(at, name) for name in names if name.endswith((".c", ".h", ".js", ".css"))):
            with open(path, encoding="utf-8") as file:
                wide += ["%s:%d" % (path, n) for n, line in enumerate(file, 1) if len(line.rstrip().expandtabs(8)) > COLUMNS]
    is_("no line of render/ is wider than %d columns" % COLUMNS, sorted(wide), [])


def check_widths():
    """As many files as a reader can go through; more of one subject are merged, or get a folder."""
    width = collections.Counter(at for top in FOLDERS for at, _, names in os.walk(top) for name in names
                                if name.endswith((".c", ".h", ".js", ".css")))
    is_("folders were counted", len(width) > 60, True)
    is_("no folder has more than %d files" % WIDEST, sorted(at for at, count in width.items() if count > WIDEST), [])


@functools.lru_cache(maxsize=None)
def contents(path):
    """What a file includes, its words, and its strings; comments aside."""
    with open(path, encoding="utf-8") as file:
        code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return (tuple(re.findall(r'^#\s*include "([^"]+)"', code, re.M)), set(re.findall(r"\w+", code)),
            {word for text in re.findall(r'"([a-z,]+)"', code) for word in text.split(",")})


def strangers(files, own, headers=(), words=(), name="", places=()):
    """Files other than its own ones that know a leaf: its headers, its words, or, in places, its name in quotes."""
    for path in files:
        if not path.startswith(own):
            included, said, quoted = contents(path)
            if (any(header.startswith(headers) for header in included) or not said.isdisjoint(words)
                    or path.startswith(places) and name in quoted):
                yield path


def check_leaf(what, known):
    most = KNOWN_BY.get(what, 3)
    is_("at most %d files outside know the %s" % (most, what), len(known) <= most, True, " ".join(known))


def check_leaves(files):
    """A collector, a chart, a format is its folder or file, and its rows: it can be dropped, or given away."""
    with open("core/format/events.c", encoding="utf-8") as file:
        rows = re.findall(r'\.name = (RECORDING_\w+),.*?\.source = "(\w+)"', file.read(), re.S)
    collectors = sorted({source for _, source in rows})
    charts = sorted(name for name in os.listdir("render") if os.path.exists("render/%s/run.c" % name))
    formats = {path: name for path in files if path.startswith("collapse/") for name in formats_of(path)}
    is_("leaves were looked at", [len(collectors) > 10, len(charts) > 5, len(formats) > 20], [True] * 3)
    for name in collectors:
        own = ("collect/%s/" % name, "bpf/%s." % name, "bpf/%s_" % name)
        check_leaf("collector " + name, list(strangers(
            files, own + COLLECTOR_ROWS, own, [event for event, source in rows if source == name], name,
            ("collect/", "report/"))))
    for name in charts:
        own = ("render/%s/" % name,)
        check_leaf("chart " + name, list(strangers(files, own + CHART_ROWS, own, [], name, ("render/", "report/", "web/"))))
    for path, name in sorted(formats.items()):
        check_leaf("format " + name, list(strangers(files, (path,), (), [name + "_format"])))


def check_pages():
    folders = sorted(os.listdir("render/browser"))
    is_("pages were looked at", len(folders) > 4, True)
    for folder in folders:
        loose = set()
        for path in sorted(glob.glob("render/browser/%s/*.js" % folder)):
            stem = os.path.basename(path)[:-3]
            with open(path, encoding="utf-8") as file:
                code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
            made = set(re.findall(r"\bapp\.(\w+) = ", code)) - PAGE_CONTRACT - {PAGE_NAMES.get(stem, stem)}
            loose |= {"%s: app.%s" % (path, name) for name in made if stem != folder}  # which is what begins with data
        is_("render/browser/%s: members of app are named after their file" % folder, len(loose) <= PAGE_LOOSE.get(folder, 0),
            True, "%d: %s" % (len(loose), " ".join(sorted(loose))))


def formats_of(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r"^const struct input_format (\w+)_format\b", file.read(), re.M)


FILES = sources()
check_leaves(FILES)
check_folders(FILES)
check_stages(FILES)
check_circles(FILES)
check_names(FILES)
check_all_functions(FILES)
check_columns()
check_widths()
check_pages()
check_functions(FILES, sys.argv[1])
