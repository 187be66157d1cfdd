# Compares stacks of tests/jvm/Stacks.java, as collapse prints them, with what the program itself knows.
#
#     stacks.py MODE FOLDED PROGRAM_OUTPUT
import re
import sys

BELOW = ["Thread.run", "Lambda.run", "lambda$main", "measure", "loop", "Lambda.run"]
NESTS = {
    "nest": BELOW + ["nest", "d1", "d2", "d3", "d4", "burn"],
    "natives": BELOW + ["natives"] + 4 * ["callBack", "called"] + ["burn"],
    "recursion": BELOW + ["recursion"] + 41 * ["deeper"] + ["burn"],
}
FIRST = {"java.lang.Thread.run", "Stacks.main", "java.util.concurrent.ForkJoinWorkerThread.run",
         "java.lang.Thread.runWith"}

mode, folded, output = sys.argv[1:4]
truth, threads = [], set()
for line in open(output):
    words = line.split()
    if words[0] == "cpu":
        threads.add(words[1])
    elif words[0] == "share":
        truth.append((words[1], words[2], float(words[3])))


def short(frame):
    """Stacks.d1_[i] is d1, Stacks$$Lambda.run Lambda.run, Stacks.lambda$main$8 lambda$main"""
    frame = re.sub(r"_\[.\]$", "", frame)
    if frame in ("java.lang.Thread.run", "java.lang.Thread.runWith"):
        return "Thread.run"
    if frame.startswith("Stacks$$Lambda"):
        return "Lambda.run"
    return re.sub(r"\$\d+$", "", frame[7:]) if frame.startswith("Stacks.") else None


def is_of_nest(frames, nest):
    """Is it called as the nest is, no method left out?"""
    known = [short(f) for f in frames]
    known = [f for i, f in enumerate(known) if f and not (f == "Thread.run" and i and known[i - 1] == f)]
    if nest is NESTS["recursion"]:
        rest = known[len(BELOW) + 1:]
        depth = rest.count("deeper")
        return (known[:len(BELOW) + 1] == nest[:len(known)][:len(BELOW) + 1] and depth <= 41 and
                rest in (depth * ["deeper"], depth * ["deeper"] + ["burn"]))
    return known == nest[:len(known)]


samples, whole, wrong, early, within = {}, {}, {}, {}, {}
for line in open(folded):
    if line.startswith("#"):
        continue
    stack, count = line.rsplit(" ", 1)
    root, *frames = stack.split(";")
    thread, count = root.split("/")[-1], int(count)
    if thread not in threads and not thread.startswith("ForkJoinPool-1-work"):
        continue
    names = [re.sub(r"_\[.\]$", "", f) for f in frames]
    samples[thread] = samples.get(thread, 0) + count
    if FIRST & set(names):
        whole[thread] = whole.get(thread, 0) + count
        if thread in NESTS and not is_of_nest(frames, NESTS[thread]):
            wrong[stack] = count
    else:
        early[stack] = count
    for name in set(names):
        within[thread, name] = within.get((thread, name), 0) + count

total, good = sum(samples.values()), sum(whole.values())
print("%s - %s: %.2f %% of %d stacks of %d threads are whole" %
      ("ok" if total and good >= 0.98 * total else "not ok", mode, 100 * good / max(1, total), total, len(samples)))
for thread, count in sorted(samples.items()):
    if count >= 200 and whole.get(thread, 0) < 0.98 * count:
        print("not ok - %s: thread %s: %d of %d" % (mode, thread, whole.get(thread, 0), count))
for stack in sorted(early, key=early.get, reverse=True)[:10]:
    print("#   %d %s" % (early[stack], stack))
missing = threads - set(samples)
print("%s - %s: each thread was seen %s" % ("not ok" if missing else "ok", mode, " ".join(sorted(missing))))
if threads & set(NESTS):
    print("%s - %s: no caller is left out or wrong" % ("not ok" if wrong else "ok", mode))
for stack in sorted(wrong, key=wrong.get, reverse=True)[:5]:
    print("#   %d %s" % (wrong[stack], stack))
for thread, method, share in truth:
    n = samples.get(thread, 0)
    got = within.get((thread, method), 0) / max(1, n)
    slack = 0.03 + 4 * (share * (1 - share) / max(1, n)) ** 0.5 # and what so few samples vary by
    print("%s - %s: %s: %.1f %% of %d samples, truly %.1f %%" %
          ("ok" if abs(got - share) <= slack else "not ok", mode, method, 100 * got, n, 100 * share))
