#!/usr/bin/env python3
"""The example of perf's documentation (cpu-and-latency-overheads.txt), for make_recording.py: foo runs for 9 s in one
thread, then bar for 1 s in 128, on 128 CPUs; every thread is sampled every 10 ms.

    parallel.py KIND [SPREAD]   KIND says how switches are recorded: spans short records wide tracepoint none;
                                short: as spans, but those of bar are sums
                                SPREAD: ns between the samples of neighbouring threads [1]
"""
import sys

KIND = sys.argv[1]
SPREAD = int(sys.argv[2]) if sys.argv[2:] else 1
START, STEP, COUNT = 1000000000, 10000000, 128
BAR, END = START + 900 * STEP, START + 1000 * STEP
FOO, THREADS = 10, range(11, 11 + COUNT)


def spans():
    print("span-event sched 1")
    print("span %d %d 10 %d 0 %d 1 %d single state:running" % (START, BAR, FOO, BAR - START, BAR - START))
    for i, tid in enumerate(THREADS):
        print("span %d %d 10 %d %d %d 1 %d %s state:running" % (BAR, END, tid, i, END - BAR, END - BAR,
                                                               "-" if KIND == "short" else "single"))


def switches():
    wide = "wide-" if KIND == "wide" else ""
    print("%sout %d 10 %d 0" % (wide, BAR, FOO))
    for i, tid in enumerate(THREADS):
        if KIND == "wide":
            print("wide-out %d 0 0 %d" % (BAR, i))
        print("%sin %d 10 %d %d" % (wide, BAR, tid, i))
        print("exit %d 10 %d" % (END, tid))


def tracepoints():
    print("tracepoint switch 300")
    print("switch %d 0 %d 1 %d" % (BAR, FOO, THREADS[0]))
    for i, tid in enumerate(THREADS[1:]):
        print("switch %d %d 0 0 %d" % (BAR, i + 1, tid))
    for i, tid in enumerate(THREADS):
        print("switch %d %d %d 1 0" % (END, i, tid))


print("host db1\nclock %d 1795342502000000000" % START)
print("comm 1 10 %d foo" % FOO)
for tid in THREADS:
    print("fork %d 10 10 %d %d" % (START + 1, tid, FOO))
    print("comm %d 10 %d bar" % (START + 2, tid))
if KIND in ("spans", "short"):
    spans()
if KIND == "tracepoint":
    tracepoints()
print("event cpu-clock 1 0\nperiod %d" % STEP)
if KIND in ("records", "wide"):
    switches()
for step in range(900):
    print("sample %d 10 %d 0 0x1000" % (START + step * STEP + STEP // 2, FOO))
for step in range(100):
    for i, tid in enumerate(THREADS):
        print("sample %d 10 %d %d 0x2000" % (BAR + step * STEP + STEP // 4 + i * SPREAD, tid, i))
