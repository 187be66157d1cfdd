"""waits.py: waits, is woken, calls the kernel and touches memory, each in a function of its own, and says its stacks first."""
import mmap
import os
import sys
import threading
import time

from stacks import here

wanted, done = threading.Lock(), threading.Lock()  # both are held unless there is something to take
said = set()


def say(name):
    if name not in said:
        said.add(name)
        os.write(1, f"{name}|{here().rpartition(';')[0]}\n".encode())  # whole, unlike what print() writes


def nap():
    say("nap")
    time.sleep(0.002)


def ask():
    say("ask")
    os.stat("/")


def touch():
    say("touch")
    with mmap.mmap(-1, 1 << 20) as memory:
        for at in range(0, 1 << 20, 4096):
            memory[at] = 1


def build():
    say("build")
    return bytes(1 << 18)


def store():
    say("store")
    os.pwrite(file, b"x", 0)
    os.fsync(file)


def stay():
    say("stay")
    time.sleep(100000)


def give():
    say("give")
    wanted.release()
    done.acquire()


def take():
    say("take")
    wanted.acquire()
    done.release()


def takes():
    while True:
        take()


if __name__ == "__main__":
    file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
    wanted.acquire()
    done.acquire()
    threading.Thread(target=takes, daemon=True).start()
    threading.Thread(target=stay, daemon=True).start()
    while True:
        for work in (nap, ask, touch, build, store, give):
            work()
