#!/usr/bin/env python3
"""make_samples.py HOST COUNT [NAME [START]]: samples of one host, as collapse --out samples writes them: two CPUs at 99 Hz,
some 100 stacks.  NAME is a function in some of them; START: in seconds since 1970."""
import random
import sys

host, count = int(sys.argv[1]), int(sys.argv[2])
name = sys.argv[3].replace(";", ":") if len(sys.argv) > 3 else "leaf"
start = float(sys.argv[4]) if len(sys.argv) > 4 else 1795342502
random.seed(host)
out = ["# pyrograph: host=host%d event=cpu-clock rate=99Hz root=comm,thread,cpu lost=0/%d columns=samples,period unit=samples" %
       (host, count)]
threads = 8
for n in range(threads * 2):
    out.append("l %d comm=worker-%d\tthread=server-%d/worker-%d\tcpu=cpu%d" % (n, n // 2, 100 + host, n // 2, n % 2))
for n in range(100):
    out.append("s %d main;run;%s;f%d_[k]" % (n, "step_%d" % (n % 7) if n % 3 else name, n))
for i in range(count):
    ns = int(start * 10 ** 9) + i // 2 * 10101010 + i % 2 * 3000000 + random.randrange(20000)
    out.append("@%d.%09d %d %d 1 10101010" % (ns // 10 ** 9, ns % 10 ** 9, random.randrange(threads) * 2 + i % 2,
                                             min(99, int(random.paretovariate(1)) - 1)))
print("\n".join(out))
