"""churn.py: functions that are made, run for some milliseconds, and go: the thread is called turn7 while it runs inner_7."""
import time

TEXT = """
def inner_%d(until):
    while time.monotonic() < until:
        pass

def outer_%d(until):
    inner_%d(until)

outer_%d(time.monotonic() + 0.004)
"""

print("ready", flush=True)
number = 0
comm = open("/proc/thread-self/comm", "w")
while True:
    comm.write("turn%d" % number)
    comm.flush()
    functions = {"time": time, "__name__": "made"}
    exec(TEXT % ((number,) * 4), functions)
    functions.clear()
    number = (number + 1) % 1000  # as many letters in most names, so that they take each other's memory
