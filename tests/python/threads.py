"""threads.py: threads with names longer than the kernel's, each in a function with its number; some come and go."""
import ctypes
import threading
import time


def begin(number, for_s):
    made = {"time": time, "until": time.monotonic() + for_s}
    exec("""def work_%d():
    while time.monotonic() < until:
        for i in range(3000):
            i * i
        time.sleep(0.002)""" % number, made)
    thread = threading.Thread(target=made["work_%d" % number], daemon=True, name="a request of customer")
    thread.start()
    thread.name += "-%d" % number  # it gets another name when it runs already
    return thread


def named_by_kernel():
    ctypes.CDLL(None).prctl(15, b"native-worker")  # PR_SET_NAME
    while True:
        for i in range(3000):
            i * i
        time.sleep(0.002)


def named_by_python():
    while True:
        for i in range(3000):
            i * i
        time.sleep(0.002)


if __name__ == "__main__":
    for body in (named_by_kernel, named_by_python):
        threading.Thread(target=body, daemon=True).start()
    threading.Thread(target=named_by_kernel, name="ThreadPoolExecutor-0_1", daemon=True).start()
    for number in range(4):
        begin(number, 1000)
    print("ready", flush=True)
    while True:
        number += 1
        begin(number, 0.5).join()
