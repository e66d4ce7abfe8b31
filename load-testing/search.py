#!/usr/bin/env python3
"""Measures 30 shapes of queries (search_shapes.py) on growing populations. Run it by `make search`.

With RESET: for each of SIZES (default "1000 4000 16000") the server is emptied and so many
are generated and stored by KILN_GENERATE (build/release/kiln-generate). Without: on what is there.

Before a shape is timed, 20 of its queries are asked and looked at; at least one must find something.
OUT/search.csv has the columns of all tests, with the number of patients and the shape before them,
the mean number of hits of those 20, and the server's CPU time if SERVER_PID names it. The slope of
each shape (0: the same for any number of patients; 1: in proportion to it) is that of the logarithm
of the CPU time, or of the median, over the logarithm of the number of patients: OUT/search-slope.csv.
"""
import math
import os
import random
import statistics
import subprocess
import sys
import time

import search_shapes
from harness import closed_loop, results, server, settings

CLIENTS = settings.VUS or 4
SIZES = [int(size) for size in (os.environ.get("SIZES") or "1000 4000 16000").split()]
GENERATE = os.environ.get("KILN_GENERATE") or settings.ROOT / "build/release/kiln-generate"
QUERIES = 1000
HEADER = ["version", "patients", "shape", "hits"] + results.HEADER[1:] + ["cpu_us"]


def fill(patients):
    server.reset()
    subprocess.run([GENERATE, "--patients", str(patients), "--base", settings.BASE], check=True,
                   stdout=sys.stderr)
    time.sleep(5)  # Flushes and compactions.


def resources(target):
    return [entry["resource"] for entry in server.request(target).get("entry", [])]


def hits(shape, queries):
    """The mean number of resources found by some of the queries, matches on later pages included."""
    sample = random.sample(queries, min(20, len(queries)))
    found = [server.request(query)["total"] for query in sample]
    if not any(found):
        sys.exit(f"{shape}: nothing found by {sample}")
    return statistics.mean(found)


def measure(patients):
    stored = search_shapes.Stored(resources)
    rows = []
    for shape in search_shapes.SHAPES:
        queries = stored.queries(shape, QUERIES)
        found = hits(shape, queries)
        paths = [f"{server.path()}/{query}" for query in queries]
        row = closed_loop.run_level("read", CLIENTS, settings.DURATION, paths)
        row |= {"patients": patients, "shape": shape, "hits": f"{found:.1f}",
                "cpu_us": f"{row['cpu_us']:.1f}" if "cpu_us" in row else ""}
        print(f"{patients:6} patients, {shape}: {row['req/s']} requests/s, median {row['med']} ms, "
              f"{row['cpu_us']} µs, {found:.1f} hits", file=sys.stderr)
        rows.append({column: row[column] for column in HEADER})
    return rows


def slope(points):
    """Of log(y) over log(x), by least squares."""
    xs, ys = zip(*((math.log(x), math.log(y)) for x, y in points))
    return statistics.linear_regression(xs, ys).slope


def slopes(rows):
    found = []
    for shape in search_shapes.SHAPES:
        points = [(int(row["patients"]), float(row["cpu_us"] or row["med"]))
                  for row in rows if row["shape"] == shape]
        found.append({"shape": shape, "slope": f"{slope(points):.2f}"})
    return found


def main():
    if not settings.RESET:
        results.publish("search", measure(server.count("Patient")), HEADER)
        return
    rows = []
    for size in SIZES:
        fill(size)
        rows += measure(size)
        results.publish("search", rows, HEADER)
    if len(SIZES) > 1:
        results.publish("search-slope", slopes(rows), ["shape", "slope"])


if __name__ == "__main__":
    main()
