#!/usr/bin/env python3
"""Reads random resources of one type and says how many a second, and what each costs the server.

    load-testing/patient-read.py [--base URL] [--type Patient] [--connections N] [--seconds N] [--pid PID]

Collects the ids by _elements=id, then drives wrk (Debian package `wrk`), one thread. With --pid (of
the server, on this machine) the CPU time per request is read from /proc, which is steadier than the
rate on a machine that the client shares.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request


def ids_of(base, resource_type):
    url = f"{base}/{resource_type}?_elements=id&_count=10000"
    while url:
        with urllib.request.urlopen(url) as response:
            page = json.load(response)
        yield from (entry["resource"]["id"] for entry in page.get("entry", []))
        url = next((link["url"] for link in page["link"] if link["relation"] == "next"), None)


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="http://localhost:8080/fhir")
    parser.add_argument("--type", default="Patient")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--pid", type=int)
    arguments = parser.parse_args()
    path = "/" + arguments.base.split("/", 3)[3]
    paths = [f"{path}/{arguments.type}/{i}" for i in ids_of(arguments.base, arguments.type)]
    if not paths:
        sys.exit(f"no {arguments.type} on {arguments.base}")
    with tempfile.NamedTemporaryFile("w", suffix=".paths") as file:
        file.write("\n".join(paths) + "\n")
        file.flush()
        before = cpu_seconds(arguments.pid) if arguments.pid else 0
        result = subprocess.run(
            ["wrk", "-t1", f"-c{arguments.connections}", f"-d{arguments.seconds}s", "--latency",
             "-s", str(pathlib.Path(__file__).with_name("read.lua")), arguments.base],
            env={**os.environ, "KILN_PATHS": file.name}, capture_output=True, text=True, check=True)
        used = cpu_seconds(arguments.pid) - before if arguments.pid else 0
    print(result.stdout)
    requests = int(re.search(r"(\d+) requests in", result.stdout).group(1))
    if arguments.pid:
        print(f"{len(paths)} {arguments.type}, server CPU {used / requests * 1e6:.2f} us/request, "
              f"{requests / used:.0f} requests/s a core")


if __name__ == "__main__":
    main()
