#!/usr/bin/env python3
"""run.py: "make bench": pyrograph beside its peers, on the same inputs, in one run.

Commands that are compared run in turns (A B A B ...), because the same command
varies by up to 40 % from minute to minute on a shared machine.  The tables show
medians; the last columns are the factors to the first row, which is ours.

  BUILD           where pyrograph is                       [build]
  ROUNDS          turns of each command                    [5]
  FLAMEGRAPH_DIR  a checkout of FlameGraph, if not on PATH
  HEATMAP_DIR     a checkout of HeatMap (trace2heatmap.pl), if not on PATH
  FLAMESCOPE_DIR  a checkout of flamescope
  SECTIONS        some of: collapse script scan render web collect flame browser sched harm faults syscalls io locks lanes processes flight heat text folded unwind jvm python javatext store [all]
  WIDE_ROUNDS     turns with 2 GB of folded lines; 0: none [2]
  WIDE_PERL       1: flamegraph.pl on them, too (5 minutes and 12 GB each turn)
  CHROMIUM        the browser                              [/usr/bin/chromium]

The inputs are recorded at the first run (record-mixed.sh, about a minute each) or
made (make_folded.c, seconds) into BUILD/bench/ and then kept.  Peers that are not
installed are named at the end.
"""
import contextlib
import glob
import json
import os
import random
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", "build")
ROUNDS = int(os.environ.get("ROUNDS", 5))
SECTIONS = os.environ.get("SECTIONS", "collapse script scan render web collect flame browser sched harm faults syscalls io locks lanes processes flight heat text folded unwind jvm python javatext store").split()
WIDE_ROUNDS = int(os.environ.get("WIDE_ROUNDS", 2))
WIDE_PERL = os.environ.get("WIDE_PERL", "") not in ("", "0")
PYROGRAPH = shlex.quote(os.path.join(BUILD, "pyrograph"))
DIR = os.path.join(BUILD, "bench")
CPUS = len(os.sched_getaffinity(0))

missing = []        # peers that are not installed
failed = []         # (command, what it said last) that failed
BROWSER_HINT = "node, chromium or playwright-core (make check-deps, apt install chromium)"


# ---- running and measuring ----------------------------------------------------

def find(program, hint="", checkout="FLAMEGRAPH_DIR"):
    """The program's path, quoted for the shell, or None, which the last line tells."""
    path = shutil.which(os.path.join(os.environ.get(checkout, ""), program)) or shutil.which(program)
    if not path and program + hint not in missing:
        missing.append(program + hint)
    return path and shlex.quote(path)


class Run:
    """One execution of a shell command: wall_s, cpu_s, peak_mib (None without GNU time), stderr.

    GNU time reports the peak, since getrusage() would count this Python, too,
    as what the child was before its exec().  CPU time is finer in getrusage().
    """

    def __init__(self, command):
        with tempfile.NamedTemporaryFile("r") as peak, tempfile.TemporaryFile("w+", errors="replace") as stderr:
            argv = ["sh", "-c", command]
            if GNU_TIME:
                argv = [GNU_TIME, "-f", "%M", "-o", peak.name] + argv
            start = time.monotonic()
            child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=stderr)
            _, status, usage = os.wait4(child.pid, 0)
            self.wall_s = time.monotonic() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            self.ok = child.returncode == 0
            self.cpu_s = usage.ru_utime + usage.ru_stime
            self.peak_mib = int(peak.read().split()[-1]) / 1024 if GNU_TIME else None
            stderr.seek(0)
            self.stderr = stderr.read()


def in_turns(commands, rounds, each=None):
    """Run (name, command) pairs in turns: {name: [Run, ...]} of the runs that succeeded.

    each(name, run) is called after every such run, to look at what it left behind.
    """
    runs = {}
    for _ in range(rounds):
        for name, command in commands:
            run = Run(command)
            if not run.ok:
                failed.append((command, run.stderr.strip()[-300:]))
                continue
            runs.setdefault(name, []).append(run)
            if each:
                each(name, run)
    return runs


def table(title, columns, rows):
    """Print rows of text below a title: the first column to the left, others to the right."""
    lines = [columns] + rows
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    print(f"\n{title}")
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        print("  " + "  ".join(cells))
    sys.stdout.flush()


def median(runs, field):
    return statistics.median(getattr(run, field) for run in runs)


def mib(runs):
    return f"{median(runs, 'peak_mib'):.1f}" if GNU_TIME else "-"


def factor(value, first):
    return f"{value / first:.2f}x" if first else "-"


def compare(title, commands, rounds=ROUNDS, output=None):
    """Run the commands that exist in turns and print what they cost.

    output is the file that they write, if they do; then its size is shown, too.
    """
    def look(_, run):
        run.output_mb = os.path.getsize(output) / 1e6

    runs = in_turns([(name, command) for name, command in commands if command], rounds, look if output else None)
    first = next(iter(runs.values()), None)
    rows = []
    for name, each in runs.items():
        walls = [run.wall_s for run in each]
        rows.append([name, f"{median(each, 'wall_s'):.3f}", f"{min(walls):.3f}-{max(walls):.3f}",
                     f"{median(each, 'cpu_s'):.3f}", mib(each)] +
                    ([f"{median(each, 'output_mb'):.1f}"] if output else []) +
                    [factor(median(each, "wall_s"), median(first, "wall_s")),
                     factor(median(each, "peak_mib"), median(first, "peak_mib")) if GNU_TIME else "-"])
    table(title, ["", "wall s", "min-max", "CPU s", "peak MiB"] + (["file MB"] if output else []) +
          ["wall", "peak"], rows)


# ---- inputs ---------------------------------------------------------------------

def recording(name, hz):
    """BUILD/bench/NAME, recorded if it is not there."""
    path = os.path.join(DIR, name)
    if not os.path.exists(path):
        print(f"recording {path} at {hz} Hz, once", file=sys.stderr)
        if subprocess.run([os.path.join(HERE, "record-mixed.sh"), path, str(hz)]).returncode:
            sys.exit(f"run.py: could not record {path}")
    return path


def folded(name):
    """BUILD/bench/NAME.folded, made by make_folded.c if it is not there."""
    path = os.path.join(DIR, name + ".folded")
    subprocess.run(["make", "-s", f"BUILD={BUILD}", path], check=True)
    return path


def shuffled(path):
    """The file at path with its lines in another order, the same at each run."""
    out = path.removesuffix(".folded") + "-unsorted.folded"
    if not os.path.exists(out) or os.path.getmtime(out) < os.path.getmtime(path):
        with open(path, "rb") as file:
            lines = file.readlines()
        random.Random(1).shuffle(lines)
        with open(out, "wb") as file:
            file.writelines(lines)
    return out


@contextlib.contextmanager
def perf_maps(path):
    """While the recording at path is read, its perf maps are in /tmp, where perf looks."""
    put = []
    for source in glob.glob(path.removesuffix(".data") + ".files/perf-*.map"):
        target = os.path.join("/tmp", os.path.basename(source))
        if not os.path.exists(target):
            put.append(shutil.copy2(source, target))
    try:
        yield
    finally:
        for target in put:
            os.unlink(target)


@contextlib.contextmanager
def busy_cpus():
    """One process per CPU that spins in deep stacks."""
    deep = os.path.join(BUILD, "tests/workloads/deep")
    subprocess.run(["make", "-s", f"BUILD={BUILD}", deep], check=True)
    load = [subprocess.Popen([deep, str(2**31 - 1)]) for _ in range(CPUS)]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


# ---- the comparisons ---------------------------------------------------------

def pipe(*commands):
    """The shell pipeline, or None if one of the commands is missing."""
    return " | ".join(commands) if all(commands) else None


def argument(program, text):
    return program and f"{program} {text}"


def bench_collapse(mixed):
    script = argument(PERF, f"script -i {mixed} --no-inline")
    collapse = f"{PYROGRAPH} collapse -q {mixed}"
    with perf_maps(mixed):
        compare(f"Recording ({os.path.getsize(mixed) / 1e6:.1f} MB) to folded lines, and to a flame graph", [
            ("pyrograph collapse", collapse),
            ("pyrograph collapse | render flame", pipe(collapse, f"{PYROGRAPH} render flame")),
            ("perf script", script),
            ("perf script | stackcollapse-perf.pl", pipe(script, STACKCOLLAPSE)),
            ("perf script | stackcollapse-perf.pl | flamegraph.pl", pipe(script, STACKCOLLAPSE, FLAMEGRAPH)),
            ("perf script | inferno-collapse-perf", pipe(script, INFERNO_COLLAPSE)),
            ("perf script | inferno-collapse-perf | inferno-flamegraph",
             pipe(script, INFERNO_COLLAPSE, INFERNO_FLAMEGRAPH)),
        ])


SCRIPT_BYTES = 1032917384


def script_text(mixed):
    """1 GB of perf script's text of the recording, or None: repeated at other addresses, some of it with other names.

    Where perf script ends early, as perf 6.1 does when BPF programs were loaded meanwhile, there is no such text.
    """
    out = os.path.join(DIR, "script.txt")
    if os.path.exists(out):
        return out
    with perf_maps(mixed):
        run = subprocess.run(f"{PERF} script -i {mixed} --no-inline", shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode:
        failed.append((f"perf script -i {mixed}", run.stderr.decode(errors="replace").strip()[-300:]))
        return None
    with open(out + ".tmp", "wb") as file:
        for i in range(SCRIPT_BYTES // len(run.stdout) + 1):
            text = run.stdout.replace(b"\n\t    7f", b"\n\t    7%x" % (15 - i % 16)).replace(b"\n\t    55", b"\n\t    %x5" % (i % 16))
            if i % 5 in (1, 2):
                text = text.replace(b"do_syscall_64+", b"do_syscall_6%d+" % i).replace(b"start_thread+", b"start_thread%d+" % i)
            left = SCRIPT_BYTES - file.tell()
            file.write(text if len(text) <= left else text[:text.rfind(b"\n\n", 0, left) + 2])
    os.rename(out + ".tmp", out)
    return out


def bench_script(mixed):
    text = PERF and script_text(mixed)
    if not text:
        return
    collapse = f"{PYROGRAPH} collapse -q {text}"
    compare(f"Text of perf script ({os.path.getsize(text) / 1e6:.1f} MB) to folded lines", [
        ("pyrograph collapse --jobs 1", f"{collapse} --jobs 1"),
        ("pyrograph collapse --jobs 2", f"{collapse} --jobs 2"),
        ("inferno-collapse-perf -n 1", argument(INFERNO_COLLAPSE, f"-q -n 1 {text}")),
        ("inferno-collapse-perf -n 2", argument(INFERNO_COLLAPSE, f"-q -n 2 {text}")),
        ("wc -l", f"wc -l {text}"),
    ])
    if STACKCOLLAPSE:
        compare("... beside Perl, which takes a minute: once", [
            ("pyrograph collapse --jobs 1", f"{collapse} --jobs 1"),
            ("stackcollapse-perf.pl", f"{STACKCOLLAPSE} {text}"),
        ], 1)


def bench_scan(big):
    """How fast records are walked, with a program that only reads the bytes for a floor."""
    size = os.path.getsize(big)
    commands = [("pyrograph collapse --scan-only", f"{PYROGRAPH} collapse -q --scan-only {big}"),
                ("wc -l", f"wc -l {big}")]
    if PERF:
        commands.append(("perf report --stats", f"{PERF} report --stats -i {big}"))
    runs = in_turns(commands, ROUNDS)
    rows = [[name, f"{median(each, 'wall_s'):.4f}", f"{size / median(each, 'wall_s') / 1e9:.2f}",
             f"{size / min(run.wall_s for run in each) / 1e9:.2f}", mib(each)] for name, each in runs.items()]
    table(f"Walking the records of {size / 1e6:.1f} MB", ["", "wall s", "GB/s", "best", "peak MiB"], rows)


def bench_render(mixed):
    folded = os.path.join(DIR, "mixed.folded")
    with perf_maps(mixed):
        subprocess.run(f"{PYROGRAPH} collapse -q {mixed} >{folded}", shell=True, check=True)
    compare(f"Folded lines ({os.path.getsize(folded) / 1e6:.1f} MB) to a flame graph", [
        ("pyrograph render flame", f"{PYROGRAPH} render flame {folded}"),
        ("flamegraph.pl", argument(FLAMEGRAPH, folded)),
        ("inferno-flamegraph", argument(INFERNO_FLAMEGRAPH, folded)),
    ])


def compare_flames(what, path, rounds, perl):
    """Draw the flame graph of path, every frame of 0.01 % and more, with each program."""
    size = os.path.getsize(path) / 1e6
    out = os.path.join(DIR, "flame.svg")
    compare(f"{what} ({size:.1f} MB) to a flame graph, frames from 0.01 %; ours holds the whole profile", [
        ("pyrograph render flame", f"{PYROGRAPH} render flame -q --minwidth 0.01% {path} >{out}"),
        ("inferno-flamegraph", argument(INFERNO_FLAMEGRAPH, f"-q --minwidth 0.01 {path} >{out}")),
        ("flamegraph.pl", argument(perl, f"--minwidth 0.01% {path} >{out}")),
    ], rounds, out)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(out)


def bench_flame():
    big = folded("big")
    compare_flames("Mixed system profile", big, ROUNDS, FLAMEGRAPH)
    compare_flames("The same, unsorted", shuffled(big), ROUNDS, FLAMEGRAPH)
    if WIDE_ROUNDS:
        compare_flames("A million distinct stacks", folded("wide"), WIDE_ROUNDS, WIDE_PERL and FLAMEGRAPH)


def targets(title, rows):
    """Print (name, value, most that was asked for or None) below a title."""
    table(title, ["", "is", "target", "reached"],
          [[name, f"{value:.2f}" if value < 10 else f"{value:.1f}"] +
           ([f"< {target}", "yes" if value < target else "no"] if target else ["", ""]) for name, value, target in rows])


def browser_results(rounds, script, *arguments):
    """What the script measured at each round; [] if it failed or cannot be run."""
    node = shutil.which("node")
    if not (node and os.path.exists(os.environ.get("CHROMIUM", "/usr/bin/chromium")) and
            os.path.isdir(os.path.join(HERE, "../browser/node_modules/playwright-core"))):
        if BROWSER_HINT not in missing:
            missing.append(BROWSER_HINT)
        return []
    command = [node, os.path.join(HERE, script), *arguments]
    results = []
    for _ in range(rounds):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode:
            failed.append((shlex.join(command), run.stderr.strip()[-300:]))
        else:
            results.append(json.loads(run.stdout))
    return results


def bench_browser(rounds):
    """Does a picture of a million frames open soon, zoom and search at once, and stay small?"""
    svg = os.path.join(DIR, "million.svg")
    for path in (svg, svg + "z"):
        subprocess.run(f"{PYROGRAPH} render flame -q -o {path} {folded('million')}", shell=True, check=True)
    rows = [("file, MB", os.path.getsize(svg) / 1e6, 16), ("as .svgz, MB", os.path.getsize(svg + "z") / 1e6, 5)]
    results = browser_results(rounds, "browser.js", svg)
    if results:
        def middle(value):
            return statistics.median(map(value, results))

        def slowest(key):
            """Of several zooms or searches: the slowest one's median."""
            return max(statistics.median(times) for times in zip(*(result[key] for result in results)))

        rows += [
            ("first contentful paint, ms", middle(lambda r: r["paint_ms"]), 1500),
            ("ready to be used, ms", middle(lambda r: r["ready_ms"]), None),
            ("zoom into a frame, slowest of 4, ms", slowest("zoom_in_ms"), 150),
            ("zoom out to all, slowest of 4, ms", slowest("zoom_out_ms"), 150),
            ("search, slowest of 4, ms", slowest("search_ms"), 150),
            ("the tab's process when ready (PSS), MB", middle(lambda r: r["opened"]["pss"] / 1e6), 300),
            ("... after all this, MB", middle(lambda r: r["used"]["pss"] / 1e6), 300),
            ("... most ever (RSS), MB", middle(lambda r: r["used"]["peak"] / 1e6), None),
            ("... JavaScript heap, MB", middle(lambda r: r["used"]["heap"] / 1e6), None),
        ]
    targets(f"A million frames in a browser, medians of {len(results)}", rows)


def count_records(path):
    """(samples, samples lost) in a perf.data file, by a walk of its records.

    Each record starts with a u32 type, a u16 misc and its u16 size.
    """
    with open(path, "rb") as file:
        data = file.read()
    offset, size = struct.unpack_from("<QQ", data, 40)
    end = offset + size
    samples = lost = 0
    while offset < end:
        kind, _, size = struct.unpack_from("<IHH", data, offset)
        if kind == 9:     # PERF_RECORD_SAMPLE
            samples += 1
        elif kind == 2:   # PERF_RECORD_LOST: u64 id, lost
            lost += struct.unpack_from("<Q", data, offset + 16)[0]
        elif kind == 13:  # PERF_RECORD_LOST_SAMPLES: u64 lost
            lost += struct.unpack_from("<Q", data, offset + 8)[0]
        offset += size
    return samples, lost


def bench_collect(hz, seconds, rounds):
    """What the collecting process costs, and whether it keeps up.

    perf does without its cache of binaries (-N), which would be filled in the
    user's home; pyrograph resolves symbols within this time, perf later.
    """
    out = os.path.join(DIR, "collect.data")
    commands = [("pyrograph collect", f"exec {PYROGRAPH} collect cpu -a -F {hz} -d {seconds} -o {out}")]
    if PERF:
        commands.append(("perf record", f"exec {PERF} record -N -a -g -F {hz} -o {out} sleep {seconds}"))
    told = set()

    def look(_, run):
        run.samples, run.lost = count_records(out)
        run.file_mb = os.path.getsize(out) / 1e6
        told.update(line for line in run.stderr.splitlines() if "dropped" in line)

    with busy_cpus():
        runs = in_turns(commands, rounds, look)
    first = next(iter(runs.values()), None)
    due = hz * seconds * CPUS
    rows = []
    for name, each in runs.items():
        rows.append([name, f"{median(each, 'cpu_s'):.3f}", mib(each), f"{median(each, 'file_mb'):.1f}",
                     f"{100 * median(each, 'samples') / due:.1f}", f"{100 * min(r.samples for r in each) / due:.1f}",
                     str(max(run.lost for run in each)), factor(median(each, "cpu_s"), median(first, "cpu_s"))])
    table(f"Collecting at {hz} Hz for {seconds} s, {CPUS} CPUs busy",
          ["", "CPU s", "peak MiB", "file MB", "samples % of due", "least", "most LOST", "CPU"], rows)
    for line in sorted(told):
        print("  told:", line)
    for path in glob.glob(out + "*"):   # perf keeps the one before as .old
        os.unlink(path)


def tell_failures():
    """Say what could not be measured; the exit status: 1 if that is our fault."""
    if missing:
        print("\nnot installed, so not in the tables: " + ", ".join(missing))
    for command, reason in failed:
        print(f"\nfailed: {command}\n    {reason}")
    return 1 if any(PYROGRAPH in command or "browser.js" in command for command, _ in failed) else 0


WEB_CHARTS, WEB_KBYTES = 10000, 40


def bench_web():
    """The index of a fleet's charts: all of it, and once more when nothing has changed."""
    charts = os.path.join(DIR, "web-charts")
    if not os.path.isdir(charts):
        making = charts + ".tmp"
        shutil.rmtree(making, ignore_errors=True)
        os.mkdir(making)
        subprocess.run([sys.executable, os.path.join(HERE, "../web/many.py"), making, str(WEB_CHARTS), str(WEB_KBYTES)],
                       check=True)
        os.rename(making, charts)
    directory = shlex.quote(charts)
    index = f"{PYROGRAPH} web -q {directory}"
    forget = f"cd {directory} && rm -rf index.html charts.json index-files"
    for name, command, before in (("from nothing", index, forget), ("unchanged", index, index)):
        runs = []
        for _ in range(ROUNDS):
            subprocess.run(["sh", "-c", before], check=True)
            runs += in_turns([(name, command)], 1).get(name, [])
        if runs:
            walls = [run.wall_s for run in runs]
            table(f"pyrograph web: {WEB_CHARTS} charts of {WEB_KBYTES} kB, {name}", ["", "wall s", "min-max", "CPU s", "peak MiB"],
                  [["pyrograph web", f"{median(runs, 'wall_s'):.3f}", f"{min(walls):.3f}-{max(walls):.3f}",
                    f"{median(runs, 'cpu_s'):.3f}", mib(runs)]])


def main():
    others_failed = 0
    os.makedirs(DIR, exist_ok=True)
    if {"collapse", "script", "render"} & set(SECTIONS):
        mixed = recording("mixed.data", 999)
    if "collapse" in SECTIONS:
        bench_collapse(mixed)
    if "script" in SECTIONS:
        bench_script(mixed)
    if "scan" in SECTIONS:
        bench_scan(recording("big.data", 4999))
    if "render" in SECTIONS:
        bench_render(mixed)
    if "web" in SECTIONS:
        bench_web()
    if "collect" in SECTIONS:
        bench_collect(999, 10, min(ROUNDS, 3))
        bench_collect(9999, 5, min(ROUNDS, 3))
    if "flame" in SECTIONS:
        bench_flame()
    if "browser" in SECTIONS:
        bench_browser(ROUNDS)
    for section in ("sched", "harm", "faults", "syscalls", "io", "locks", "lanes", "processes", "flight", "heat", "text", "folded", "unwind", "jvm", "python", "javatext", "store"):
        if section in SECTIONS:
            others_failed |= subprocess.run([sys.executable, os.path.join(HERE, section + ".py")]).returncode
    return tell_failures() or others_failed


GNU_TIME = shutil.which("time")
if not GNU_TIME:
    missing.append("time (for the peak)")
PERF = find("perf")
STACKCOLLAPSE = find("stackcollapse-perf.pl", " (FLAMEGRAPH_DIR or PATH)")
FLAMEGRAPH = find("flamegraph.pl", " (FLAMEGRAPH_DIR or PATH)")
INFERNO_COLLAPSE = find("inferno-collapse-perf")
INFERNO_FLAMEGRAPH = find("inferno-flamegraph")

if __name__ == "__main__":
    sys.exit(main())
