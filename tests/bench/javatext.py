#!/usr/bin/env python3
"""Thread dumps, logs and flight recordings of JVMs: pyrograph, on one thread, beside FlameGraph's scripts.

The inputs are made (the recording: a small one, many times) into BUILD/bench/.  Each command runs in turns; CPU time,
the least of ROUNDS.  Variables: see run.py."""
import os
import random
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", "build")
ROUNDS = int(os.environ.get("ROUNDS", 5))
SIZE = 100_000_000
METHODS = [f"com.example.pkg{i % 17}.Class{i % 101}.method{i}" for i in range(3000)]


def stack(seed, mark, depth=30):
    return "".join(f"{mark}{METHODS[(seed * 7 + i * 31) % 3000]}(Class.java:{i})\n" for i in range(depth))


def jstack(n):
    threads = ["2026-11-24 10:%02d:%02d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.21 mixed mode):\n\n"
               % (n // 60 % 60, n % 60)]
    for t in range(200):
        state = "WAITING (parking)" if t % 2 else "RUNNABLE"
        threads.append(f'"pool-{t % 7}-thread-{t}" #{t} daemon prio=5 os_prio=0 cpu={random.randrange(9999)}.10ms '
                       f"elapsed=4.38s tid=0x00007fec6c{t:06x} nid=0x{t + 4000:x} runnable  [0x00007fec484f6000]\n"
                       f"   java.lang.Thread.State: {state}\n" + stack(random.randrange(500), "\tat ") + "\n")
    return "".join(threads)


def log(n):
    date = f"2026-11-24 10:15:{n % 60:02d},{n % 1000:03d}"
    return (f"{date} INFO  [main] c.e.App - did something with {n} and more of it\n" * 5 +
            f"{date} ERROR [main] c.e.App - failed\njava.lang.IllegalStateException: boom\n" +
            stack(random.randrange(500), "\tat ") + "Caused by: java.lang.Error: x\n\tat a.b.C.d(C.java:1)\n\t... 28 more\n")


def javacore(n):
    """With 500 threads each."""
    if not n % 500:
        return (f"NULL\n0SECTION       TITLE subcomponent dump routine\n1TIDATETIME    Date: 2026/11/24 at 10:15:{n // 500 % 60:02d}:123\n"
                "0SECTION       THREADS subcomponent dump routine\n1XMTHDINFO     All Thread Details\n")
    return (f'3XMTHREADINFO      "w-{n % 500}" J9VMThread:0x{n:x}, omrthread_t:0x0, java/lang/Thread:0x0, state:R, prio=5\n'
            f"3XMTHREADINFO1            (native thread ID:0x{4000 + n % 500:x}, native priority:0x5)\n" +
            "3XMTHREADINFO3           Java callstack:\n" +
            stack(random.randrange(500), "4XESTACKTRACE                at ") +
            "3XMTHREADINFO3           Native callstack:\nNULL\n")


def asprof(n):
    return f"[pool-{n % 50} tid={n % 50 + 4000}];" + stack(random.randrange(5000), "").replace("\n", ";") + f"main_[j] {n}\n"


def make(name, piece):
    path = os.path.join(BUILD, "bench", "made." + name)
    if not os.path.exists(path):
        random.seed(1)
        size = n = 0
        with open(path + ".new", "w", encoding="utf-8") as out:
            while size < SIZE:
                size += out.write(piece(n))
                n += 1
        os.rename(path + ".new", path)
    return path


def make_recording():
    path = os.path.join(BUILD, "bench", "made.jfr")
    one = path + ".one"
    java = shutil.which("java")
    if not os.path.exists(path) and java:
        with subprocess.Popen([java, f"-XX:StartFlightRecording=filename={one},settings=profile", "-cp",
                               os.path.join(BUILD, "tests", "jvm"), "Flight"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as jvm:
            for line in jvm.stdout:
                if line.startswith(b"ready"):
                    break
            jvm.communicate()
    if not os.path.exists(path) and os.path.exists(one):
        with open(one, "rb") as small, open(path, "wb") as out:
            data = small.read()
            for _ in range(SIZE // len(data) + 1):
                out.write(data)
    return path if os.path.exists(path) else None


def cpu_seconds(argv):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit("failed: " + " ".join(argv))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def find(script):
    return script and (shutil.which(os.path.join(os.environ.get("FLAMEGRAPH_DIR", ""), script)) or shutil.which(script))


def main():
    os.makedirs(os.path.join(BUILD, "bench"), exist_ok=True)
    print("\nThread dumps, logs, recordings of JVMs: CPU time of one thread")
    for name, path, script in (("jstack", make("jstack", jstack), "stackcollapse-jstack.pl"),
                               ("exceptions", make("log", log), "stackcollapse-java-exceptions.pl"),
                               ("javacore", make("javacore", javacore), "stackcollapse-ibmjava.pl"),
                               ("asprof", make("asprof", asprof), None), ("jfr", make_recording(), None)):
        if not path:
            print("  jfr: no java, or no classes (make build-tests)")
            continue
        ours = [os.path.join(BUILD, "pyrograph"), "collapse", "-q", "--jobs", "1", "--format", name, path]
        theirs = ["perl", find(script), path] if find(script) else None
        times = [(cpu_seconds(ours), cpu_seconds(theirs) if theirs else 0) for _ in range(ROUNDS)]
        mine, peer = (min(column) for column in zip(*times))
        line = f"  {name:<11} {mine:6.2f} s  {os.path.getsize(path) / mine / 1e6:5.0f} MB/s"
        print(line + (f"  {script} {peer:6.2f} s, {peer / mine:.1f}x" if theirs else ""))


main()
