#!/usr/bin/env python3
"""sched.py: what it costs a program that its scheduler events are collected.

The program is `perf bench sched`: 200,000 switches of two processes pinned to one
CPU, and 400 processes that send each other messages.  It runs by itself and below
each collector, in turns, in another order at each round; the time is the one that
it prints itself.

  BUILD         where pyrograph is              [build]
  SCHED_ROUNDS  turns of each collector         [9]
  SCHED_CPU     the CPU that pipe is pinned to  [the last one]
"""
import os
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

BUILD = os.environ.get("BUILD", "build")
ROUNDS = int(os.environ.get("SCHED_ROUNDS", 9))
PYROGRAPH = shlex.quote(os.path.join(BUILD, "pyrograph"))
PERF = shutil.which("perf")       # with its path, because bpftrace wants an unambiguous name
TASKSET = shutil.which("taskset")
CPU = os.environ.get("SCHED_CPU", str(max(os.sched_getaffinity(0))))

# (name, command with {} for the program and OUT for a file, target: factor or None)
COLLECTORS = [
    ("none", "{}", None),
    ("pyrograph collect sched", f"{PYROGRAPH} collect sched -q -a -o OUT -- {{}}", 1.25),
    ("pyrograph collect offcpu --min 10us", f"{PYROGRAPH} collect offcpu -q -a --min 10us -o OUT -- {{}}", 1.4),
    ("pyrograph collect offcpu, every stack", f"{PYROGRAPH} collect offcpu -q -a --min 0 -o OUT -- {{}}", "bpftrace"),
    ("pyrograph collect sched --events", f"{PYROGRAPH} collect sched -q -a --events -o OUT -- {{}}", None),
    ("perf record -e sched:sched_switch -a", "perf record -q -N -e sched:sched_switch -a -o OUT -- {}", None),
    ("perf record -e sched:sched_switch -a -g", "perf record -q -N -e sched:sched_switch -a -g -o OUT -- {}", None),
    ("perf sched record", "perf sched record -q -o OUT -- {}", None),
    ("bpftrace, switches counted",
     "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:sched:sched_switch {{ @ = count(); }}'", None),
    ("bpftrace, time off CPU by stack",
     "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:sched:sched_switch {{ @since[args->prev_pid] = nsecs; "
     "@stack[args->prev_pid] = (kstack, ustack); $t = @since[args->next_pid]; "
     "if ($t) {{ @[comm] = sum(nsecs - $t); delete(@since[args->next_pid]); }} }}'", None),
    ("bpftrace, stacks counted",
     "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:sched:sched_switch {{ @[kstack, ustack, comm] = count(); }}'", None),
]

PROGRAMS = [
    ("200,000 switches on one CPU (perf bench sched pipe)",
     f"{TASKSET} -c {CPU} {PERF} bench sched pipe -l 100000"),
    ("400 processes, messages (perf bench sched messaging -g 10 -l 100)",
     f"{PERF} bench sched messaging -g 10 -l 100"),
]


def run(template, program, out):
    """The program's own time in seconds below a collector, or None and what was said."""
    command = template.replace("OUT", shlex.quote(out)).format(program, quoted=shlex.quote(program))
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, errors="replace", check=False)
    written = ""
    if "bpftrace" in template:
        with open(out, errors="replace") as file:
            written = file.read()
    said = result.stdout + result.stderr + written
    found = re.search(r"Total time: *([0-9.]+) \[sec\]", said)
    return (float(found[1]) if found else None), said


def measure(program, collectors, rounds, slow=()):
    """What run() says, by name.  slow: names of those that have three turns only."""
    times = {name: [] for name, _, _ in collectors}
    failed = {}
    order = random.Random(1)
    for number in range(rounds):
        turn = [c for c in collectors if number < 3 or c[0] not in slow]
        order.shuffle(turn)
        for name, template, _ in turn:
            with tempfile.TemporaryDirectory() as where:
                seconds, said = run(template, program, os.path.join(where, "out.data"))
            if seconds is None:
                failed[name] = said.strip()[-300:]
            else:
                times[name].append(seconds)
    return times, failed


def show(title, collectors, times, targets):
    base = statistics.median(times["none"])
    bpftrace = times.get("bpftrace, stacks counted")
    print(f"\n{title}")
    print(f"  {'':42} {'median s':>9} {'min s':>8} {'max s':>8} {'times none':>11}  target")
    for name, _, target in collectors:
        each = times[name]
        if not each:
            continue
        factor = statistics.median(each) / base
        if target == "bpftrace":
            target = statistics.median(bpftrace) / base if bpftrace else None
        verdict = f"{target:.2f} {'reached' if factor <= target else 'NOT reached'}" if targets and target else ""
        print(f"  {name:42} {statistics.median(each):9.3f} {min(each):8.3f} {max(each):8.3f} {factor:11.2f}  {verdict}")
    sys.stdout.flush()


def main():
    if not PERF:
        print("sched: perf is not installed: nothing to measure")
        return 0
    wanted = [c for c in COLLECTORS if not c[1].startswith("bpftrace") or shutil.which("bpftrace")]
    if len(wanted) < len(COLLECTORS):
        print("not installed, so not in the tables: bpftrace")
    only = os.environ.get("SCHED_ONLY")
    if only:
        wanted = [c for c in wanted if c[0] == "none" or re.search(only, c[0])]
    bad = {}
    for number, (title, program) in enumerate(PROGRAMS):
        times, failed = measure(program, wanted, ROUNDS)
        show(f"{title}, {ROUNDS} rounds", wanted, times, number == 0)
        bad.update(failed)
    for name, said in bad.items():
        print(f"\nfailed: {name}\n    {said}")
    return 1 if any(name.startswith("pyrograph") for name in bad) else 0


if __name__ == "__main__":
    sys.exit(main())
