#!/usr/bin/env python3
"""python.py: what it costs a service in Python (service.py) to be sampled.

The service has the last CPU, who records the first one.  Recordings take turns; of each, the best turn counts, by
requests for each second of the service's CPU time, so that what else runs on the machine does not matter.

  PYTHON_ROUNDS   turns of each recording   [5]
  PYTHON_SECONDS  seconds of each           [4]
  PYTHON_NICE     everybody's niceness; where others use the machine, -15 keeps them out of it  [0]
"""
import os
import subprocess
import sys
import tempfile

from run import HERE, PERF, PYROGRAPH

ROUNDS = int(os.environ.get("PYTHON_ROUNDS", 5))
SECONDS = int(os.environ.get("PYTHON_SECONDS", 4))
CPUS = sorted(os.sched_getaffinity(0))
RECORDER, SERVICE = CPUS[0], CPUS[-1]
NICE = os.environ.get("PYTHON_NICE", "0")
RATES = 99, 999, 4999


def ask(service):
    service.stdin.write("\n")
    service.stdin.flush()
    return [int(n) for n in service.stdout.readline().split()]


def turn(service, command):
    """Requests for each second of CPU time, while the command runs."""
    requests, cpu_ns = ask(service)
    ran = subprocess.run("exec nice -n %s taskset -c %d %s" % (NICE, RECORDER, command), shell=True,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        sys.exit("python.py: %s: %s" % (command, ran.stderr))
    requests_then, cpu_then_ns = ask(service)
    return (requests_then - requests) / (cpu_then_ns - cpu_ns) * 1e9


def recordings(pid, at):
    yield "nothing", "sleep %d" % SECONDS
    for rate in RATES:
        yield "collect cpu -F %d" % rate, "%s collect cpu -p %d -F %d -d %d -o %s/ours" % (PYROGRAPH, pid, rate, SECONDS, at)
        if PERF:
            yield "perf record -g -F %d" % rate, "%s record -g -F %d -p %d -o %s/perf -- sleep %d" % (
                PERF, rate, pid, at, SECONDS)


def main():
    best = {}
    with tempfile.TemporaryDirectory() as at:
        service = subprocess.Popen(["nice", "-n", NICE, "taskset", "-c", str(SERVICE), sys.executable,
                                    os.path.join(HERE, "service.py")],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ask(service)
        for _ in range(ROUNDS):
            for name, command in recordings(service.pid, at):
                best[name] = max(best.get(name, 0), turn(service, command))
        service.stdin.close()
        service.wait()
    print("\n## Python\n\nA service, 50 functions deep, pinned; the best of %d turns.\n" % ROUNDS)
    print("| recording | requests a second of CPU time | fewer, % |")
    print("|---|--:|--:|")
    for name, rate in best.items():
        print("| %s | %d | %.2f |" % (name, rate, 100 - 100 * rate / best["nothing"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
