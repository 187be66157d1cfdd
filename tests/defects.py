#!/usr/bin/env python3
"""defects.py: plants a defect into each folder of C, and says which check of that folder's tests finds it.

  tests/defects.py             all defects of tests/defects.txt
  tests/defects.py WORD ...    those whose file, or what is wrong with it, contains a WORD
  tests/defects.py --list      shows them, and tries nothing
  tests/defects.py --in DIR    works in DIR, which is kept; else in a temporary directory

A copy of this tree and of what was built is changed, never the tree itself.  The tests run once without a defect: what
fails then finds nothing later.  For each defect, only what its tests need is built.  The exit status is 1 if a defect
is not found, or if a folder of C has none.
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
FOLDERS = ("bpf", "collapse", "collect", "core", "render", "report", "ship", "web")
LEFT_OUT = {ROOT: {".git"}, os.path.join(ROOT, "build"): {"san", "clang", "fuzz", "bench"}}
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not re.match(r"MAKE|MFLAGS|BUILD$|SAN$|CC$|QUICK$|LIVE$|BLESS$", name)}
SERVED = {stage: "build/tests/served/" + stage for stage in ("collapse", "render")}  # started in place of the programs

Defect = collections.namedtuple("Defect", "file what old new words")


def defects():
    """tests/defects.txt: "FILE: what is wrong", lines "-old", lines "+new", and "by WORD ...", the words for run.sh."""
    with open(os.path.join(ROOT, "tests/defects.txt"), encoding="utf-8") as file:
        blocks = re.split(r"\n\n+", re.sub(r"^#.*\n", "", file.read(), flags=re.M).strip("\n"))
    for block in blocks:
        match = re.fullmatch(r"(\S+): (.*)\n((?:-.*\n)+)((?:\+.*\n)*)by (.*)", block)
        if not match:
            sys.exit("tests/defects.txt: cannot be read:\n" + block)
        old, new = ("\n".join(line[1:] for line in lines.splitlines()) for lines in match.group(3, 4))
        yield Defect(match[1], match[2], old, new, match[5].split())


def folders():
    return {os.path.relpath(at, ROOT) for top in FOLDERS for at, _, names in os.walk(os.path.join(ROOT, top))
            if any(name.endswith(".c") for name in names)}


def targets(defect):
    """What make must build for the tests: unit tests; and the program of the stage, as the others run it."""
    units = ["build/tests/" + word for word in defect.words if word.startswith("unit/")]
    if len(units) == len(defect.words):
        return units, []
    stage = defect.file.split("/")[0].replace("bpf", "collect")
    programs = {"core": ["all"], "report": ["build/pyrograph"]}.get(stage, ["build/pyrograph-" + stage])
    return units, programs + [SERVED[name] for name in SERVED if stage in ("core", name)]


def make(place, wanted):
    made = subprocess.run(["make", "--no-print-directory", "-j%d" % os.cpu_count(), *sorted(wanted)], cwd=place, env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return "" if made.returncode == 0 else made.stdout[-2000:]


def failed(place, words):
    """Names of the checks that fail, and the runner's last line."""
    ran = subprocess.run(["sh", "tests/run.sh", *words], cwd=place, env=ENVIRONMENT, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, errors="replace", check=False).stdout
    return re.findall(r"^failed: ([^:]*: .*)$", ran, re.M), ran.strip().split("\n")[-1]


def try_one(place, defect, before, stale):
    """Why the defect is not found, or None; stale: programs that an earlier defect is in."""
    path = os.path.join(place, defect.file)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(defect.old) != 1:
        return "its old text is there %d times" % text.count(defect.old)
    units, programs = targets(defect)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(defect.old, defect.new))
        wrong = make(place, {*units, *programs, *stale})
        stale.clear()
        stale.update(programs)
        if wrong:
            return "it does not build: " + wrong
        found, last = failed(place, defect.words)
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for unit in units:  # other words of run.sh may be in its name
            if os.path.exists(os.path.join(place, unit)):
                os.remove(os.path.join(place, unit))
    found = [check for check in found if check not in before]
    if not found:
        return last
    others = ", and %d more" % (len(found) - 1) if len(found) > 1 else ""
    print('found: %s: %s: %s: by "%s"%s' % (os.path.dirname(defect.file), os.path.basename(defect.file), defect.what, found[0], others),
          flush=True)
    return None


def try_all(place, chosen):
    os.chmod(place, 0o755)  # tests run programs as other users, too
    shutil.copytree(ROOT, place, symlinks=True, dirs_exist_ok=True, ignore=lambda at, names: LEFT_OUT.get(at, set()) | {"node_modules"})
    wanted = {unit for defect in chosen for unit in targets(defect)[0]}
    if any(targets(defect)[1] for defect in chosen):
        workloads = glob.glob("tests/workloads/*.c", root_dir=ROOT)
        wanted.update(["all", *SERVED.values(), *("build/" + path[:-2] for path in workloads)])
    wrong = make(place, wanted)
    if wrong:
        sys.exit("without a defect: " + wrong)
    before, last = failed(place, sorted({word for defect in chosen for word in defect.words}))
    print("without a defect: %s%s" % (last, "".join("\n  " + check for check in before)), flush=True)
    stale, missed = set(), 0
    for defect in chosen:
        why = try_one(place, defect, before, stale)
        if why:
            missed += 1
            print("NOT found: %s: %s: %s: %s" % (os.path.dirname(defect.file), os.path.basename(defect.file), defect.what, why), flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--list", action="store_true", help="show the defects, and try nothing")
    parser.add_argument("--in", dest="place", metavar="DIR", help="work in DIR, and keep it")
    parser.add_argument("words", nargs="*", metavar="WORD", help="parts of names of files")
    options = parser.parse_args()

    every = list(defects())
    chosen = [defect for defect in every if not options.words or
              any(word in "%s: %s" % (defect.file, defect.what) for word in options.words)]
    without = sorted(folders() - {os.path.dirname(defect.file) for defect in every})
    if options.list:
        for defect in chosen:
            print("%s: %s (%s)" % (defect.file, defect.what, " ".join(defect.words)))
        missed = 0
    elif options.place:
        os.makedirs(options.place, exist_ok=True)
        missed = try_all(options.place, chosen)
    else:
        with tempfile.TemporaryDirectory(prefix="defects-") as place:
            missed = try_all(place, chosen)
    for folder in without:
        print("no defect: %s" % folder)
    if not options.list:
        print("%d defects, %d found, %d folders without" % (len(chosen), len(chosen) - missed, len(without)))
    sys.exit(1 if missed or without else 0)


main()
