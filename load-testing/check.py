#!/usr/bin/env python3
"""Compares a run with a baseline: load-testing/check.py BASELINE RUN, or `make check-SYSTEM`.

Both are directories of CSV files as the load tests write them. Every level of every file of the
baseline must have been run, and at no fewer requests a second. Exit code 1 if not.
"""
import pathlib
import sys

from harness import results


def compare(baseline, run):
    """Lines that say how each level of the baseline went, and how many fell short or are missing."""
    lines, short = [], 0
    for path in sorted(pathlib.Path(baseline).glob("*.csv")):
        measured = {}
        if (pathlib.Path(run) / path.name).exists():
            measured = {row["clients"]: float(row["req/s"])
                        for row in results.read(pathlib.Path(run) / path.name)}
        for row in results.read(path):
            wanted = float(row["req/s"])
            got = measured.get(row["clients"])
            good = got is not None and got >= wanted
            short += not good
            figure = "not measured" if got is None else f"{got:.1f} ({got / wanted:.2f} of it)"
            lines.append(f"{'ok   ' if good else 'BELOW'} {path.stem}, {row['clients']} clients: "
                         f"baseline {wanted:g} requests/s, this run {figure}")
    return lines, short


def main():
    lines, short = compare(*sys.argv[1:3])
    if not lines:
        sys.exit(f"no baseline in {sys.argv[1]}")
    print("\n".join(lines))
    if short:
        sys.exit(f"{short} of {len(lines)} levels are below the baseline")


if __name__ == "__main__":
    main()
