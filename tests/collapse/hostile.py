#!/usr/bin/env python3
"""Feeds damaged recordings to `pyrograph collapse` and prints TAP lines.

    hostile.py RECORDING RUNS [OPTIONS ...]

OPTIONS are those of collapse [--event all].  Each must end with status 0 or 1 within the time limit, without a signal and
without a sanitizer's report; where it fails, with a message.  The damage comes
from a fixed seed, so that a failure can be seen again.
"""
import concurrent.futures
import os
import random
import struct
import sys
import tempfile
import threading

sys.path.insert(0, "tests")
from tap import Stage  # noqa: E402

TIME_LIMIT_S = 300  # for programs that do not end by themselves; the machine may be busy
# Labels, too: of each kind, of no known kind, and with values that make no sense.
INTERESTING = [0, 1, 7, 8, 9, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1 << 63, (1 << 64) - 1, (1 << 64) - 8,
               0x4c01000000000006, 0x4c010000000000ff, 0x4c02000000000014, 0x4c02ffffffffffff, 0x4c03000014000014,
               0x4c03000000000000, 0x4c03ffffffffffff, 0x4c04000000000001, 0x4cffffffffffffff]


WORKER = threading.local()  # has a stage of its own


def run(options, data, work, name):
    path = "%s/%s.data" % (work, name.replace(" ", "-"))
    with open(path, "wb") as out:
        out.write(data)
    if not hasattr(WORKER, "stage"):
        WORKER.stage = Stage("collapse")
        WORKER.stage.socket.settimeout(TIME_LIMIT_S)
    try:
        done = WORKER.stage.run(*options, path)
    except TimeoutError:
        del WORKER.stage
        return "%s: took more than %d s" % (name, TIME_LIMIT_S)
    finally:
        os.remove(path)
    talk = done.err.decode("utf-8", "replace")
    if done.status not in (0, 1):
        return "%s: status %d: %s" % (name, done.status, talk[-2000:])
    if "Sanitizer" in talk or "runtime error" in talk:
        return "%s: %s" % (name, talk[-2000:])
    if done.status == 1 and not talk.strip():
        return "%s: failed without a message" % name
    return None


def mutate(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        kind, at = rng.randrange(5), rng.randrange(len(data))
        if kind == 0:
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at & ~7:(at & ~7) + 8] = struct.pack("<Q", rng.choice(INTERESTING))
        elif kind == 2:
            data[at & ~3:(at & ~3) + 4] = struct.pack("<I", rng.choice(INTERESTING) & 0xffffffff)
        elif kind == 3:  # the header, where it hurts most
            at = rng.randrange(0, min(len(data), 400), 8)
            data[at:at + 8] = struct.pack("<Q", rng.choice(INTERESTING + [len(data), len(data) - 1]))
        else:
            end = min(len(data), at + rng.randint(1, 64))
            del data[at:end]
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def cases(good, runs, rng):
    yield "empty", b""
    yield "magic alone", good[:8]
    yield "foreign byte order", good[:8][::-1] + good[8:]
    yield "version 1", b"PERFFILE" + good[8:]
    yield "zeros", bytes(4096)
    yield "random", rng.randbytes(65536)
    yield "random behind the magic", b"PERFILE2" + rng.randbytes(65536)
    yield "pipe mode, random", b"PERFILE2" + struct.pack("<Q", 16) + rng.randbytes(65536)
    for i in range(0, len(good), max(1, len(good) // (runs // 3 + 1))):
        yield "cut at %d" % i, good[:i]
    for i in range(runs):
        yield "mutation %d" % i, mutate(good, rng)


def main():
    path, runs = sys.argv[1], int(sys.argv[2])
    options = sys.argv[3:] or ["--event", "all"]
    with open(path, "rb") as recording:
        good = recording.read()
    rng = random.Random(20261121)
    count = failed = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        troubles = [workers.submit(run, options, data, work, name) for name, data in cases(good, runs, rng)]
        for done in troubles:
            count += 1
            trouble = done.result()
            if trouble:
                failed += 1
                print("not ok - %s" % trouble.replace("\n", "\n#   "))
                if failed >= 5:
                    workers.shutdown(cancel_futures=True)
                    break
    if not failed:
        print("ok - %d damaged versions of %s: %s" % (count, path.split("/")[-1], " ".join(options)))


if __name__ == "__main__":
    main()
