"""Closed loops by wrk: as many connections as clients, each sending its next request when the last
is answered. What a level measures comes from wrk's own counters (closed-loop/measure.lua); a level
in which a request failed ends the test with exit code 1.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import results, server, settings


def run_level(script, clients, seconds, paths=(), base=None):
    """One level. Returns its row, and with the number of requests under "requests".

    Where the server's process is known, "cpu_us" is its CPU time for each request, in microseconds.
    """
    process = server.pid()
    with tempfile.TemporaryDirectory() as directory:
        rows = pathlib.Path(directory) / "rows"
        names = pathlib.Path(directory) / "paths"
        names.write_text("\n".join(paths) + "\n", encoding="utf-8")
        before = server.cpu_seconds(process) if process else 0
        run = subprocess.run(
            ["wrk", f"-t{min(settings.WRK_THREADS, clients)}", f"-c{clients}", f"-d{seconds}s",
             "--timeout", f"{settings.TIMEOUT}s", "-s",
             str(settings.LOAD_TESTING / "closed-loop" / f"{script}.lua"), base or settings.BASE],
            env={**os.environ, "KILN_PATHS": str(names), "KILN_ROWS": str(rows),
                 "KILN_VERSION": server_version(), "KILN_CLIENTS": str(clients),
                 "KILN_WRK_THREADS": str(min(settings.WRK_THREADS, clients))},
            capture_output=True, text=True, check=False)
        used = server.cpu_seconds(process) - before if process else 0
        if run.returncode != 0:
            sys.exit(f"{script} with {clients} clients failed\n{run.stdout}{run.stderr}")
        row = dict(zip(results.HEADER, rows.read_text(encoding="utf-8").strip().split(",")))
    row["requests"] = int(re.search(r"(\d+) requests in", run.stdout).group(1))
    if process:
        row["cpu_us"] = used / row["requests"] * 1e6
    return row


def run_levels(script, levels, paths=(), after_level=None):
    """All levels, one after the other; says on stderr how each went."""
    rows = []
    for clients in levels:
        row = run_level(script, clients, settings.DURATION, paths)
        cpu = f", server CPU {row['cpu_us']:.1f} µs/request" if "cpu_us" in row else ""
        print(f"{clients:4} clients: {float(row['req/s']):10.1f} requests/s, median {row['med']} ms, "
              f"99 % {row['q99']} ms{cpu}", file=sys.stderr)
        if after_level:
            after_level(row)
        rows.append(row)
    return rows


def publish(name, rows):
    """The rows as the CSV that every test writes, and the server's CPU time beside it."""
    if rows and "cpu_us" in rows[0]:
        results.publish(f"{name}-cpu", [
            {"version": row["version"], "clients": row["clients"], "µs/request": f"{row['cpu_us']:.2f}"}
            for row in rows], ["version", "clients", "µs/request"])
    results.publish(name, [{column: row[column] for column in results.HEADER} for row in rows])


_versions = []


def server_version():
    if not _versions:
        _versions.append(server.version())
    return _versions[0]
