"""stacks.py: a program that stands still in Python code, and says where: its stack, outermost function first."""
import functools
import os
import sys
import threading
import time


def name_of(frame):
    code = frame.f_code
    name = "%s.%s" % (frame.f_globals["__name__"], getattr(code, "co_qualname", code.co_name))
    return name if name != "__main__.<module>" else os.path.basename(code.co_filename) + ":<module>"


def here():
    """The stack of the caller, as the interpreter itself has it."""
    frame, names = sys._getframe(1), []
    while frame:
        names.append(name_of(frame))
        frame = frame.f_back
    return ";".join(reversed(names))


def spin(how):
    os.write(1, f"{threading.current_thread().name}|{here()}\n".encode())  # whole, unlike what print() writes
    while time.monotonic() >= 0:  # for good
        how += 1


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)
    return wrapper


class Desk:
    def __init__(self, depth):
        self.depth = depth

    @decorated
    def rebuild(self):
        return [self.each(i) for i in range(1)]

    def each(self, i):
        if self.depth:
            self.depth -= 1
            return self.each(i)
        return sorted([i, i + 1], key=lambda x: sum(self.generate(x)))

    def generate(self, x):
        yield from (spin(x) for _ in range(1))


async def awaited(depth):
    if depth:
        return await awaited(depth - 1)
    return Desk(2).rebuild()


def run(coroutine):
    try:
        coroutine.send(None)
    except StopIteration:
        pass


if __name__ == "__main__":
    threading.Thread(target=run, args=(awaited(3),), name="coroutines", daemon=True).start()
    exec(compile("Desk(int(sys.argv[1])).rebuild()", "<made>", "exec"))
