#!/usr/bin/env python3
"""meddle.py PORT PORT_FILE LOG WAY_FILE: passes requests on to a store at PORT on loopback, and writes to LOG what came:
"early" or "whole" for those with a table, "pass" for those that look at all samples for their stacks, "query" for others.
WAY_FILE is read at each request.  Of results of early ones, the way "error" sends a part and then an error, "end" a part, and
hangs up; "fail" is "error", and whole ones are refused; "refuse" refuses those that look at all samples; "forbid" those with
a table, as newer servers may for users who may not make temporary tables; "limit" refuses these, as a server does that has too
many hashes; "cut" takes a byte of rows; "plain" does nothing."""
import http.server
import os
import sys
import urllib.error
import urllib.request

port, port_file, log, way_file = sys.argv[1:]
DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ERROR = b"Code: 241, e.displayText() = DB::Exception: Memory limit (for query) exceeded: it is made up, e.what() = DB::Exception\n"


FORBIDDEN = b"""Code: 497. DB::Exception: shop: Not enough privileges. To execute this query, it's necessary to have the grant
CREATE TEMPORARY TABLE ON *.*. (ACCESS_DENIED) (version 25.8.1)
"""


def kind_of(path, body):
    if "wanted_format=RowBinary" in path:
        return "whole" if "wait_end_of_query=1" in path else "early"
    return "pass" if b"SELECT DISTINCT" in body else "query"


class Meddler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = kind_of(self.path, body)
        with open(way_file, encoding="utf-8") as file:
            way = file.read().strip()
        with open(log, "a", encoding="utf-8") as file:
            file.write(kind + ("" if kind not in ("early", "whole") or body.endswith(b"--") else " with more after its end") + "\n")
        request = urllib.request.Request("http://127.0.0.1:%s%s" % (port, self.path), body)
        request.add_header("Content-Type", self.headers.get("Content-Type", "application/octet-stream"))
        try:
            with DIRECTLY.open(request) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as answer:
            status, text = answer.code, answer.read()
        if kind == "early" and way not in ("plain", "forbid", "limit"):
            text = text[:len(text) // 2] + (b"" if way == "end" else ERROR)
        if way == "cut" and body.endswith(b"RowBinary"):
            text = text[:-1]
        if (kind, way) in (("whole", "fail"), ("pass", "refuse")):
            status, text = 500, ERROR
        if way == "forbid" and kind in ("early", "whole"):
            status, text = 403, FORBIDDEN
        if way == "limit" and kind in ("early", "whole"):
            status, text = 500, ERROR.replace(b"241", b"158")
        self.send_response(status)
        self.send_header("Content-Length", str(len(text) + (kind == "early" and way == "end")))
        self.end_headers()
        self.wfile.write(text)
        self.close_connection = kind == "early" and way == "end"

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Who has had enough hangs up."""


server = Server(("127.0.0.1", 0), Meddler)
with open(port_file + ".new", "w", encoding="utf-8") as file:
    file.write(str(server.server_port))
os.rename(port_file + ".new", port_file)
server.serve_forever()
