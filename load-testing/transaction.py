#!/usr/bin/env python3
"""Transactions of a Patient and an Observation, by 1 to 128 clients. Run it by `make transaction`.

Needs an empty server. With RESET (a command that empties it) there are RUNS runs (3), each from an
empty store; the median of each level is published and the runs are kept in data/raw. After each
level the Observations on the server are counted: as many must have been stored as were measured.
"""
import os
import sys
import time

from harness import closed_loop, results, server, settings

LEVELS = [1, 2, 4, 8, 16, 32, 64, 128]
WARM_UP = 1000  # Transactions.


def stored_observations():
    """Their number, once it stands still: what a level's end cut off may still be committed."""
    seen = -1
    while seen != (seen := server.count("Observation")):
        time.sleep(0.2)
    return seen


def warm_up():
    if server.count("Observation") or server.count("Patient"):
        sys.exit(f"{settings.BASE} is not empty: transactions are measured from an empty store")
    while stored_observations() < WARM_UP:
        closed_loop.run_level("transaction", 8, 1)


def run_once():
    warm_up()
    stored = stored_observations()

    def check(row):
        # wrk leaves at most one request of each client uncounted, which it cut at the end.
        nonlocal stored
        before, stored = stored, stored_observations()
        missing = before + row["requests"] - stored
        if not -int(row["clients"]) <= missing <= 0:
            sys.exit(f"{row['requests']} transactions were acknowledged, {stored - before} stored")

    return closed_loop.run_levels("transaction", settings.levels(LEVELS), after_level=check)


def main():
    name = os.environ.get("NAME") or "transaction"
    runs = []
    for number in range(1, int(os.environ.get("RUNS") or 3) + 1 if settings.RESET else 2):
        if settings.RESET:
            server.reset()
        print(f"run {number}", file=sys.stderr)
        runs.append(run_once())
        if not settings.VUS:
            header = results.HEADER + (["cpu_us"] if "cpu_us" in runs[-1][0] else [])
            results.write(settings.OUT / "raw" / f"{name}-{number}.csv",
                          [{column: row[column] for column in header} for row in runs[-1]], header)
    closed_loop.publish(name, [
        {**row, **({"cpu_us": float(row["cpu_us"])} if "cpu_us" in row else {})}
        for row in results.median_of_runs(runs)])


if __name__ == "__main__":
    main()
