# Stacks of tests/jvm/Blocks.java: all callers are there, or a frame says that some are missing.
#
#     blocks.py MODE FOLDED
import re
import sys

mode, path = sys.argv[1:3]
wrong, heap, total = {}, 0, 0
for line in open(path):
    if line.startswith("#") or "Blocks.work" not in line:
        continue
    stack, count = line.rsplit(" ", 1)
    frames = [re.sub(r"_\[.\]$", "", f) for f in stack.split(";")]
    before = frames[frames.index("Blocks.work") - 1]
    total += int(count)
    if before == "[frames on the heap]" and "jdk.internal.vm.Continuation.enterSpecial" in frames:
        heap += int(count)
    elif before != "Blocks.parse":
        wrong[stack] = int(count)
print("%s - %s: %d of %d stacks have callers on the heap" % ("ok" if heap > 10 else "not ok", mode, heap, total))
print("%s - %s: no caller is left out in silence" % ("not ok" if wrong else "ok", mode))
for stack in sorted(wrong, key=wrong.get, reverse=True)[:5]:
    print("#   %d %s" % (wrong[stack], stack))
