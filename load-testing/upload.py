#!/usr/bin/env python3
"""Posts transaction and batch bundles to a FHIR server and says how fast that was.

    load-testing/upload.py [--base URL] [--concurrency N] [--csv FILE] DIRECTORY

DIRECTORY holds bundles as *.json or *.json.bz2. Those whose names begin with "0-" go first, one by
one (the others refer to what they create), then the rest, N at a time. Everything is unpacked
before the clock starts. Exit code 1 if any bundle or entry failed; then no FILE is written.
"""
import argparse
import bz2
import http.client
import json
import pathlib
import queue
import sys
import threading
import time
import urllib.parse

from harness import results, server, settings


def read(path):
    data = path.read_bytes()
    return bz2.decompress(data) if path.suffix == ".bz2" else data


class Upload:
    """Counts what was sent and answered; shared by the workers."""

    def __init__(self, base):
        url = urllib.parse.urlsplit(base)
        self.host, self.port, self.path = url.hostname, url.port or 80, url.path
        self.headers = {"Content-Type": "application/fhir+json", "Prefer": "return=minimal"}
        if settings.TOKEN:
            self.headers["Authorization"] = f"Bearer {settings.TOKEN}"
        self.lock = threading.Lock()
        self.bundles = self.resources = self.bytes = 0
        self.failures = []
        self.latencies = []

    def worker(self, work):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=600)
        while True:
            try:
                name, body = work.get_nowait()
            except queue.Empty:
                connection.close()
                return
            begin = time.perf_counter()
            try:
                connection.request("POST", self.path, body, self.headers)
                response = connection.getresponse()
                answer = response.read()
                self.count(name, body, response.status, answer, time.perf_counter() - begin)
            except OSError as error:
                with self.lock:
                    self.failures.append(f"{name}: {error}")
                connection.close()

    def count(self, name, body, status, answer, seconds):
        entries = json.loads(answer).get("entry", []) if status == 200 else []
        bad = [e["response"]["status"] for e in entries
               if not e["response"]["status"].startswith("2")]
        with self.lock:
            self.bundles += 1
            self.bytes += len(body)
            self.resources += len(entries) - len(bad)
            self.latencies.append(seconds)
            if status != 200:
                self.failures.append(f"{name}: {status} {answer[:300].decode(errors='replace')}")
            elif bad:
                self.failures.append(f"{name}: {len(bad)} entries, the first {bad[0]}")


def run(upload, bundles, concurrency, total):
    work = queue.Queue()
    for item in bundles:
        work.put(item)
    threads = [threading.Thread(target=upload.worker, args=(work,)) for _ in range(concurrency)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.2)
        if sys.stderr.isatty():
            print(f"\r{upload.bundles}/{total} bundles, {upload.resources} resources, "
                  f"{len(upload.failures)} failures", end="", file=sys.stderr, flush=True)
    return time.perf_counter() - begin


def publish(arguments, upload, seconds, latencies):
    settings.BASE = arguments.base
    quantile = lambda q: f"{latencies[int(len(latencies) * q)] * 1e3:.1f}"
    row = {"version": server.version(), "clients": arguments.concurrency,
           "req/s": f"{upload.bundles / seconds:.2f}", "med": quantile(0.5), "q95": quantile(0.95),
           "q99": quantile(0.99), "resources/s": f"{upload.resources / seconds:.0f}",
           "bytes": upload.bytes, "resources": upload.resources}
    results.write(arguments.csv, [row], list(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--base", default=settings.BASE)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = parser.parse_args()
    files = sorted(p for p in arguments.directory.iterdir()
                   if p.name.endswith((".json", ".json.bz2")))
    bundles = [(p.name, read(p)) for p in files]
    if not bundles:
        sys.exit(f"no bundles in {arguments.directory}")
    upload = Upload(arguments.base)
    first = [b for b in bundles if b[0].startswith("0-")]
    rest = [b for b in bundles if not b[0].startswith("0-")]
    seconds = run(upload, first, 1, len(bundles)) + run(upload, rest, arguments.concurrency,
                                                        len(bundles))
    if sys.stderr.isatty():
        print(file=sys.stderr)
    latencies = sorted(upload.latencies) or [0]
    print(f"bundles      {upload.bundles}")
    print(f"resources    {upload.resources}")
    print(f"seconds      {seconds:.2f}")
    print(f"resources/s  {upload.resources / seconds:.0f}")
    print(f"MB/s         {upload.bytes / seconds / 1e6:.1f}")
    print(f"latency      median {latencies[len(latencies) // 2] * 1e3:.0f} ms, "
          f"95% {latencies[int(len(latencies) * 0.95)] * 1e3:.0f} ms, "
          f"max {latencies[-1] * 1e3:.0f} ms")
    print(f"failures     {len(upload.failures)}")
    for failure in upload.failures[:10]:
        print(f"  {failure}", file=sys.stderr)
    if upload.failures:
        sys.exit(1)
    if arguments.csv:
        publish(arguments, upload, seconds, latencies)


if __name__ == "__main__":
    main()
