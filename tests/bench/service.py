"""service.py: a chatty service in Python: each request goes through 50 functions, encodes and decodes JSON, and is a
message between two sockets.  For each line on stdin, says how many requests there were, and the CPU time that they
took, in ns."""
import json
import select
import socket
import sys
import time

client, server = socket.socketpair()
DEPTH = 50


def store(order):
    return sum(item["price"] for item in order["items"])


def layer(depth, order):
    if depth:
        return layer(depth - 1, order)
    return store(json.loads(json.dumps(order)))


def handle():
    order = json.loads(server.recv(4096))
    server.send(json.dumps({"total": layer(DEPTH, order)}).encode())


def ask(number):
    client.send(json.dumps({"items": [{"name": "item %d" % i, "price": i} for i in range(number % 8)]}).encode())
    handle()
    return client.recv(4096)


def serve():
    number = 0
    while True:
        for _ in range(100):
            number += 1
            ask(number)
        if select.select([sys.stdin], [], [], 0)[0]:
            if not sys.stdin.readline():
                return
            print(number, time.process_time_ns(), flush=True)


serve()
