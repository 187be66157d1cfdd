#!/usr/bin/env python3
"""proxy.py PORT PORT_FILE slow BYTES: passes connections on to PORT on loopback, BYTES at a time each 10 ms, both ways.
proxy.py PORT PORT_FILE tls CERTIFICATE KEY: as a TLS server, in front of PORT.
proxy.py PORT PORT_FILE silent: takes everything, says nothing."""
import os
import socket
import ssl
import sys
import threading
import time

port, port_file, way = int(sys.argv[1]), sys.argv[2], sys.argv[3]
piece = int(sys.argv[4]) if way == "slow" else 65536


def copy(source, target):
    try:
        while True:
            data = source.recv(piece)
            if not data:
                break
            if way == "slow":
                time.sleep(0.01)
            if target:
                target.sendall(data)
    except OSError:
        pass
    if target:
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def serve(client):
    if way == "tls":
        try:
            client = context.wrap_socket(client, server_side=True)
        except OSError:
            return
    server = None if way == "silent" else socket.create_connection(("127.0.0.1", port))
    if server:
        threading.Thread(target=copy, args=(server, client), daemon=True).start()
    copy(client, server)


if way == "tls":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4], sys.argv[5])
listener = socket.socket()
if way == "slow":
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # the sender waits for us
listener.bind(("127.0.0.1", 0))
listener.listen()
with open(port_file + ".new", "w", encoding="utf-8") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(port_file + ".new", port_file)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
