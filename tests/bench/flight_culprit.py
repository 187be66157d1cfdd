#!/usr/bin/env python3
"""Is the culprit in what the flight recorder writes, each time?  By hand:

    tests/bench/flight_culprit.py N                        on the machine as it is
    tests/load.sh tests/bench/flight_culprit.py N          beside a load on every CPU

This program waits N times for somewhat longer than a condition of a recorder of the whole machine allows, in a system
call that nobody else makes, at random moments.  Each wait must give one recording that has the call, its length right, in
a window that began long enough before.  Prints misses, whose recordings are kept as BUILD/culprit-TURN.data, and at the
end how many there were and how long after the wait the recordings were whole.  Exits 1 if there was one.

It also says how many have all blocked time of the calls: where a kernel or its host hides some of its own threads from
tracing, whoever is woken or switched to while they run is never reported, to perf neither.
"""
import calendar
import ctypes
import os
import random
import re
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

PYROGRAPH = os.path.join(os.environ.get("BUILD", "build"), "pyrograph")
LIMIT_NS = 50_000_000
KEEP_NS = 300_000_000
PATIENCE_S = 60  # for a recording to be written


def start_recorder(folder):
    """Returns the process, once it records."""
    err = open(os.path.join(folder, "err"), "w+", encoding="utf-8")
    recorder = subprocess.Popen(
        [PYROGRAPH, "collect", "cpu,offcpu,syscalls", "-a", "--keep", f"{KEEP_NS}ns", "--after", "20ms",
         "--rest", "1ms", "--most", "3", "--when", f"syscall:semtimedop>{LIMIT_NS}ns",
         "--then", f'echo "$1" >>{folder}/done', "-o", f"{folder}/k.data"], stderr=err)
    while "keeping the last" not in open(err.name, encoding="utf-8").read():
        if recorder.poll() is not None:
            sys.exit("no recorder: " + open(err.name, encoding="utf-8").read())
        time.sleep(0.01)
    return recorder


def done(folder):
    """The paths of what was written."""
    try:
        with open(os.path.join(folder, "done"), encoding="utf-8") as lines:
            return lines.read().splitlines()
    except FileNotFoundError:
        return []


class Semaphore:
    """One that is never raised."""

    def __init__(self):
        self.libc = ctypes.CDLL(None)
        self.number = self.libc.semget(0, 1, 0o600)  # IPC_PRIVATE
        if self.number < 0:
            sys.exit("no semaphore")

    def wait(self):
        """Returns when the wait began and ended, wall clock in ns, and how long it had to be."""
        ns = int(random.uniform(1.1, 2) * LIMIT_NS)
        lower = struct.pack("@Hhh", 0, -1, 0)
        timeout = struct.pack("@ll", 0, ns)
        begin = time.time_ns()
        self.libc.semtimedop(self.number, lower, ctypes.c_size_t(1), timeout)
        return begin, time.time_ns(), ns

    def remove(self):
        self.libc.semctl(self.number, 0, 0)  # IPC_RMID


def next_path(folder, before):
    """The recording written after `before` others; None: none came."""
    end = time.monotonic() + PATIENCE_S
    while len(done(folder)) <= before:
        if time.monotonic() > end:
            return None
        time.sleep(0.005)
    return done(folder)[before]


def collapse(path, event):
    """What this thread did in the system call, as values in ns, and the header."""
    waits = ["--waits", "all"] if event == "offcpu" else []
    text = subprocess.run([PYROGRAPH, "collapse", f"--{event}", *waits, "--timed", "--root", "tid", path], check=False,
                          capture_output=True, text=True, errors="replace").stdout
    own = re.compile(rf"@\S+ [^;]*-?{os.getpid()};.*semtimedop")
    return [int(line.rsplit(" ", 1)[1]) for line in text.splitlines() if own.match(line)], text.split("\n", 1)[0]


def window_begin(header):
    """When it begins, wall clock in ns."""
    day, parts = re.search(r" from=(\S+)\.(\d+)Z", header).groups()
    return calendar.timegm(time.strptime(day, "%Y-%m-%dT%H:%M:%S")) * 10**9 + int(parts)


def missing(path, waits):
    """What a recording lacks of the last of the waits; None: nothing."""
    begin, end, _ = waits[-1]
    calls, header = collapse(path, "syscalls")
    if not header:
        return f"{path} cannot be read"
    start = window_begin(header)
    if start > end - KEEP_NS and len(waits) > 5:
        return f"only {(end - start) / 1e6} ms before it: {header}"
    if not any(LIMIT_NS < call <= end - begin for call in calls):
        return f"no call of {LIMIT_NS} to {end - begin} ns among {calls}: {header}"
    return None


def has_blocks(path, waits):
    """Has it all time of the waits in its window?"""
    blocks, _ = collapse(path, "offcpu")  # the header's time is that of the oldest block, perhaps before the window
    _, header = collapse(path, "syscalls")
    return sum(blocks) >= sum(ns for begin, _, ns in waits if begin > window_begin(header))


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    written, missed, blocked, waits, late = 0, 0, 0, [], []
    semaphore = Semaphore()
    with tempfile.TemporaryDirectory() as folder:
        recorder = start_recorder(folder)
        for turn in range(times):
            time.sleep(random.uniform(0, 0.2))
            waits.append(semaphore.wait())
            path = next_path(folder, written)
            late.append(time.time_ns() - waits[-1][1])
            written = len(done(folder))
            lack = missing(path, waits) if path else "no recording"
            blocked += not lack and has_blocks(path, waits)
            if lack:
                missed += 1
                kept = shutil.copy(path, f"{os.environ.get('BUILD', 'build')}/culprit-{turn}.data") if path else ""
                print(f"turn {turn}: {lack}; {kept}", flush=True)
            if turn % 50 == 49:
                print(f"{turn + 1 - missed} of {turn + 1}", flush=True)
        recorder.send_signal(signal.SIGINT)
        status = recorder.wait()
    semaphore.remove()
    print(f"{times - missed} of {times} triggers have the culprit inside, {blocked} with all blocked time; {written} "
          f"recordings, exit status {status}; whole {statistics.median(late) / 1e6:.0f} ms after it in the median, "
          f"{max(late) / 1e6:.0f} at most; load {os.getloadavg()[0]:.1f}")
    return 1 if missed or written != times or status else 0


if __name__ == "__main__":
    sys.exit(main())
