#!/usr/bin/env python3
"""receive.py PORT_FILE PREFIX: a server on loopback that keeps what is posted: bodies in PREFIX.N, "path type" in
PREFIX.requests.  It refuses paths that end in /refuse or /fail, and has too much to do for those that end in /busy, or, from
the second request on, in /tire.  Those that end in /partial, /warn and /status get answers of a collector of OpenTelemetry."""
import http.server
import os
import sys

port_file, prefix = sys.argv[1:]
count = 0
# ExportProfilesServiceResponse { partial_success { rejected_profiles, error_message } }; google.rpc.Status { code, message }
OTLP = {"partial": b"\x0a\x10\x08\x01\x12\x0cno room left", "warn": b"\x0a\x0a\x12\x08old form", "status": b"\x08\x03\x12\x09not now\x1b!"}
tired = set()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global count
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) < int(self.headers["Content-Length"]):  # whoever sent it hung up
            return
        way = self.path.rsplit("/", 1)[1]
        status = {"refuse": 422, "fail": 500, "busy": 429, "status": 400}.get(way, 200)
        if self.path.endswith("/tire"):
            status = 503 if self.path in tired else 200
            tired.add(self.path)
        if status == 200:
            with open("%s.%d" % (prefix, count), "wb") as file:
                file.write(body)
            with open(prefix + ".requests", "a", encoding="utf-8") as file:
                file.write("%s %s\n" % (self.path, self.headers["Content-Type"]))
            count += 1
            if self.headers["Authorization"]:
                with open(prefix + ".authorization", "a", encoding="utf-8") as file:
                    file.write("%s %s\n" % (self.path, self.headers["Authorization"]))
        answer = OTLP.get(way, b"no such thing\n" if status != 200 else b"")
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
with open(port_file + ".new", "w", encoding="utf-8") as file:
    file.write(str(server.server_port))
os.rename(port_file + ".new", port_file)
server.serve_forever()
