"""truth.py: two threads that spend their CPU time in functions in fixed proportions, and say what each used, by the clock of the
thread: "NAME NANOSECONDS" for each, once stdin ends."""
import json
import sys
import threading
import time

ROUND_NS = 8_000_000
used, is_over = {}, False


def loop():
    n = 0
    for i in range(50):
        n += i


def encode():
    json.dumps([{"number": i, "text": "some"} for i in range(8)])


def generate():
    sum(i for i in range(50))


def recurse(depth=20):
    if depth:
        recurse(depth - 1)


def order():
    sorted([8, 3, 5, 1, 9], key=lambda x: -x)


def spend(work, until):
    while time.thread_time_ns() < until:
        work()


def one_tenth(until):
    spend(loop, until)


def two_tenths(until):
    spend(encode, until)


def three_tenths(until):
    spend(generate, until)


def four_tenths(until):
    spend(recurse, until)


def quarter(until):
    spend(order, until)


def three_quarters(until):
    spend(loop, until)


def turns(shares):
    while not is_over:
        for function, share in shares:
            begin = time.thread_time_ns()
            function(begin + int(ROUND_NS * share))
            used[function.__name__] = used.get(function.__name__, 0) + time.thread_time_ns() - begin


if __name__ == "__main__":
    threads = [threading.Thread(target=turns, args=(shares,)) for shares in (
        [(one_tenth, 0.1), (two_tenths, 0.2), (three_tenths, 0.3), (four_tenths, 0.4)],
        [(quarter, 0.25), (three_quarters, 0.75)])]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    sys.stdin.read()
    is_over = True
    for thread in threads:
        thread.join()
    for name, ns in used.items():
        print(name, ns)
