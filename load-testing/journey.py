#!/usr/bin/env python3
"""User journeys by Artillery: `make healthcheck`, `make crud`, `make stress`.

More and more clients arrive in a second, for DURATION, and then as many for as long again. One row is
written for each period that Artillery reports (10 s; the rest at the end is left out if it is shorter
than half of that); "clients" is how many arrived a second. The test fails
if an answer or a check was wrong, if a request timed out, or on any 5xx: but `stress`, which goes on
until the server bends, lets a client be told 503.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from harness import results, server, settings

# Journey: clients that arrive a second, at first and at last; VUS replaces the last.
ARRIVALS = {"healthcheck": (10, 1000), "crud": (5, 100), "stress": (10, 1000)}
HONEST = {"stress": {"http.codes.503"}}


def run(name, report):
    first, last = ARRIVALS[name]
    last = settings.VUS or last
    phases = [{"duration": settings.DURATION, "arrivalRate": min(first, last), "rampTo": last},
              {"duration": settings.DURATION, "arrivalRate": last}]
    origin = settings.BASE.removesuffix(server.path())
    command = ["artillery", "run", "--quiet", "--output", str(report), "--overrides",
               json.dumps({"config": {"phases": phases}}),
               str(settings.LOAD_TESTING / "journeys" / f"{name}.yml")]
    subprocess.run(command, check=True, stdout=sys.stderr, env={
        **os.environ, "ORIGIN": origin, "FHIR_PATH": server.path(),
        "ARTILLERY_DISABLE_TELEMETRY": "true"})


def faults(name, counters):
    """What must not have happened, by Artillery's own names, and how often it did."""
    allowed = HONEST.get(name, set())
    found = {}
    for counter, number in counters.items():
        wrong_status = counter.startswith("http.codes.") and not counter.startswith("http.codes.2")
        wrong = counter.startswith("errors.") or counter in ("vusers.failed", "plugins.expect.failed")
        if number and (wrong or wrong_status) and counter not in allowed:
            found[counter] = number
    return found


def seconds_of(period):
    return (period["lastMetricAt"] - period["firstMetricAt"]) / 1000


def row(version, period):
    times = period["summaries"]["http.response_time"]
    seconds = seconds_of(period)
    return {"version": version, "clients": round(period["counters"].get("vusers.created", 0) / seconds),
            "req/s": f"{period['counters']['http.responses'] / seconds:.1f}",
            "med": times["median"], "q95": times["p95"], "q99": times["p99"]}


def main():
    name = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "report.json"
        run(name, report)
        data = json.loads(report.read_text(encoding="utf-8"))
    counters = data["aggregate"]["counters"]
    print({key: value for key, value in sorted(counters.items())
           if key.startswith(("http.", "errors.", "vusers.", "plugins.expect"))}, file=sys.stderr)
    if wrong := faults(name, counters):
        sys.exit(f"FAILED: {wrong}")
    if not counters.get("http.responses"):
        sys.exit("FAILED: no answers")
    version = server.version()
    results.publish(name, [row(version, period) for period in data["intermediate"]
                           if "http.response_time" in period["summaries"] and seconds_of(period) >= 5])


if __name__ == "__main__":
    main()
