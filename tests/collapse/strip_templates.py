#!/usr/bin/env python3
"""Reads C++ names as c++filt writes them, writes them without template arguments: another
way to the same as core/symbols/names/name_simplify.c, by putting what is no bracket out of sight."""
import re
import sys

OPERATOR = re.compile(r"(?<!\w)operator(<=>|<<=|>>=|->\*|<<|>>|<=|>=|->|<|>)( ?)")
HIDE = str.maketrans("<>", "\1\2")
SHOW = str.maketrans("\1\2", "<>")


def without_innermost(name):
    return re.sub(r"( (?=<)(?<=[\1\2] ))?<[^<>]*>", "", name)


for name in sys.stdin:
    name = OPERATOR.sub(lambda m: m.group(0).translate(HIDE), name.rstrip("\n"))
    name = name.replace("->", "-\2")
    # comparisons and shifts, of values in parentheses
    name = re.sub(r"(?<!operator\()\)(<<=?|>>=?|<=|>=|<|>)\(", lambda m: m.group(0).translate(HIDE), name)
    while True:
        shorter = without_innermost(name)
        if shorter == name:
            break
        name = shorter
    print(name.translate(SHOW))
