"""embedded.py: runs in a program that contains an interpreter: works and waits in functions of its own, for good."""
import time


def work():
    until = time.monotonic() + 0.01
    while time.monotonic() < until:
        pass


def nap():
    time.sleep(0.005)


def run():
    print("ready", flush=True)
    while True:
        work()
        nap()


run()
