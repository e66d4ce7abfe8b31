#!/usr/bin/env python3
"""The server's CPU time per request next to that of nginx sending the same bytes as a file, in one
run: `SERVER_PID=… make nginx-ratio`. Needs nginx on this machine, and nothing in it is configured.

For each of the tests a number of the server's answers is kept in files, which nginx serves with its
files held open (open_file_cache), as many workers as cores and no access log. The two are measured
in turns, so that what else the machine does meets both; the median ratio of the rounds is printed,
and all rounds are written to OUT/nginx-ratio.csv.
"""
import os
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from harness import closed_loop, results, server, settings

ROUNDS = int(os.environ.get("ROUNDS") or 5)
# Test: (path below Patient/[id], connections, how many different answers).
TESTS = {"patient-read": ("", 64, 1000), "patient-everything": ("/$everything?_count=1000", 4, 100)}
HEADER = ["test", "round", "bytes", "server req/s", "server µs", "nginx req/s", "nginx µs", "ratio"]
CONFIG = """
daemon off; pid {root}/pid; error_log {root}/error.log warn; worker_processes {workers};
worker_rlimit_nofile 20000;
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; keepalive_timeout 300;
  open_file_cache max=20000 inactive=1h; open_file_cache_valid 1h;
  default_type application/fhir+json; client_body_temp_path {root}; proxy_temp_path {root};
  fastcgi_temp_path {root}; uwsgi_temp_path {root}; scgi_temp_path {root};
  server {{ listen 127.0.0.1:{port}; root {root}/files; }}
}}
"""


class Nginx:
    """nginx as a child process on a directory and a port of its own."""

    def __init__(self, root):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        config = pathlib.Path(root) / "nginx.conf"
        config.write_text(CONFIG.format(root=root, port=port, workers=os.cpu_count()))
        # As the user that owns the directory, whoever that is.
        self.process = subprocess.Popen(["nginx", "-c", str(config), "-g", "user root;"]
                                        if os.geteuid() == 0 else ["nginx", "-c", str(config)])
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("nginx does not start")

    def cpu_seconds(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return sum(server.cpu_seconds(int(pid)) for pid in children.read_text().split())

    def stop(self):
        self.process.terminate()
        self.process.wait()


def answer(target):
    request = urllib.request.Request(f"{settings.BASE}/{target}", headers={
        "Accept": "application/fhir+json",
        **({"Authorization": f"Bearer {settings.TOKEN}"} if settings.TOKEN else {})})
    with urllib.request.urlopen(request) as response:
        return response.read()


def measure(name, below, connections, ids, nginx, files):
    """All rounds of one test: rows as HEADER has them."""
    size = 0
    for i in ids:
        body = answer(f"Patient/{i}{below}")
        size += len(body)
        (files / f"{name}-{i}").write_bytes(body)
    of_server = [f"{server.path()}/Patient/{i}{below}" for i in ids]
    of_nginx = [f"/{name}-{i}" for i in ids]
    for base, paths in ((settings.BASE, of_server), (nginx.base, of_nginx)):
        closed_loop.run_level("read", connections, 1, paths, base)  # Warms up.
    rows = []
    for number in range(1, ROUNDS + 1):
        mine = closed_loop.run_level("read", connections, settings.DURATION, of_server)
        before = nginx.cpu_seconds()
        theirs = closed_loop.run_level("read", connections, settings.DURATION, of_nginx, nginx.base)
        their_us = (nginx.cpu_seconds() - before) / theirs["requests"] * 1e6
        rows.append(dict(zip(HEADER, [
            name, number, size // len(ids), mine["req/s"], f"{mine['cpu_us']:.2f}",
            theirs["req/s"], f"{their_us:.2f}", f"{mine['cpu_us'] / their_us:.3f}"])))
    return rows


def main():
    if not server.pid():
        sys.exit("SERVER_PID must name the server's process")
    ids = server.ids("Patient")
    rows = []
    with tempfile.TemporaryDirectory() as root:
        files = pathlib.Path(root) / "files"
        files.mkdir()
        nginx = Nginx(root)
        try:
            for name, (below, connections, number) in TESTS.items():
                sample = random.sample(ids, min(number, len(ids)))
                found = measure(name, below, connections, sample, nginx, files)
                ratios = [float(row["ratio"]) for row in found]
                print(f"{name}: server / nginx, CPU time per request: {statistics.median(ratios):.2f} "
                      f"({min(ratios):.2f} to {max(ratios):.2f})", file=sys.stderr)
                rows += found
        finally:
            nginx.stop()
    results.publish("nginx-ratio", rows, HEADER)


if __name__ == "__main__":
    main()
