"""forks.py: a process whose children, forked without an exec, run Python for a moment."""
import os
import time


def child():
    until = time.thread_time() + 0.008
    while time.thread_time() < until:
        pass


if __name__ == "__main__":
    print("ready", flush=True)
    while True:
        pid = os.fork()
        if not pid:
            child()
            time.sleep(0.12)  # it can be read a little longer
            os._exit(0)
        os.waitpid(pid, 0)
