# hot: runs hot() under outer() for the given seconds of CPU time.
import sys
import time


def hot(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def outer(n):
    return hot(n)


until = time.process_time() + float(sys.argv[1])
while time.process_time() < until:
    outer(20000)
