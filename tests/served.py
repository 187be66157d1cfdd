#!/usr/bin/env python3
"""served: answers tests/served.sh.

A request on stdin is "N", and N words, each ended by a NUL byte: a verb and its operands.  The answer on stdout ends with
a line "=STATUS".
"""
import ast
import importlib
import os
import re
import sys
import traceback
import types

sys.path[0] = os.path.abspath("tests")
from tap import Stage  # noqa: E402

STAGES, SCRIPTS = {}, {}  # programs; what is compiled
STYLE = re.compile(rb"^<style>.*\n(?:.*\n)*?.*</style>.*\n|^<image class=\"dark\".*\n|"
                   rb"^<g id=\"missing\".*\n(?:.*\n)*?</g>.*\n", re.M)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def run(shell, stage, out, err, *args):
    """As shell, a process, would: in its directory, with what it has as descriptor 7 as stdin; out and err are files, or
    numbers of its descriptors."""
    directory = f"/proc/{int(shell)}/cwd"
    streams = [os.open(f"/proc/{int(shell)}/fd/7", os.O_RDONLY), opened(shell, directory, out)]
    streams.append(streams[1] if err == out else opened(shell, directory, err))
    try:
        if stage == "python":
            return run_script(directory, streams, *args)
        if stage not in STAGES:
            STAGES[stage] = Stage(stage)
        status = STAGES[stage].start(args, streams, directory=directory)
    finally:
        for stream in set(streams):
            os.close(stream)
    return status if status >= 0 else 128 - status


def opened(shell, directory, name):
    """The test's own stdout and stderr are ours, too (5 and 2), with the place where the next line goes."""
    if not name.isdigit():
        return os.open(os.path.join(directory, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    path = f"/proc/{int(shell)}/fd/{name}"
    for ours in 5, 2:
        if os.path.samestat(os.stat(path), os.fstat(ours)):
            return os.dup(ours)
    return os.open(path, os.O_WRONLY | os.O_APPEND)


def run_script(directory, streams, script, *args):
    """In a child that has what the script imports."""
    if script not in SCRIPTS:
        with open(script, encoding="utf-8") as file:
            parsed = ast.parse(file.read(), script)
        for node in parsed.body:
            names = [part.name for part in node.names] if isinstance(node, ast.Import) else \
                [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if name.split(".")[0] in sys.stdlib_module_names:
                    importlib.import_module(name)
        SCRIPTS[script] = compile(parsed, script, "exec")
    child = os.fork()
    if child == 0:
        script_child(directory, streams, script, args)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status if status >= 0 else 128 - status


def script_child(directory, streams, script, args):
    status = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.path[0] = os.path.abspath(os.path.dirname(script))
        os.chdir(directory)
        sys.argv = [script, *args]
        main = types.ModuleType("__main__")
        main.__file__ = script
        sys.modules["__main__"] = main
        exec(SCRIPTS[script], main.__dict__)
        status = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
    try:
        sys.stdout.flush()
    except OSError:
        status = 120
    sys.stderr.flush()
    os._exit(status & 255)


def every_part(path, part):
    """Whatever its length, and whichever byte is wrong, a file is read or refused by collapse; part: a file to use."""
    if "collapse" not in STAGES:
        STAGES["collapse"] = Stage("collapse")
    whole, bad = content(path), []
    step = max(1, len(whole) // 40)
    parts = [whole[:n] for n in range(0, len(whole), step)]
    parts += [whole[:n] + bytes([whole[n] ^ 0x55]) + whole[n + 1:] for n in range(0, len(whole), step)]
    for text in parts:
        with open(part, "wb") as file:
            file.write(text)
        done = STAGES["collapse"].run(part)
        if done.status not in (0, 1) or (done.status == 1 and not done.err):
            bad.append((len(text), done.status, done.err))
    os.write(1, f"{'not ok' if bad else 'ok'} - parts of it, and with wrong bytes: {len(parts)}\n".encode())
    for row in bad[:5]:
        os.write(1, f"# {row}\n".encode())
    return 0


def same_bytes(one, other):
    return 0 if os.path.exists(one) and os.path.exists(other) and content(one) == content(other) else 1


def holds(path, text):
    return 0 if os.path.exists(path) and os.fsencode(text) in content(path) else 1


def unstyled(picture, to):
    """A picture but for its style sheet, and for the words about a script that is missing."""
    text = STYLE.sub(b"", content(picture))
    with open(to, "wb") as file:
        file.write(re.sub(rb'^<svg id="chart"', b"<svg", text, flags=re.M))
    return 0


def carriage_returns(path):
    """As sed 's/$/\\r/' does."""
    text = content(path).replace(b"\n", b"\r\n")
    with open(path, "wb") as file:
        file.write(text if text.endswith(b"\n") else text + b"\r")
    return 0


VERBS = {verb.__name__: verb for verb in (run, every_part, same_bytes, holds, unstyled, carriage_returns)}


def words():
    """The words of each request, until the test has ended."""
    rest = b""
    while True:
        while (end := rest.find(b"\0")) < 0:
            if not (more := os.read(0, 65536)):
                return
            rest += more
        count, rest = int(rest[:end]), rest[end + 1:]
        while rest.count(b"\0") < count:
            if not (more := os.read(0, 65536)):
                return
            rest += more
        *found, rest = rest.split(b"\0", count)
        yield [os.fsdecode(word) for word in found]


for verb, *operands in words():
    if verb == "end":
        break
    status = VERBS[verb](*operands)
    os.write(1, b"=%d\n" % status)
for stage in STAGES.values():
    stage.end()
