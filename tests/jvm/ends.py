# Stacks of tests/jvm/Ends.java up to the end of the program: which function called maths?
#
#     ends.py MODE FOLDED
import re
import sys

mode, path = sys.argv[1:3]
total, lost, wrong, unnamed = 0, 0, {}, 0
for line in open(path):
    if line.startswith("#") or "Ends.main" not in line and "Ends.maths" not in line:
        continue
    stack, count = line.rsplit(" ", 1)
    frames = [re.sub(r"_\[.\]$", "", f) for f in stack.split(";")[1:]]
    unnamed += int(count) if "[java-gone]" in frames else 0
    if "Ends.maths" not in frames:
        continue
    total += int(count)
    at = frames.index("Ends.maths")
    if not at:
        lost += int(count)  # the stack shows that the program is ending, so nothing is wrong
    elif not re.match(r"Ends\.lambda\$main\$\d$", frames[at - 1]) or frames.count("Ends.maths") > 1 or \
            not any(f.startswith("[libjli") or f.startswith("Java") or "call_stub" in f for f in frames[:at]):
        wrong[stack] = int(count)
print("%s - %s: maths was seen: %d times" % ("ok" if total > 50 else "not ok", mode, total))
print("%s - %s: called by what called it" % ("not ok" if wrong else "ok", mode))
for stack in sorted(wrong, key=wrong.get, reverse=True)[:5]:
    print("#   %d %s" % (wrong[stack], stack))
print("%s - %s: %d callers were not found, of %d" % ("ok" if lost <= 0.002 * total + 2 else "not ok", mode, lost, total))
print("%s - %s: %d have Java frames without a name" % ("ok" if unnamed <= 0.002 * total + 2 else "not ok", mode, unnamed))
