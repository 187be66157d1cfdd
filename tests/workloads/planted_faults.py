"""planted_faults.py NAME SECONDS: a service with one planted fault, as planted_faults.c has.

  gil        cruncher computes in Python, and has the interpreter's lock: request-1..3 have to wait for it   crunch_totals
  pictures   the same; its threads have names of Python's alone, longer than the kernel's                    crunch_totals
  sorter     the same, in a function of C: sorted(data)                                                      builtin_sorted
  keeper     stock-sync sleeps for 120 ms while it has a lock that request-1 needs; crunchers have the GIL       sleep
  executor   none: the threads of a pool wait for tasks, of which there are few

Prints "ready" when its threads have begun."""
import concurrent.futures
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


def gil():
    begin("cruncher", crunch_totals)
    for n in range(1, 4):
        begin("request-%d" % n, take_order)


def pictures():
    def forever(body):
        while True:
            body()

    threading.Thread(target=forever, args=(crunch_totals,), name="thumbnails-of-pictures", daemon=True).start()
    for n in range(1, 4):
        threading.Thread(target=forever, args=(take_order,), name="request-for-a-page-%d" % n, daemon=True).start()


def sorter():
    data = [(i * 7919) % 1000003 / 7 for i in range(300000)]
    begin("sorter", lambda: sorted(data))
    for n in range(1, 4):
        begin("request-%d" % n, take_order)


desk = threading.Lock()


def sync_stock():
    with desk:
        time.sleep(0.12)
    time.sleep(0.03)


def book_order():
    with desk:
        pass
    price_order()
    time.sleep(0.002)


def keeper():
    begin("stock-sync", sync_stock)
    begin("request-1", book_order)
    begin("cruncher", crunch_totals)


def executor():
    pool = concurrent.futures.ThreadPoolExecutor(4, initializer=lambda: libc.prctl(15, b"pool"))

    def submit_order():
        pool.submit(price_order)
        time.sleep(0.02)

    begin("source", submit_order)


{"gil": gil, "pictures": pictures, "sorter": sorter, "keeper": keeper, "executor": executor}[sys.argv[1]]()
print("ready", flush=True)
time.sleep(float(sys.argv[2]))
os._exit(0)
