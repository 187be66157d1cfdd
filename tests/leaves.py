#!/usr/bin/env python3
"""leaves.py: drops a leaf, a feature that stands alone, in a copy of the tree, builds what is left, and tests it.

  tests/leaves.py             each leaf of the table, one after another
  tests/leaves.py LEAF ...    these
  tests/leaves.py --in DIR    works in DIR, which is kept; else in a temporary directory

What goes is the leaf's folders, its tests, its rows in tables of the program, and what tests of several features say about
it.  Manuals and documents stay, so tests of these are not run.  All others of make quick must pass.
"""
import argparse
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEFT_OUT = {ROOT: {".git"}, os.path.join(ROOT, "build"): {"san", "clang", "fuzz", "bench"}}
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not re.match(r"MAKE|MFLAGS|BUILD$|SAN$|CC$|LIVE$|BLESS$", name)} | {"QUICK": "1"}
OF_TEXTS = ("docs.test.sh", "help.test.sh", "install.test.sh")  # tests that still mention the leaf

Leaf = collections.namedtuple("Leaf", "gone rows tests")

# gone: files and folders; rows: the program's lines that name the leaf; tests: its lines in tests of several features.
LEAVES = {
    "noise": Leaf(
        ["collect/noise", "bpf/noise*", "tests/collect/noise.test.sh", "tests/unit/collect_noise.c"],
        [("collect/main.c", r"^\tX\(noise\) *\\\n"),
         ("core/format/events.c", r"^\t\{ \.name = RECORDING_NOISE,\n(?:\t  .*\n)+"),
         ("collapse/presets.c", r'^\t\{ \.name = "noise",\n(?:\t  .*\n)+'),
         ("report/report_charts.c", r'^\t\{ "noise",(?:[^\n{}]|\{[^}]*\}|\n)*\},\n')],
        [("tests/architecture.py", r"^collect/noise: .*\n"),
         ("tests/collapse/timed.test.sh", r'^clock "noise" .*\n'),
         ("tests/golden/heat_doubts.test.sh", r" noise:noise(?= )")]),
    "lanes": Leaf(
        ["collect/lanes", "bpf/lanes*", "tests/collect/lanes.test.sh", "tests/unit/collect_lane*"],
        [("collect/main.c", r"^\tX\(lanes\) *\\\n"),
         ("report/report_charts.c", r'^\t\{ "lanes", .*\n')],
        [("tests/architecture.py", r"^collect/lanes: .*\n"),
         ("tests/report.test.sh", r"^usable=cpu,lanes run (?:.*\n)+?(?=usable=cpu,processes)")]),
    "processes": Leaf(
        ["render/processes", "render/browser/processes", "tests/golden/processes*", "tests/browser/processes*",
         "tests/fuzz/processes.c"],
        [("render/charts.h", r" *\\\n\tX\(processes\)"),
         ("report/report_charts.c", r'^\t\{ "processes", .*\n'),
         ("Makefile", r"^FUZZ_\w+_processes .*\n(?:\t.*\n)?"),
         ("Makefile", r"(?<=lanes )processes (?=heat)")],
        [("tests/architecture.py", r"^render/processes: .*\n"),
         ("tests/golden/heat_doubts.test.sh", r"^processes\|.*\n"),
         ("tests/report.test.sh", r'^(?:usable=cpu,processes run .*\n.*asked for, too.*\n.*\n.*"render processes"|'
                                  r'has .* whose collector has another name.*--processes")\n')]),
    "xctrace": Leaf(
        ["collapse/text/xctrace*", "tests/collapse/formats/xctrace.*", "tests/fuzz/text/xctrace"],
        [("collapse/formats.h", r"^\tX\(xctrace\) *\\\n")],
        [("tests/collapse/formats.test.sh", r"^wrong xctrace .*\n"),
         ("tests/collapse/formats/cases", r"^xctrace\..*\n"),
         ("tests/collapse/name_table.py", r'^    \("xctrace", .*\n'),
         ("tests/collapse/profiles.test.sh", r"^# ---- xctrace ----\n(?:.*\n)*?(?=# ---- )")]),
    "ship": Leaf(
        ["ship", "tests/ship", "tests/unit/ship_*"],
        [("Makefile", r"^LIBS_ship .*\n"),
         ("Makefile", r"(?<=^STAGES   := collect collapse render web) ship")],
        [("tests/architecture.py", r"^ship:\n"),
         ("tests/architecture.py", r'^    "ship/.*\n')]),
}


def cut(place, path, pattern):
    """Returns why the text cannot be cut, or None."""
    path = os.path.join(place, path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    left, count = re.subn(pattern, "", text, flags=re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(left)
    return None if count else f"{os.path.relpath(path, place)}: nothing is like {pattern!r}"


def drop(place, leaf):
    for pattern in leaf.gone:
        paths = glob.glob(pattern, root_dir=place)
        if not paths:
            return f"{pattern}: is not there"
        for path in paths:
            path = os.path.join(place, path)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.remove(path)
    return next(filter(None, (cut(place, *where) for where in leaf.rows + leaf.tests)), None)


def run(place, *command):
    ran = subprocess.run(command, cwd=place, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors="replace", check=False)
    return ran.returncode == 0, ran.stdout


def try_one(place, name):
    """Drops the leaf from a copy in place.  Returns whether the rest builds and passes its tests."""
    os.chmod(place, 0o755)  # tests run programs as other users, too
    shutil.copytree(ROOT, place, symlinks=True, dirs_exist_ok=True,
                    ignore=lambda at, names: LEFT_OUT.get(at, set()))
    why = drop(place, LEAVES[name])
    if why:
        print(f"{name}: NOT dropped: {why}", flush=True)
        return False
    for path in glob.glob("build/tests/unit/*", root_dir=place):  # of tests that have gone
        if "." not in path and not os.path.exists(os.path.join(place, path.removeprefix("build/") + ".c")):
            os.remove(os.path.join(place, path))
    is_built, said = run(place, "make", f"-j{os.cpu_count()}", "WERROR=1", "build-tests")
    if not is_built:
        print(f"{name}: what is left does not build:\n{said[-2000:]}", flush=True)
        return False
    words = sorted(path for path in glob.glob("tests/*.test.sh", root_dir=place) + glob.glob("tests/*/*.test.sh", root_dir=place)
                   if os.path.basename(path) not in OF_TEXTS) + ["build/tests/unit/"]
    passed, said = run(place, "sh", "tests/run.sh", *words)
    print(f"{name}: " + "\n  ".join([said.strip().rsplit("\n", 1)[-1], *re.findall(r"^failed: .*$", said, re.M)]), flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--in", dest="place", metavar="DIR", help="work in DIR, and keep it")
    parser.add_argument("leaves", nargs="*", metavar="LEAF", choices=[[], *LEAVES], help="one of " + ", ".join(LEAVES))
    options = parser.parse_args()

    passed = []
    for name in options.leaves or LEAVES:
        with tempfile.TemporaryDirectory(prefix="leaves-") as temporary:
            place = os.path.join(options.place or temporary, name)
            os.makedirs(place)
            passed.append(try_one(place, name))
    print(f"{len(passed)} leaves, {sum(passed)} can be dropped")
    sys.exit(0 if all(passed) else 1)


main()
