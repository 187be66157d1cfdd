#!/usr/bin/env python3
"""A steady load as a sampler sees it, and how much rows of its heat map differ: prints a TAP line for each rate and
number of CPUs, each of which is busy and sampled that often a second.

The kernel's timer is regular: its period is a whole number of ns, its phase is that of the start, and interrupts are
late by some microseconds."""
import collections
import math
import random
import sys

sys.path.insert(0, "tests")
from tap import Stage, line  # noqa: E402

NOON = 1795262400 * 10**9  # 19 digits: texts of times sort as times
RENDER = Stage("render")


def lines(rate, cpus, seconds):
    """Timed folded lines."""
    random.seed(rate * 100 + cpus)
    late, log, lambd = random.random, math.log, 1 / 5000  # random.expovariate(lambd) without a call each
    samples = []
    for cpu in range(cpus):
        start = NOON + random.randrange(10**9 // rate)
        samples += [f"{start + i * (10**9 // rate) + int(-log(1.0 - late()) / lambd)} busy;cpu{cpu};work 1\n"
                    for i in range(rate * seconds)]
    samples.sort()
    header = ("# pyrograph: host=h from=2026-11-21T12:00:00.000000000Z to=2026-11-21T12:%02d:%02d.000000000Z cpus=0-%d rate=%dHz "
              "root=thread,cpu unit=samples\n" % (*divmod(seconds, 60), cpus - 1, rate))
    return (header + "".join(f"@{sample[:10]}.{sample[10:]}" for sample in samples)).encode()


def judge(rate, cpus, *options):
    """The greatest deviation of a row's sum from the mean, in standard deviations of chance (the root of the mean)."""
    ran = RENDER.run("heat", "-q", "-f", "tsv", *options, stdin=lines(rate, cpus, 60 if rate < 300 else 20))
    if ran.status:
        sys.exit(ran.err.decode())
    rows = collections.Counter()
    for row in ran.out.decode().splitlines()[1:]:
        _, _, offset, events, *_ = row.split("\t")
        rows[offset] += int(events)
    mean = sum(rows.values()) / len(rows)
    worst = max(abs(n - mean) for n in rows.values())
    return round(worst / math.sqrt(mean), 2)


# Of 50 random sums, one is off by 3.5 standard deviations in one picture of 50.
for hertz in 49, 97, 99, 100, 131, 199, 250, 499, 997, 999, 1000:
    for number in 1, 8:
        most = judge(hertz, number)
        line(most < 3.5, f"{hertz} Hz, {number} CPUs: rows differ by {most:.2f} standard deviations")
most = judge(99, 1, "--rows", "50")
line(most > 3.5, f"rows that do not fit have them: {most:.2f}")
RENDER.end()
