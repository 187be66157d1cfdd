"""faults.py NAME: a service in Python with one planted fault.

  gil     thumbnailer sorts pictures in one call of C, and has the GIL meanwhile: requests wait        resize
  loop    an event loop encodes a large answer as JSON; a client, another process, waits for small ones  encode_catalogue
  convoy  stock-sync sleeps while it has a threading.Lock that all requests need                       sync_stock
  fault   requests fill new memory, page by page                                                       fill_matrix

Prints "ready" when it has begun."""
import asyncio
import json
import mmap
import os
import socket
import sys
import threading
import time


def begin(name, body):
    def run():
        while True:
            body()

    threading.Thread(target=run, name=name, daemon=True).start()


def requests(body, count=3):
    for n in range(count):
        begin("request-%d" % n, body)


# ---- gil ----

pictures = [(i * 7919) % 1000003 / 7 for i in range(300000)]


def resize():
    return len(sorted(pictures))


def answer_request():
    sum(range(100))
    time.sleep(0.003)


def gil():
    begin("thumbnailer", resize)
    requests(answer_request)


# ---- loop ----

catalogue = {"item-%d" % i: {"price": i / 7, "words": ["a", "b", str(i)]} for i in range(30000)}


def encode_catalogue():
    return json.dumps(catalogue)


async def answer(reader, writer):
    while await reader.readexactly(1):
        writer.write(b"x")


async def serve(server):
    await asyncio.start_server(answer, sock=server)
    while True:
        await asyncio.sleep(0.02)
        encode_catalogue()


def loop():
    server = socket.create_server(("127.0.0.1", 0))
    if not os.fork():
        with socket.create_connection(server.getsockname()) as client:
            while True:
                client.send(b"x")
                if not client.recv(1):
                    os._exit(0)
                time.sleep(0.002)
    threading.Thread(target=lambda: asyncio.run(serve(server)), name="event-loop", daemon=True).start()


# ---- convoy ----

desk = threading.Lock()


def sync_stock():
    with desk:
        time.sleep(0.12)
    time.sleep(0.03)


def book_order():
    with desk:
        pass
    answer_request()


def convoy():
    begin("stock-sync", sync_stock)
    requests(book_order)


# ---- fault ----

def fill_matrix():
    with mmap.mmap(-1, 64 << 20) as matrix:
        for at in range(0, len(matrix), mmap.PAGESIZE):
            matrix[at] = 1


def fault():
    begin("matrix", fill_matrix)


{"gil": gil, "loop": loop, "convoy": convoy, "fault": fault}[sys.argv[1]]()
print("ready", flush=True)
time.sleep(100)
os._exit(0)
