#!/usr/bin/env python3
"""processes.py: what it costs that each fork, exec and end of a process is told, and whether all are.

A program begins processes that end at once, as many at a time as there are CPUs, by itself and below each collector,
in turns; the figure is how many in a second, as it says itself.

  BUILD             where pyrograph and tests/workloads/processes are   [build]
  PROCESSES_ROUNDS  turns of each collector                             [5]
  PROCESSES_COUNT   processes in each                                   [10000]
"""
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
ROUNDS = int(os.environ.get("PROCESSES_ROUNDS", 5))
COUNT = int(os.environ.get("PROCESSES_COUNT", 10000))
PYROGRAPH = shlex.quote(os.path.join(BUILD, "pyrograph"))
BURST = f"{shlex.quote(os.path.join(BUILD, 'tests', 'workloads', 'processes'))} burst {COUNT} {os.cpu_count()}"

# (name, command with {} for the program and OUT for a file, command that prints a line for each exec in the file)
COLLECTORS = [
    ("none", "{}", None),
    ("pyrograph collect processes", f"{PYROGRAPH} collect processes -q -o OUT -- {{}}",
     f"{PYROGRAPH} collapse -q --processes --timed OUT | grep -c ';exec;exit:0;.*nothing'"),
    ("pyrograph collect processes -a", f"{PYROGRAPH} collect processes -a -q -o OUT -- {{}}",
     f"{PYROGRAPH} collapse -q --processes --timed OUT | grep -c ';exec;exit:0;.*nothing'"),
    ("perf record, fork, exec and exit", "perf record -q -N -a -e sched:sched_process_fork -e sched:sched_process_exec "
     "-e sched:sched_process_exit -o OUT -- {}",
     "perf script -i OUT --symfs /nonexistent 2>/dev/null | grep -c 'sched_process_exec.*workloads/processes'"),
    ("bpftrace, a line for each exec", "bpftrace -q -o OUT -c {quoted} -e 'tracepoint:syscalls:sys_enter_execve "
     "{{ printf(\"%d %d \", elapsed / 1000000, pid); join(args->argv); }}'", "grep -c ' nothing$' OUT"),
]


def run(template, count, out):
    """How many processes a second below a collector, and how many of them it has; None: it did not run."""
    command = template.replace("OUT", shlex.quote(out)).format(BURST, quoted=shlex.quote(BURST))
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, errors="replace", check=False)
    said = result.stdout + result.stderr
    if "bpftrace" in template and os.path.exists(out):
        with open(out, errors="replace") as file:
            said += file.read()
    found = re.search(r"processes, ([0-9]+) a second", said)
    if not found:
        return None, said.strip()[-300:]
    told = subprocess.run(["sh", "-c", count.replace("OUT", shlex.quote(out))], capture_output=True, text=True,
                          check=False).stdout if count else ""
    return float(found[1]), told.strip()


def main():
    collectors = [c for c in COLLECTORS if c[1].split()[0] not in ("perf", "bpftrace") or shutil.which(c[1].split()[0])]
    rates = {name: [] for name, _, _ in collectors}
    told = {}
    failed = {}
    for i in range(ROUNDS):
        for name, template, count in collectors[i % len(collectors):] + collectors[:i % len(collectors)]:
            with tempfile.TemporaryDirectory() as directory:
                rate, said = run(template, count, os.path.join(directory, "x.data"))
            if rate is None:
                failed[name] = said
            else:
                rates[name].append(rate)
                told.setdefault(name, []).append(said)
    print(f"\n{COUNT} processes that end at once, {os.cpu_count()} at a time, {ROUNDS} rounds, in turns\n")
    print(f"{'':36} {'a second':>9} {'times as long, median (best)':>30}  least that it has of each round")
    for name, all_of_it in rates.items():
        if not all_of_it:
            continue
        ratio = statistics.median(a / b for a, b in zip(rates["none"], all_of_it))
        best = max(rates["none"]) / max(all_of_it)
        least = "" if name == "none" else min(told[name], key=lambda n: int(n or 0))
        print(f"{name:36} {statistics.median(all_of_it):9,.0f} {f'{ratio:.3f} ({best:.3f})' if name != 'none' else '':>30}  {least}")
    for name, said in failed.items():
        print(f"\nfailed: {name}\n    {said}")
    return 1 if any(name.startswith("pyrograph") for name in failed) else 0


if __name__ == "__main__":
    sys.exit(main())
