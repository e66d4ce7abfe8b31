#!/usr/bin/env python3
"""Compares what requests cost two builds of the server, as a ratio in one run.

    load-testing/compare.py [--rounds N] [--seconds N] BEFORE AFTER BUNDLES

BEFORE and AFTER are binaries. Each is loaded with BUNDLES, and then they take turns at each case of
figures.py, so that what else the machine does meets both. Prints the median CPU time of a request
of each, and the median ratio of neighbouring turns with its range.

With --broad N the second table is about AFTER alone: how long a narrow search takes while N clients
keep asking a broad one, against alone.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from figures import ServerProcess, cases, drive
from harness import server, settings

NARROW = "Patient?_id={id}"


def broad_query():
    """Looks at every family name of the patients once for each of its values."""
    values = ",".join(f"absent{i}" for i in range(5_000))
    return urllib.parse.urlencode({"name:contains": values}).encode()


def latencies(patients, seconds):
    times = []
    end = time.monotonic() + seconds
    i = 0
    while time.monotonic() < end:
        start = time.monotonic()
        server.request(NARROW.format(id=patients[i % len(patients)]))
        times.append((time.monotonic() - start) * 1e3)
        i += 1
    return sorted(times)


def keep_asking(base, stop):
    query = broad_query()
    while not stop.is_set():
        try:
            urllib.request.urlopen(f"{base}/Patient/_search", query, timeout=90).read()
        except urllib.error.HTTPError:
            pass  # Its queue is full, or its time is over: that is load, too.


def measure_lanes(clients, seconds):
    patients = server.ids("Patient", 100)
    alone = latencies(patients, seconds)
    stop = threading.Event()
    threads = [threading.Thread(target=keep_asking, args=(settings.BASE, stop), daemon=True)
               for _ in range(clients)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    beside = latencies(patients, seconds)
    stop.set()
    print(f"\n| a narrow search, ms | median | 99th percentile | answers |\n| --- | --- | --- | --- |")
    for name, times in (("alone", alone), (f"beside {clients} broad ones", beside)):
        print(f"| {name} | {statistics.median(times):.2f} | {times[len(times) * 99 // 100]:.2f} "
              f"| {len(times)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("bundles")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--broad", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        servers = []
        for name in ("before", "after"):
            binary = pathlib.Path(getattr(arguments, name)).resolve()
            servers.append(ServerProcess(f"{directory}/{name}", binary))
            subprocess.run([settings.LOAD_TESTING / "upload.py", "--base", servers[-1].base, arguments.bundles],
                           capture_output=True, check=True)
        time.sleep(2)  # Flushes and compactions.
        print("| case | before, µs | after, µs | ratio | range |\n| --- | --- | --- | --- | --- |")
        asked = []
        for process in servers:
            process.select()
            asked.append(cases())
        for name in asked[0]:
            costs = [[], []]
            for round_number in range(arguments.rounds + 1):
                for which in (0, 1) if round_number % 2 else (1, 0):
                    paths, connections = asked[which][name]
                    servers[which].select()
                    cpu = drive(paths, connections, arguments.seconds)[1]
                    if round_number > 0:  # The first warms up.
                        costs[which].append(cpu * 1e6)
            ratios = [after / before for before, after in zip(*costs)]
            print(f"| {name} | {statistics.median(costs[0]):,.1f} | "
                  f"{statistics.median(costs[1]):,.1f} | {statistics.median(ratios):.3f} | "
                  f"{min(ratios):.3f} to {max(ratios):.3f} |", flush=True)
        if arguments.broad > 0:
            servers[1].select()
            measure_lanes(arguments.broad, arguments.seconds * 2)
        for process in servers:
            process.stop()


if __name__ == "__main__":
    main()
