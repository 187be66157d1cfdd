#!/usr/bin/env python3
"""relay.py PORT PORT_FILE PID_FILE BYTES: passes connections on to PORT on loopback, until the insert of samples: of its
body, it passes on BYTES, kills the process of PID_FILE, and hangs up.  BYTES "whole": after the whole body, before the
answer."""
import os
import signal
import socket
import sys
import threading

port, port_file, pid_file, amount = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]


def read_request(client):
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    length = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")][0]
    while len(body) < length:
        body += client.recv(1 << 20)
    return head + b"\r\n\r\n", body


def end():
    with open(pid_file) as file:
        os.kill(int(file.read()), signal.SIGKILL)
    os._exit(0)


answered = threading.Event()  # the insert was passed on, so the samples are certainly there
inserting = set()


def pass_back(server, client):
    while True:
        data = server.recv(65536)
        if client in inserting:
            answered.set()
            return
        if not data:
            return
        client.sendall(data)


def serve(client):
    server = socket.create_connection(("127.0.0.1", port))
    threading.Thread(target=pass_back, args=(server, client), daemon=True).start()
    while True:
        request = read_request(client)
        if not request:
            return
        head, body = request
        if b"INTO%20samples" not in head:
            server.sendall(head + body)
            continue
        inserting.add(client)
        server.sendall(head + (body if amount == "whole" else body[:int(amount)]))
        if amount == "whole":
            answered.wait(20)
        end()


listener = socket.create_server(("127.0.0.1", 0))
with open(port_file + ".new", "w") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(port_file + ".new", port_file)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
