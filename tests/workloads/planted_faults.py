"""planted_faults.py SECONDS: a service with one planted fault, as planted_faults.c has.

  cruncher computes in Python, and has the interpreter's lock (GIL): request-1..3 have to wait for it     crunch_totals

Prints "ready" when its threads have begun."""
import ctypes
import os
import sys
import threading
import time

libc = ctypes.CDLL(None)


def begin(name, body):
    def run():
        libc.prctl(15, name.encode())  # PR_SET_NAME: which Python itself does from 3.14 on
        while True:
            body()

    threading.Thread(target=run, daemon=True).start()


def crunch_totals():
    total = 0
    for i in range(200000):
        total += i * i
    return total


def price_order():
    total = 0
    for i in range(300):
        total += i
    return total


def take_order():
    price_order()
    time.sleep(0.002)


begin("cruncher", crunch_totals)
for n in range(1, 4):
    begin("request-%d" % n, take_order)
print("ready", flush=True)
time.sleep(float(sys.argv[1]))
os._exit(0)
