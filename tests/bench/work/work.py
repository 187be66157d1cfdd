"""Runs Python work for the given seconds: JSON, sorting, regular expressions, recursion."""
import json
import re
import sys
import time

ROWS = [{"id": i, "name": f"row{i * 7919 % 2003}", "tags": ["a", i]} for i in range(1000)]


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def nested(depth):
    return [nested(depth - 1)] if depth else []


end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    json.loads(json.dumps(ROWS))
    sorted(ROWS, key=lambda row: row["name"])
    [row for row in ROWS if re.search(r"w1\d*7$", row["name"])]
    json.dumps(nested(100))
    fib(16)
