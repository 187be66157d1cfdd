"""churn.py WHAT DIR: code that is made, runs for a moment, and goes: the thread is called turn7 while code with that number runs.

exec     a text is executed that defines outer_7() and inner_7()
reload   a module in DIR is written and loaded again, with the same functions
lambdas  10,000 at a time, of files that are called lambda_7
"""
import importlib
import sys
import time

TEXT = """
import time

def inner_%d(until):
    while time.monotonic() < until:
        pass

def outer_%d(until):
    inner_%d(until)
"""
comm = open("/proc/thread-self/comm", "w")


def begin(number):
    comm.write("turn%d" % number)
    comm.flush()


def spin():
    until = time.monotonic() + 0.0002
    while time.monotonic() < until:
        pass


def turns_exec(number):
    functions = {"time": time, "__name__": "made"}
    exec(TEXT % ((number,) * 3), functions)
    begin(number)
    functions["outer_%d" % number](time.monotonic() + 0.004)
    begin(9999)
    functions.clear()


def turns_reload(number):
    with open(sys.argv[2] + "/made.py", "w") as file:
        file.write(TEXT % ((number,) * 3))
    importlib.invalidate_caches()
    made = importlib.import_module("made")
    begin(number)
    getattr(made, "outer_%d" % number)(time.monotonic() + 0.004)
    begin(9999)
    made.__dict__.clear()
    del sys.modules["made"]


def turns_lambdas(_):
    functions = [eval(compile("lambda: spin()", "lambda_%d" % i, "eval"), {"spin": spin, "__name__": "made"})
                 for i in range(10000)]
    for i, function in enumerate(functions):
        begin(i)
        function()
    begin(9999)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[2])
    turn = {"exec": turns_exec, "reload": turns_reload, "lambdas": turns_lambdas}[sys.argv[1]]
    print("ready", flush=True)
    number = 0
    while True:
        turn(number)
        number = (number + 1) % 1000  # as many letters in most names, so that they take each other's memory
