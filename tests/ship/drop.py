#!/usr/bin/env python3
"""drop.py PORT_FILE NAME:PORT:TEXT:NUMBER:STAGE ...: for each argument a relay on loopback, on a port of its own, to PORT; lines
"NAME port" in PORT_FILE.  It keeps connections open, but hangs up once, on the NUMBER-th request whose path has TEXT.  STAGE:
before (its body is taken), midst (half of the body was passed on), sent (all was, the server is at work), answered (it has
answered), part (half of the answer was passed back).  Other STAGEs do not hang up: "endless" gives an error that never ends, "headers"
headers, "row" one row; "trickle" 4 kB of a result a second, by a clock that is 60 times as fast."""
import http.client
import os
import socket
import sys
import threading
import time

lock = threading.Lock()


def read_request(client):
    """The head and the body, as far as it was read; the length that it will have."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    length = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")][0]
    return head + b"\r\n\r\n", body, length


class Relay:
    def __init__(self, name, port, text, number, stage):
        self.name, self.port, self.text, self.left, self.stage = name, int(port), text.encode(), int(number), stage
        self.listener = socket.create_server(("127.0.0.1", 0))

    def is_meant(self, head):
        with lock:
            self.left -= self.text in head.split(b"\r\n", 1)[0]
            meant = self.left == 0 and self.text in head.split(b"\r\n", 1)[0]
            self.left -= meant
            return meant

    def answer(self, server):
        response = http.client.HTTPResponse(server)
        response.begin()
        body = response.read()
        return b"HTTP/1.1 %d OK\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n%s" % (response.status, len(body), body)

    def pour(self, client):
        """What never ends, until the client has enough."""
        if self.stage == "trickle":
            client.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                client.sendall(b"3000\r\n" + b"1\n" * 0x1800 + b"\r\n")
                time.sleep(0.05)
        client.sendall(b"HTTP/1.1 %d No\r\n" % (500 if self.stage == "endless" else 200))
        if self.stage != "headers":
            client.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
        while True:
            client.sendall(b"X-More: and more of the same\r\n" * 1000 if self.stage == "headers" else
                           b"10000\r\n" + (b"\x8f" * 7 if self.stage == "row" else b"Failed:") + b"x" * 65529 + b"\r\n")

    def serve(self, client):
        try:
            while self.pass_one(client):
                pass
        except OSError:
            pass
        client.close()

    def pass_one(self, client):
        request = read_request(client)
        if not request:
            return False
        head, body, length = request
        meant = self.is_meant(head)
        if meant and self.stage == "before":
            return False
        while len(body) < (length // 2 if meant and self.stage == "midst" else length):
            body += client.recv(65536)
        if meant and self.stage in ("endless", "headers", "row", "trickle"):
            self.pour(client)
        server = socket.create_connection(("127.0.0.1", self.port))
        if meant and self.stage == "midst":
            server.sendall(head + body[:length // 2])
            server.close()
            return False
        server.sendall(head + body)
        if meant and self.stage == "sent":
            client.close()
        answer = self.answer(server)
        server.close()
        if meant and self.stage == "part":
            client.sendall(answer[:len(answer) // 2])
        if meant:
            return False
        client.sendall(answer)
        return True

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()


relays = [Relay(*argument.split(":")) for argument in sys.argv[2:]]
with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
    for relay in relays:
        file.write("%s %d\n" % (relay.name, relay.listener.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
for relay in relays:
    threading.Thread(target=relay.run).start()
