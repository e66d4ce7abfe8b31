#!/usr/bin/env python3
"""Makes the table of whole-server figures in docs/performance.md.

    load-testing/figures.py [--rounds N] [--seconds N] BUNDLES

Starts build/release/kiln on an empty directory, loads BUNDLES (as upload.py does), reads, searches
and stops it, N times over, and prints the median and the range of each figure. The server's CPU time
comes from /proc: it is steadier than rates on a machine that the client and others share. Needs wrk.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "load-testing"


class Server:
    """The server as a child process on a directory and a port of its own."""

    def __init__(self, directory, binary=ROOT / "build/release/kiln"):
        self.process = subprocess.Popen(
            [binary], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            env={**os.environ, "INDEX_DB_DIR": directory, "SERVER_PORT": "0"}, text=True)
        for line in self.process.stderr:
            if match := re.search(r"listening on port (\d+)", line):
                self.base = f"http://127.0.0.1:{match.group(1)}/fhir"
                return
        sys.exit("the server does not start")

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def get(self, target):
        with urllib.request.urlopen(f"{self.base}/{target}") as response:
            return json.load(response)

    def ids(self, resource_type, count):
        page = self.get(f"{resource_type}?_elements=id&_count={count}")
        return [entry["resource"]["id"] for entry in page["entry"]]

    def stop(self):
        self.process.terminate()
        self.process.wait()


def load(server, bundles, figures):
    before = server.cpu()
    out = subprocess.run([SCRIPTS / "upload.py", "--base", server.base, bundles],
                         capture_output=True, text=True, check=True).stdout
    resources = int(re.search(r"resources\s+(\d+)", out).group(1))
    figures["load: resources/s (8 clients)"].append(float(re.search(r"resources/s\s+(\d+)", out)[1]))
    figures["load: server CPU, µs a resource"].append((server.cpu() - before) / resources * 1e6)
    figures["load: resources/s a core"].append(resources / (server.cpu() - before))
    figures["memory after the load, MiB"].append(server.resident_mib())


def drive(server, paths, connections, seconds):
    """wrk over random ones of `paths`: requests a second, server CPU seconds a request."""
    with tempfile.NamedTemporaryFile("w", suffix=".paths") as file:
        file.write("\n".join(f"/fhir/{path}" for path in paths) + "\n")
        file.flush()
        before = server.cpu()
        out = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", SCRIPTS / "read.lua",
             server.base], env={**os.environ, "KILN_PATHS": file.name}, capture_output=True,
            text=True, check=True).stdout
        used = server.cpu() - before
    if "Non-2xx" in out:
        sys.exit(out)
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), used / requests


def cases_of(server):
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


def measure(server, seconds, figures):
    for name, (paths, connections) in cases_of(server).items():
        drive(server, paths, connections, 1)  # Warms up.
        rate, cpu = drive(server, paths, connections, seconds)
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
            server = Server(directory)
            load(server, arguments.bundles, figures)
            time.sleep(2)  # Flushes and compactions.
            measure(server, arguments.seconds, figures)
            server.stop()
            size = sum(f.stat().st_size for f in pathlib.Path(directory).rglob("*") if f.is_file()
                       and f.suffix == ".sst")
            figures["table files after stopping, MiB"].append(size / 2**20)
    print(f"| figure | median of {arguments.rounds} | range |\n| --- | --- | --- |")
    for name, values in figures.items():
        print(f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} to {max(values):,.0f} |")


if __name__ == "__main__":
    main()
