#!/usr/bin/env python3
"""many: runs stages, one after the other, for tests that are not written in Python.

stdin is JSON, [["render", "heat", ...], ...]: a stage and its arguments each.  Ends with what the first one said that fails.
"""
import json
import sys

sys.path.insert(0, "tests")
from tap import Stage  # noqa: E402

stages = {}
for stage, *args in json.load(sys.stdin):
    if stage not in stages:
        stages[stage] = Stage(stage)
    ran = stages[stage].run(*args)
    if ran.status:
        sys.exit(f"{stage} {' '.join(args)}: status {ran.status}\n{ran.err.decode()}")
