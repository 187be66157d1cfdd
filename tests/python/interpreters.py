"""interpreters.py: threads that each run an interpreter of their own, with functions that have the thread's number; of one
more thread, interpreters come and go: the kernel calls it by the number of the last one, "other-107"."""
import threading
import time
from concurrent import interpreters

WORK = """
import time

def work_%d(turns):
    for _ in range(turns):
        until = time.monotonic() + 0.008
        while time.monotonic() < until:
            pass
        nap_%d()

def nap_%d():
    time.sleep(0.004)

work_%d(%d)
"""


def run(number, turns):
    interpreter = interpreters.create()
    interpreter.exec(WORK % ((number,) * 4 + (turns,)))
    interpreter.close()


def come_and_go():
    comm = open("/proc/thread-self/comm", "w")
    number = 100
    while True:
        number += 1
        comm.write("other-%d" % number)
        comm.flush()
        run(number, 1)


if __name__ == "__main__":
    for number in range(3):
        threading.Thread(target=run, args=(number, 1 << 30), name="interpreter-%d" % number, daemon=True).start()
    threading.Thread(target=come_and_go, daemon=True).start()
    print("ready", flush=True)
    time.sleep(100000)
