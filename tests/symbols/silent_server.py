#!/usr/bin/env python3
"""A server that takes connections and says nothing: prints its port, then "asked" for each, until
its standard input ends."""
import socket
import sys
import threading

server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
connections = []


def serve():
    while True:
        connections.append(server.accept())
        print("asked", flush=True)


threading.Thread(target=serve, daemon=True).start()
sys.stdin.read()
