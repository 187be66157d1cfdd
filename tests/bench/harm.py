#!/usr/bin/env python3
"""harm.py: what a recording costs the programs that it is about.

Each recording stands between two turns without one: "without, with, without, with, ...".  A turn's factor
is the time that one unit of work took in it, of the mean of the two beside it; the table has the median of the
factors, the least and the most.  Everything is pinned: what is measured to the last CPU, what drives it to the
first one.

Work of a fixed length (perf bench sched pipe) runs as COMMAND below the collector, and prints its own time.
Other work goes on for ever and says how much it has done at which time; its rate is that between the begin and
the end that the recording itself has written down, without the time in which programs are attached, names are
looked up and charts are drawn.

At the end, what threads and processes cost that are created under "collect cpu -p", on made numbers of CPUs.

  BUILD        where pyrograph is                          [build]
  HARM_ROUNDS  turns of each collector                     [9]
  HARM_TIME    seconds of each recording of endless work   [3]
  HARM_NICE    the work's niceness; where others use the machine, -15 keeps them out of it  [0]
  HARM_ONLY    only rows in which this regular expression is found: "WORK, COLLECTOR"; or "creation"
"""
import bisect
import glob
import os
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
ROUNDS = int(os.environ.get("HARM_ROUNDS", 9))
SECONDS = int(os.environ.get("HARM_TIME", 3))
ONLY = os.environ.get("HARM_ONLY", "")
NICE = ["nice", "-n", os.environ.get("HARM_NICE", "0")]
PYROGRAPH = os.path.join(BUILD, "pyrograph")
CREATION = os.path.join(BUILD, "bench", "creation")
PINGPONG = os.path.join(BUILD, "bench", "pingpong")
CPUS = sorted(os.sched_getaffinity(0))
DRIVER, TARGET = str(CPUS[0]), str(CPUS[-1])
REPORT_SET = ["collect", "cpu,sched,offcpu", "--wakers", "--events=1ms"]
SETTLED_NS = 2 * 10**9      # how long a budget has until it must be kept
FEWER_3, FEWER_HALF = 1 / 0.97, 1 / 0.995

missing = []                # programs that are not installed
failed = {}                 # row: what was said


class Unmeasured(Exception):
    pass


def find(program):
    """Its path, or None, which the last line tells.  PostgreSQL's server is not on PATH in Debian."""
    path = shutil.which(program) or next(iter(sorted(glob.glob("/usr/lib/postgresql/*/bin/" + program))[::-1]), None)
    if not path and program not in missing:
        missing.append(program)
    return path


def run(words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False, **more)
    return done.returncode, done.stdout


# ---- when a recording recorded ------------------------------------------------

RECORDING_CLOCKS = 243      # lines "MONOTONIC_NS REALTIME_NS" (core/format/recording.h), the first one early


def recorded(path):
    """(begin, end) of the recording at path, in ns of CLOCK_MONOTONIC."""
    with open(path, "rb") as file:
        head = file.read(104)
        data_at, data_size = struct.unpack_from("<QQ", head, 40)
        bits = int.from_bytes(head[72:104], "little")
        file.seek(data_at + data_size + 16 * bin(bits & ((1 << RECORDING_CLOCKS) - 1)).count("1"))
        at, size = struct.unpack("<QQ", file.read(16))
        file.seek(at)
        lines = file.read(size).decode().splitlines()
    times = [int(line.split()[0]) for line in lines]
    return min(times), max(times)


# ---- endless work ---------------------------------------------------------------

class Series:
    """How much work was done when: filled by a thread, read by us."""

    def __init__(self):
        self.times, self.counts = [], []
        self.more = threading.Condition()
        self.ended = False

    def add(self, time_ns, count):
        with self.more:
            self.times.append(time_ns)
            self.counts.append(count)
            self.more.notify_all()

    def end(self):
        with self.more:
            self.ended = True
            self.more.notify_all()

    def at(self, time_ns):
        """How much was done at that time; waits until that is known."""
        with self.more:
            if not self.more.wait_for(lambda: self.ended or (self.times and self.times[-1] >= time_ns), 60):
                raise Unmeasured("the work stands still")
            if not self.times or self.times[-1] < time_ns:
                raise Unmeasured("the work ended")
            i = bisect.bisect_left(self.times, time_ns)
            if not i:
                raise Unmeasured("the work began after the recording")
            part = (time_ns - self.times[i - 1]) / (self.times[i] - self.times[i - 1])
            return self.counts[i - 1] + part * (self.counts[i] - self.counts[i - 1])

    def rate(self, begin_ns, end_ns):
        return (self.at(end_ns) - self.at(begin_ns)) / (end_ns - begin_ns) * 1e9


class Work:
    """Endless work, from start() to stop()."""

    def __init__(self):
        self.series = Series()
        self.children = []
        self.pids = []

    def begin(self, words, **more):
        child = subprocess.Popen(words, **more)
        self.children.append(child)
        return child

    def follow(self, function):
        def body():
            try:
                function()
            except (OSError, ValueError):
                pass
            self.series.end()
        threading.Thread(target=body, daemon=True).start()

    def stop(self):
        self.series.ended = True
        for child in reversed(self.children):
            child.terminate()
            child.wait()


class PingPong(Work):
    """Round trips of two processes."""

    def __init__(self, kind, *cpus):
        super().__init__()
        self.words = [*NICE, PINGPONG, kind, *cpus]

    def start(self, directory):
        child = self.begin(self.words, stdout=subprocess.PIPE, text=True)
        self.pids = child.stdout.readline().split()

        def read():
            for line in child.stdout:
                self.series.add(*map(int, line.split()))
        self.follow(read)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, ready, child):
    """Until ready() is true; its OSErrors mean that it is not."""
    end = time.monotonic() + 60
    while time.monotonic() < end and child.poll() is None:
        try:
            if ready():
                return
        except OSError:
            pass
        time.sleep(0.02)
    raise Unmeasured(f"{what} does not begin")


class Nginx(Work):
    """Requests for a small file; nginx counts them (stub_status), its load is wrk, or ab."""

    CONF = """daemon off; master_process on; worker_processes 1; pid {dir}/pid; error_log {dir}/errors;
events {{ worker_connections 256; }}
http {{ access_log off; client_body_temp_path {dir}/b; proxy_temp_path {dir}/p; fastcgi_temp_path {dir}/f;
uwsgi_temp_path {dir}/u; scgi_temp_path {dir}/s; keepalive_requests 1000000000;
server {{ listen 127.0.0.1:{port}; root {dir}; location /status {{ stub_status; }} }} }}
"""

    def start(self, directory):
        port = free_port()
        url = f"http://127.0.0.1:{port}/"
        os.chmod(directory, 0o755)
        for name, text in (("page", "x" * 1024), ("conf", self.CONF.format(dir=directory, port=port))):
            with open(os.path.join(directory, name), "w") as file:
                file.write(text)
        server = self.begin([*NICE, "taskset", "-c", TARGET, find("nginx"), "-c", os.path.join(directory, "conf")],
                            stderr=subprocess.DEVNULL)

        def count():
            with urllib.request.urlopen(url + "status", timeout=30) as answer:
                return int(re.search(rb"\n *\d+ +\d+ +(\d+)", answer.read())[1])
        wait_for("nginx", count, server)
        load = (["wrk", "-t1", "-c16", "-d100000"] if shutil.which("wrk") else
                ["ab", "-q", "-k", "-c16", "-t100000", "-n1000000000"])
        child = self.begin([*NICE, "taskset", "-c", DRIVER, *load, url + "page"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)

        def poll():
            while child.poll() is None and not self.series.ended:
                before = time.monotonic_ns()
                done = count()
                self.series.add((before + time.monotonic_ns()) // 2, done)
                time.sleep(0.05)
        self.follow(poll)


class PgBench(Work):
    """Transactions of pgbench's select-only script, 8 clients; pgbench logs the end of each."""

    def start(self, directory):
        port = str(free_port())
        data = os.path.join(directory, "db")
        shutil.chown(directory, "postgres")
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "env", "HOME=" + directory,
                     "PGHOST=" + directory, "PGPORT=" + port, "LC_ALL=C"]
        self.check([find("initdb"), "-D", data, "-A", "trust", "-N"])
        quiet = {"cwd": directory, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = self.begin([*NICE, "taskset", "-c", TARGET, *self.user, find("postgres"), "-D", data, "-p", port, "-k",
                             directory, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "autovacuum=off"], **quiet)
        is_ready = self.user + [find("pg_isready"), "-q", "-d", "postgres"]
        wait_for("postgres", lambda: not run(is_ready, cwd=directory)[0], server)
        pgbench = find("pgbench")
        self.check([pgbench, "-q", "-i", "-s", "5", "postgres"], directory)
        log = os.path.join(directory, "log")
        child = self.begin([*NICE, "taskset", "-c", DRIVER, *self.user, pgbench, "-n", "-S", "-c", "8", "-j", "1",
                            "-T", "100000", "-l", "--log-prefix=" + log, "postgres"], **quiet)
        self.follow(lambda: self.read(child, log, time.time_ns() - time.monotonic_ns()))

    def check(self, words, directory="/"):
        status, said = run(self.user + words, cwd=directory)
        if status:
            raise Unmeasured(said.strip()[-300:])

    def read(self, child, log, offset_ns):
        """Lines "CLIENT NUMBER MICROSECONDS SCRIPT SECONDS MICROSECONDS": one in a hundred is a point of the series."""
        while not glob.glob(log + ".*") and child.poll() is None:
            time.sleep(0.02)
        done, rest = 0, ""
        with open(glob.glob(log + ".*")[0]) as file:
            while child.poll() is None:
                text = file.read(1 << 16)
                if not text:
                    time.sleep(0.02)
                    continue
                lines = (rest + text).split("\n")
                rest = lines.pop()
                for line in lines:
                    done += 1
                    if done % 100 == 0:
                        words = line.split()
                        self.series.add(int(words[4]) * 10**9 + int(words[5]) * 1000 - offset_ns, done)


# ---- recordings of endless work -------------------------------------------------

def by_report(*words):
    def record(work, directory):
        pids = ["-p", ",".join(work.pids)] if "-p" in words else []
        status, said = run([PYROGRAPH, "report", "-q", *(w for w in words if w != "-p"), *pids, "-d", str(SECONDS),
                            "-o", directory])
        data = glob.glob(os.path.join(directory, "*.data"))
        if status or not data:
            raise Unmeasured(said.strip()[-300:])
        return recorded(data[0])
    return record


def by_watch(work, directory):
    """One window, without the time in which the budget need not be kept yet."""
    length = f"{SECONDS + SETTLED_NS // 10**9}s"
    status, said = run([PYROGRAPH, "watch", "--dir", directory, "--budget", "1%", "--window", "1h", "--ring", "2h",
                        "-d", length])
    data = glob.glob(os.path.join(directory, "*.data"))
    if status or not data:
        raise Unmeasured(said.strip()[-300:])
    begin, end = recorded(max(data, key=os.path.getsize))
    return begin + SETTLED_NS, end


def endless(title, rows, make):
    """{collector: [(seconds of a unit without, with)]}"""
    found = {name: [] for name, _, _ in rows}
    with tempfile.TemporaryDirectory() as directory:
        work = make()
        try:
            work.start(directory)
            endless_turns(title, rows, work, found)
        finally:
            work.stop()
    return found


def endless_turns(title, rows, work, found):
    def without():
        begin = max(time.monotonic_ns(), work.series.times[-1] if work.series.times else 0)
        return 1 / work.series.rate(begin, begin + SECONDS * 10**9)

    wait_for("the work", lambda: work.series.times, work.children[-1])
    before = without()
    for number in range(ROUNDS):
        for name, record, _ in rows[number % len(rows):] + rows[:number % len(rows)]:
            with tempfile.TemporaryDirectory() as out:
                try:
                    took = 1 / work.series.rate(*record(work, out))
                except Unmeasured as e:
                    failed[f"{title}, {name}"] = str(e)
                    continue
            after = without()
            found[name].append(((before + after) / 2, took))
            before = after


# ---- work of a fixed length ------------------------------------------------------

PIPE = [*NICE, "taskset", "-c", TARGET, "perf", "bench", "sched", "pipe", "-l", "100000"]


def pipe_time(before, directory):
    """Seconds of a switch."""
    words = ([PYROGRAPH, *before, "-q", "-o", os.path.join(directory, "x.data"), "--"] if before else []) + PIPE
    said = run(words)[1]
    took = re.search(r"Total time: *([0-9.]+) \[sec\]", said)
    if not took:
        raise Unmeasured(said.strip()[-300:])
    return float(took[1]) / 200000


def fixed(title, rows, _):
    found = {name: [] for name, _, _ in rows}
    with tempfile.TemporaryDirectory() as directory:
        before = pipe_time(None, directory)
        for number in range(ROUNDS):
            for name, words, _ in rows[number % len(rows):] + rows[:number % len(rows)]:
                try:
                    took = pipe_time(words, directory)
                except Unmeasured as e:
                    failed[f"{title}, {name}"] = str(e)
                    continue
                after = pipe_time(None, directory)
                found[name].append(((before + after) / 2, took))
                before = after
    return found


# ---- the table --------------------------------------------------------------------

# (work, what it needs, how it is measured, the command, [(collector, how it records, target)])
WORKS = [
    ("two processes, UNIX socket, two CPUs", [], endless, lambda: PingPong("unix", DRIVER, TARGET), [
        ("report -p", by_report("-p"), 1.05),
        ("watch --budget 1%", by_watch, 1.01)]),
    ("two processes, UNIX socket, one CPU", [], endless, lambda: PingPong("unix", TARGET, TARGET), [
        ("report -p", by_report("-p"), 1.05)]),
    ("perf bench sched pipe, one CPU", ["perf"], fixed, None, [
        ("what report records", REPORT_SET, 1.10),
        ("what report records, -a", REPORT_SET + ["-a"], 1.10),
        ("collect offcpu", ["collect", "offcpu"], 1.08),
        ("collect offcpu --wakers", ["collect", "offcpu", "--wakers"], 1.12),
        ("collect offcpu --min 10us", ["collect", "offcpu", "--min", "10us"], 1.10),
        ("collect sched", ["collect", "sched"], 1.05),
        ("collect syscalls", ["collect", "syscalls"], 1.15),
        ("collect locks", ["collect", "locks"], 1.03)]),
    ("two processes, pipe, one CPU", [], endless, lambda: PingPong("pipe", TARGET, TARGET), [
        ("watch --budget 1%", by_watch, 1.01)]),
    ("nginx, 16 connections", ["nginx", ("wrk", "ab")], endless, Nginx, [
        ("report -a", by_report("-a"), FEWER_3),
        ("watch --budget 1%", by_watch, 1.01)]),
    ("pgbench -S -c 8", ["postgres", "initdb", "pgbench", "setpriv"], endless, PgBench, [
        ("report -a", by_report("-a"), FEWER_3),
        ("watch --budget 1%", by_watch, FEWER_HALF)]),
]


def is_there(need):
    if isinstance(need, tuple):
        return any(map(shutil.which, need)) or find(" or ".join(need))
    return find(need)


def unit(seconds):
    return f"{seconds * 1e6:.2f}"


def lines(work, rows, found):
    for name, _, wanted in rows:
        turns = found[name]
        if not turns:
            continue
        factors = [took / without for without, took in turns]
        factor = statistics.median(factors)
        yield [work, name, unit(statistics.median(t[0] for t in turns)), unit(statistics.median(t[1] for t in turns)),
               f"{factor:.3f}", f"{min(factors):.2f}-{max(factors):.2f}", f"{wanted:.3f}",
               "yes" if factor <= wanted else "no"]


def main():
    table = [["work", "collector", "us without", "with", "times", "least-most", "wanted", "reached"]]
    for work, needs, measure, make, rows in WORKS:
        rows = [row for row in rows if re.search(ONLY, f"{work}, {row[0]}")]
        if not rows or not all([is_there(need) for need in needs]):
            continue
        try:
            found = measure(work, rows, make)
        except Unmeasured as e:
            failed[work] = str(e)
            continue
        table += lines(work, rows, found)
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    print(f"\nWhat a recording costs: a unit of work in us, and how many times as long it takes, {ROUNDS} turns; "
          f"CPU {DRIVER} drives, CPU {TARGET} works\n")
    for line in table:
        cells = [cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))]
        print("  " + "  ".join(cells))
    if len(CPUS) > 1 and re.search(ONLY, "creation"):
        print("\nThreads and processes created under events for each CPU, as of collect cpu -p (tests/bench/creation.c)\n",
              flush=True)
        subprocess.run([*NICE, CREATION, TARGET, DRIVER], check=True)
    if missing:
        print("\nnot installed, so not in the table: " + ", ".join(missing))
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
