#!/usr/bin/env python3
"""Prints what the Firefox Profiler finds in a profile, as its own command line program says: "THREAD: frame;frame;... value"
for each stack, and "THREAD: N markers".

    firefox.py COMMAND...        the program, which has a session called ours"""
import json
import subprocess
import sys


def ask(*question):
    done = subprocess.run(sys.argv[1:] + list(question) + ["--json", "--session", "ours"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def walk(node, above, lines, name):
    stack = above + ([node["name"]] if node["originalDepth"] >= 0 else [])
    if node["selfSamples"]:
        lines.append("%s: %s %g" % (name, ";".join(stack), node["selfSamples"]))
    for child in node["children"]:
        walk(child, stack, lines, name)


lines = []
for thread in ask("thread", "list", "--limit", "0")["threads"]:
    tree = ask("thread", "samples-top-down", "--thread", thread["threadHandle"], "--max-lines", "1000000", "--include-idle")
    walk(tree["regularCallTree"], [], lines, thread["name"])
    if thread.get("markerCount"):
        lines.append("%s: %d markers" % (thread["name"], thread["markerCount"]))
print(*sorted(lines), sep="\n")
