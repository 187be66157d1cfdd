#!/usr/bin/env python3
"""flamescope.py: flamescope's own code, without its server, for heat.py.

  flamescope.py CHECKOUT heat FILE               its heat map of FILE (text of perf script), as JSON
  flamescope.py CHECKOUT ranges FILE A:B ...     milliseconds to make the flame graph of each range,
                                                 seconds from the start on, as JSON
What it imports and is not called here (Flask, magic, cachetools, nflxprofile) need not be installed.
"""
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import sys
import time
import types
from unittest.mock import MagicMock

STUBS = ("flask", "magic", "cachetools", "nflxprofile")


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for packages of which nothing is needed but the names."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name.split(".")[0] in STUBS else None

    def create_module(self, spec):
        stub = MagicMock()
        stub.from_file = lambda path, mime: "text/plain"    # magic's
        stub.__path__ = []
        return stub

    def exec_module(self, module):
        pass


def main():
    checkout, what, path, *ranges = sys.argv[1:]
    sys.meta_path.insert(0, Stubs())
    app = types.ModuleType("app")     # load the module without running its __init__.py, which starts the server
    app.__path__ = [os.path.join(checkout, "app")]
    sys.modules["app"] = app
    importlib.import_module("app.config").PROFILE_DIR = os.path.dirname(os.path.abspath(path))
    if what == "heat":
        heatmap = importlib.import_module("app.controllers.heatmap")
        json.dump(heatmap.generate_heatmap(os.path.basename(path), "perf"), sys.stdout)
        return
    flame_graph = importlib.import_module("app.perf.flame_graph")
    took = []
    for start, end in (map(float, one.split(":")) for one in ranges):
        begun = time.perf_counter()
        json.dumps(flame_graph.perf_generate_flame_graph(path, start, end))
        took.append(1000 * (time.perf_counter() - begun))
    json.dump(took, sys.stdout)


if __name__ == "__main__":
    main()
