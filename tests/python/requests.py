"""requests.py: answers requests, in which it works and sleeps, between getppid() and getpgrp(); when a file appears, it sleeps
long, and ends."""
import os
import sys
import time


def compute():
    n = 0
    for i in range(30000):
        n += i * i
    return n


def ask_database(seconds):
    time.sleep(seconds)


def request():
    os.getppid()
    compute()
    ask_database(0.004)
    os.getpgrp()


def between_requests():
    time.sleep(0.003)


if __name__ == "__main__":
    print("ready", flush=True)
    while not os.path.exists(sys.argv[1]):
        request()
        between_requests()
    ask_database(0.4)
