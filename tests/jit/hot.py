# hot: runs hot() under outer() for the given seconds.
import sys
import time


def hot(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def outer(n):
    return hot(n)


until = time.time() + float(sys.argv[1])
while time.time() < until:
    outer(20000)
