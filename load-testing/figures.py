#!/usr/bin/env python3
"""Makes the table of whole-server figures in docs/performance.md.

    load-testing/figures.py [--rounds N] [--seconds N] BUNDLES

Starts build/release/kiln on an empty directory, loads BUNDLES (as upload.py does), reads, searches
and stops it, N times over, and prints the median and the range of each figure. The server's CPU time
comes from /proc: it is steadier than rates on a machine that the client and others share. Needs wrk.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from harness import closed_loop, server, settings


class ServerProcess:
    """The server as a child process on a directory and a port of its own; what the tests run against."""

    def __init__(self, directory, binary=settings.ROOT / "build/release/kiln"):
        self.process = subprocess.Popen(
            [binary], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            env={**os.environ, "INDEX_DB_DIR": directory, "SERVER_PORT": "0"}, text=True)
        for line in self.process.stderr:
            if match := re.search(r"listening on port (\d+)", line):
                self.base = f"http://127.0.0.1:{match.group(1)}/fhir"
                self.select()
                return
        sys.exit("the server does not start")

    def select(self):
        """Makes it the one that the harness talks to."""
        settings.SERVER_PID = str(self.process.pid)
        settings.BASE = self.base

    def stop(self):
        self.process.terminate()
        self.process.wait()


def load(process, bundles, figures):
    before = server.cpu_seconds(process)
    out = subprocess.run([settings.LOAD_TESTING / "upload.py", "--base", settings.BASE, bundles],
                         capture_output=True, text=True, check=True).stdout
    used = server.cpu_seconds(process) - before
    resources = int(re.search(r"resources\s+(\d+)", out).group(1))
    figures["load: resources/s (8 clients)"].append(float(re.search(r"resources/s\s+(\d+)", out)[1]))
    figures["load: server CPU, µs a resource"].append(used / resources * 1e6)
    figures["load: resources/s a core"].append(resources / used)
    figures["memory after the load, MiB"].append(server.resident_mib(process))


def drive(paths, connections, seconds):
    """wrk over random ones of `paths`: requests a second, server CPU seconds a request."""
    row = closed_loop.run_level("read", connections, seconds,
                                [f"{server.path()}/{path}" for path in paths])
    return float(row["req/s"]), row["cpu_us"] / 1e6


def cases():
    """By name: paths of which random ones are asked, and the number of connections."""
    patients = server.ids("Patient", 10_000)
    return {
        "read Patient, cached": ([f"Patient/{i}" for i in patients], 64),
        "read Observation, 10,000 different": (
            [f"Observation/{i}" for i in server.ids("Observation", 10_000)], 64),
        "page of 50 Patients": (["Patient?_count=50"], 16),
        "page of 1,000 Observations": (["Observation?_count=1000"], 4),
        "$everything": ([f"Patient/{i}/$everything" for i in patients], 4),
        "count of one token (29,206 hits)": (["Observation?category=laboratory&_summary=count"], 16),
        "count of a year (17,419 hits)": (["Observation?date=2020&_summary=count"], 4),
        "token and patient, first page": (
            [f"Observation?patient={i}&category=laboratory" for i in patients], 16),
    }


def measure(seconds, figures):
    for name, (paths, connections) in cases().items():
        drive(paths, connections, 1)  # Warms up.
        rate, cpu = drive(paths, connections, seconds)
        figures[f"{name}: requests/s ({connections} connections)"].append(rate)
        figures[f"{name}: server CPU, µs a request"].append(cpu * 1e6)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4)
    arguments = parser.parse_args()

    class Figures(dict):
        def __missing__(self, key):
            self[key] = []
            return self[key]

    figures = Figures()
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as directory:
            child = ServerProcess(directory)
            load(child.process.pid, arguments.bundles, figures)
            time.sleep(2)  # Flushes and compactions.
            measure(arguments.seconds, figures)
            child.stop()
            size = sum(f.stat().st_size for f in pathlib.Path(directory).rglob("*") if f.is_file()
                       and f.suffix == ".sst")
            figures["table files after stopping, MiB"].append(size / 2**20)
    print(f"| figure | median of {arguments.rounds} | range |\n| --- | --- | --- |")
    for name, values in figures.items():
        print(f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} to {max(values):,.0f} |")


if __name__ == "__main__":
    main()
