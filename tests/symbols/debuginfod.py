#!/usr/bin/env python3
"""A debuginfod server of one file: /buildid/ID/debuginfo.

    debuginfod.py ID FILE LOG      prints its port, then serves until its standard input ends

LOG gets a line for each request."""
import http.server
import sys
import threading

ID, FILE, LOG = sys.argv[1:4]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(LOG, "a") as log:
            log.write(self.path + "\n")
        body = open(FILE, "rb").read() if self.path == "/buildid/%s/debuginfo" % ID else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
