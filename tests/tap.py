"""tap: what tests in Python share: TAP lines, and stages that run many times without being started again.

    sys.path.insert(0, "tests")
    from tap import Stage, is_, has, same

A stage is $BUILD/tests/served/NAME, which tests/served/served.c describes: one run takes a third of the time of a start.
Each kind of thing that depends on how a program is started (a terminal, signals, limits, the verb of pyrograph) needs a
test in a shell, with the real program.
"""
import array
import difflib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections import namedtuple

BUILD = os.environ.get("BUILD", "build")
SECONDS = 120  # a run that takes longer has failed

Ran = namedtuple("Ran", "status out err")  # exit status (negative: ended by that signal); stdout and stderr as bytes


class Stage:
    """A stage's program; run() as often as you like."""

    def __init__(self, name):
        self.name = name
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self.socket.settimeout(SECONDS)
        self.server = subprocess.Popen([f"{BUILD}/tests/served/{name}"], stdin=theirs, start_new_session=True,
                                       env={**os.environ, "LD_BIND_NOW": "1"})  # once, not in each child
        theirs.close()
        self.out, self.err = os.memfd_create("out"), os.memfd_create("err")

    def run(self, *args, stdin=b"", env=None):
        """Runs it with these arguments.  stdin is bytes, which come through a pipe, or an open file; env adds to the
        environment, None as a value removes."""
        for stream in self.out, self.err:
            os.ftruncate(stream, 0)
            os.lseek(stream, 0, os.SEEK_SET)
        with open(self._reader(stdin), "rb") if isinstance(stdin, bytes) else stdin as source:
            status = self.start(args, (source, self.out, self.err), env)
        return Ran(status, _content(self.out), _content(self.err))

    def start(self, args, streams, env=None, directory=""):
        """Its exit status, below 0 if a signal has ended it; streams: stdin, stdout, stderr, files or descriptors."""
        settings = [name if value is None else f"{name}={value}" for name, value in (env or {}).items()]
        words = [str(len(settings)), *settings, directory, f"pyrograph-{self.name}", *args]
        request = b"".join(os.fsencode(word) + b"\0" for word in words)
        numbers = array.array("i", [stream if isinstance(stream, int) else stream.fileno() for stream in streams])
        try:
            self.socket.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
            answer = self.socket.recv(4)
        except TimeoutError:
            os.killpg(self.server.pid, signal.SIGKILL)
            raise
        return os.waitstatus_to_exitcode(int.from_bytes(answer, sys.byteorder))

    def end(self):
        """Its time is that of a child, then."""
        self.socket.close()
        self.server.wait()

    @staticmethod
    def _reader(content):
        """Returns a descriptor to read content from: a pipe, or a file if no pipe holds as much."""
        if len(content) <= 65536:
            read_end, write_end = os.pipe()
            os.write(write_end, content)
            os.close(write_end)
            return read_end
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            file.seek(0)
            return os.dup(file.fileno())


def _content(stream):
    size = os.fstat(stream).st_size
    return os.pread(stream, size, 0) if size else b""


def line(passed, what, *seen):
    """One TAP line; what was seen goes below it, as comments, if it has not passed."""
    print("ok" if passed else "not ok", "-", what)
    for text in [] if passed else seen:
        for row in (text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)).split("\n")[:40]:
            print("#  ", row)
    return passed


def skip(what, why):
    print(f"ok - {what} # SKIP {why}")


def is_(what, got, wanted):
    return line(got == wanted, what, f"got:    {got!r}", f"wanted: {wanted!r}")


def has(what, text, part):
    if isinstance(part, str):
        part = part.encode()
    return line(part in text, what, f"no {part!r} in:", text)


def has_not(what, text, part):
    if isinstance(part, str):
        part = part.encode()
    return line(part not in text, what, f"found {part!r} in:", text)


def same(what, got, wanted):
    """Both bytes."""
    if got == wanted:
        return line(True, what)
    rows = [text.decode("utf-8", "replace").split("\n") for text in (wanted, got)]
    return line(False, what, *list(difflib.unified_diff(*rows, "wanted", "got", n=0, lineterm=""))[:40])


def same_file(what, got, path):
    """The bytes of a file that is expected; BLESS=1 rewrites it."""
    if os.environ.get("BLESS"):
        with open(path, "wb") as file:
            file.write(got)
    if not os.path.exists(path):
        return line(False, what, f"no expected file {path} (make bless writes it)")
    with open(path, "rb") as file:
        return same(what, got, file.read())
