"""tasks.py: tasks of asyncio, each of which calls functions of its own; says them first, with their names, as they should be
shown: "FUNCTION|NAME".

Some have long names, or names in other letters; one has none; some live for a moment.  main() awaits all of them, through
wait_for_all(); nap_*() waits in a call of the kernel, which blocks the loop."""
import asyncio
import os
import sys
import time

made = {"time": time, "__name__": "made"}


def functions(number):
    exec("""def work_%d():
    until = time.monotonic() + 0.004
    while time.monotonic() < until:
        pass

def nap_%d():
    time.sleep(0.002)""" % (number, number), made)
    return made["work_%d" % number], made["nap_%d" % number]


def say(number, name):
    shown = (name[:72] + "..." if len(name) > 72 else name).replace(";", ":")
    os.write(1, f"{number}|{shown}\n".encode())  # whole, unlike what print() writes


async def handle(number, turns):
    work, nap = functions(number)
    for _ in range(turns):
        work()
        nap()
        await asyncio.sleep(0)


async def brief_ones(number):
    while True:
        number += 1
        await asyncio.create_task(handle(number, 2), name="brief-%d" % number)


async def wait_for_all(tasks):
    await asyncio.gather(*tasks)


async def main():
    names = ["request of customer-0", "x" * 80, "gr\u00fc\u00dfe-\u4e16\u754c", "ask; answer"]
    tasks = [asyncio.create_task(handle(number, 1 << 30), name=name) for number, name in enumerate(names)]
    tasks.append(asyncio.create_task(handle(4, 1 << 30)))
    tasks.append(asyncio.create_task(brief_ones(100), name="brief ones"))
    for number, task in enumerate(tasks[:4]):
        say(number, task.get_name())
    print("4|Task-2\nready", flush=True)  # get_name() would give it a name of its own
    await wait_for_all(tasks)


asyncio.run(main())
