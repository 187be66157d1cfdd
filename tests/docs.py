#!/usr/bin/env python3
"""docs.py: what README.md and docs/ say about this tree holds: links, anchors, make targets, file names, recipes,
sizes.  Prints TAP.  (Options in commands: tests/help.test.sh.)
"""
import glob
import os
import re
import subprocess
import sys

LINES = {"README.md": 160, "docs/HACKING.md": 330}  # a page of docs/ has fewer than 300
PAGES = ["README.md", "CHANGELOG.md", *sorted(glob.glob("docs/*.md")), *sorted(glob.glob("examples/*.md"))]
FOLDERS = "bpf|collapse|collect|core|docs|examples|packaging|render|report|ship|tests|web"


def is_(what, got, wanted):
    if got == wanted:
        print("ok - %s" % what)
    else:
        print("not ok - %s\n#   got:    %s\n#   wanted: %s" % (what, got, wanted))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def prose(path):
    """Without blocks of code."""
    return re.sub(r"^```.*?^```$", "", text_of(path), flags=re.M | re.S)


def anchors(path):
    """Those that GitHub, GitLab and cgit give to headings: letters, digits, '-', '_', blanks as '-'."""
    found = []
    for heading in re.findall(r"^#+ +(.*?)\s*$", prose(path), re.M):
        name = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")
        again = found.count(name)
        found.append("%s-%d" % (name, again) if again else name)
    return set(found)


def leads_nowhere(path, target):
    place, _, anchor = target.partition("#")
    other = os.path.normpath(os.path.join(os.path.dirname(path), place)) if place else path
    if not os.path.exists(other):
        return True
    return bool(anchor) and (not other.endswith(".md") or anchor not in anchors(other))


def check_links(path):
    links = re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(path)))
    links = [link for link in links if not re.match(r"[a-z]+:", link)]
    is_("%s: links lead somewhere" % path, [link for link in links if leads_nowhere(path, link)], [])
    return len(links)


def targets():
    """What make knows, as it says itself: rules of files and of patterns."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    said = subprocess.run(["make", "-pnqr", "clean"], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False).stdout
    return set(re.findall(r"^([\w./-]+):(?!=)", said, re.M))


def check_targets(path, known):
    """In code: "make", then variables and targets; what has capitals stands for others."""
    code = "\n".join(re.findall(r"^```.*?^```$", text_of(path), re.M | re.S))
    lines = re.findall(r"`([^`\n]*\bmake [^`\n]*)`", prose(path)) + re.findall(r"^.*\bmake .*$", code, re.M)
    lines = [re.sub(r'"[^"]*"|#.*', "", line) for line in lines]
    named = {word for line in lines for command in re.split(r"[|&;]+", line)
             for word in re.sub(r"^(\s*[A-Z_]+=\S*)*\s*", "", command).split()[1:]
             if re.match(r"\s*([A-Z_]+=\S*\s+)*make\s", command) and re.match(r"[a-z][a-z0-9-]*$", word)}
    is_("%s: make knows these" % path, sorted(named - known), [])
    return len(named)


def check_files(path):
    """In `code`: a path below one of our folders; those with a word in capitals stand for others."""
    named = re.findall(r"`((?:%s)/[\w./*-]*)`" % FOLDERS, prose(path))
    is_("%s: files that it names exist" % path,
        [name for name in named if not re.search(r"[A-Z]{4}", name) and not glob.glob(name)], [])
    return len(named)


def check_folders(path):
    """Its table has every folder of a stage, and of the core."""
    folders = {os.path.dirname(name) + "/" for name in glob.glob("*/*/*.[ch]")}
    folders = {name for name in folders if re.match(r"(%s)/" % FOLDERS, name) and not name.startswith("tests/")}
    is_("%s: every folder is in its table" % path, sorted(folders - set(re.findall(r"`(\w+/\w+/)`", text_of(path)))), [])
    return len(folders)


def recipes(path):
    """Title and text of each."""
    return re.findall(r"^## Recipe: (.*?)\n(.*?)(?=^## )", text_of(path), re.M | re.S)


def models(named, files):
    """What NAME can stand for, if all of these files are to exist: of files that are there."""
    found = None
    for name in named:
        pattern = re.compile("(?P<name>[a-z]+)".join(map(re.escape, name.split("NAME", 1)))
                             .replace("NAME", "(?P=name)") + ("" if name.endswith("/") else "$"))
        names = {match["name"] for match in map(pattern.match, files) if match}
        found = names if found is None else found & names
    return sorted(found or [])


def check_recipes(path):
    """Somebody has done what a recipe says: with one name all of its files exist; functions and constants do, too."""
    files = [os.path.join(at, name)[2:] for at, _, names in os.walk(".") for name in names
             if not at.startswith(("./build", "./.git"))]
    code = "\n".join(text_of(name) for name in files if re.search(r"(Makefile|\.[ch]|\.js|/[a-z]+\.py)$", name)
                     and "node_modules" not in name)
    for title, text in recipes(path):
        named = re.findall(r"`((?:%s)/[\w./]*NAME[\w./]*)`" % FOLDERS, text)
        is_("%s: %s: somebody has all files of the recipe" % (path, title), bool(named and models(named, files)), True)
    words = sorted(set(re.findall(r"`(\w+\()\)`|`([A-Z]+_?[A-Z_]{3,})`", text_of(path))))
    words = [function or constant for function, constant in words]
    is_("%s: functions and constants that it names exist" % path, [word for word in words if word not in code], [])
    return len(words)


def check_sizes(path):
    count, most = text_of(path).count("\n"), LINES.get(path, 300)
    is_("%s has fewer than %d lines" % (path, most), count < most or count, True)
    is_("%s is linked from README.md" % path, path == "README.md" or "](%s" % path in text_of("README.md"), True)


def check_reads():
    """That this script sees what it looks for."""
    is_("a recipe that nobody followed is seen", [models(["a/NAME/NAME_b.c", "c/NAME/"], files.split()) for files in
        ("a/x/x_b.c c/x/d", "a/x/x_b.c a/y/y_b.c c/y/d c/z/d", "a/x/y_b.c c/x/d", "a/x/x_b.c c/y/d")],
        [["x"], ["y"], [], []])
    is_("headings give anchors", {"who-has-the-cpu", "a-perfdata-that-somebody-sent"} - anchors("docs/cookbook.md"), set())
    is_("links that lead nowhere are seen",
        [leads_nowhere("docs/java.md", link) for link in
         ("none.md", "../README.md#none", "#none", "../README.md", "../README.md#six-jobs", "#stacks")],
        [True, True, True, False, False, False])


KNOWN = targets()
check_reads()
is_("there are recipes, which name functions", [len(recipes("docs/HACKING.md")), check_recipes("docs/HACKING.md") > 20],
    [5, True])
is_("there are folders", check_folders("docs/HACKING.md") > 30, True)
COUNTS = [(check_links(path), check_targets(path, KNOWN), check_files(path)) for path in PAGES]
is_("there were some of each", [sum(column) > 20 for column in zip(*COUNTS)], [True, True, True])
for page in PAGES:
    if not page.startswith(("CHANGELOG", "examples/")):
        check_sizes(page)
sys.exit(0)
