#!/usr/bin/env python3
"""Damages a flight recording in many ways: collapse must neither crash, nor hang, nor invent samples.

    jfr_damage.py PYROGRAPH RECORDING FILE"""
import random
import subprocess
import sys

pyrograph, recording, path = sys.argv[1:4]
with open(recording, "rb") as f:
    whole = f.read()
random.seed(7)


def collapse(data):
    with open(path, "wb") as out:
        out.write(data)
    return subprocess.run([pyrograph, "collapse", "--event", "all", "--root", "event,thread", "--format", "jfr", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)


def samples(run):
    return sum(int(line.rsplit(b" ", 1)[1]) for line in run.stdout.splitlines()
               if line.startswith(b"jdk.ExecutionSample;"))


def flipped(count):
    data = bytearray(whole)
    for _ in range(count):
        data[random.randrange(len(data))] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)])
    return bytes(data)


def judge(what, inputs, most):
    for data in inputs:
        run = collapse(data)
        if run.returncode not in (0, 1) or b"ERROR: " in run.stderr or samples(run) > most:
            print("not ok - %s: status %d, %d samples of %d" % (what, run.returncode, samples(run), most))
            print("#   " + run.stderr[:2000].decode("utf-8", "replace").replace("\n", "\n#   "))
            return
    print("ok - " + what)


all_of_it = samples(collapse(whole))
judge("cut anywhere", [whole[:random.randrange(4, len(whole))] for _ in range(40)] + [whole[:n] for n in (4, 67, 68, 69)],
      all_of_it)
judge("some bytes are wrong", [flipped(3) for _ in range(40)], 1 << 62)
judge("many bytes are wrong", [flipped(3000) for _ in range(20)], 1 << 62)
judge("the middle is missing", [whole[:len(whole) // 3] + whole[len(whole) // 2:]], all_of_it)
