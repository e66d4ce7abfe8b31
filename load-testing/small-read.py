#!/usr/bin/env python3
"""Small reads at full rate, by vegeta: `make small-read`. Stores 6,000 Patients with the ids 0 to
5999 by PUT at 100/s, then reads the first 3,000 by 100 workers as fast as they go for DURATION.
"""
import base64
import json
import subprocess
import sys

from harness import results, server, settings

PATIENTS = 6000
READ = 3000
WORKERS = settings.VUS or 100


def attack(targets, *options):
    """Runs vegeta over targets (dictionaries); its report. Ends the test unless all answers are 2xx."""
    lines = "\n".join(json.dumps(target) for target in targets)
    results_bin = subprocess.run(
        ["vegeta", "attack", "-format=json", f"-timeout={settings.TIMEOUT}s", *options],
        input=lines.encode(), capture_output=True, check=True).stdout
    report = json.loads(subprocess.run(["vegeta", "report", "-type=json"], input=results_bin,
                                       capture_output=True, check=True).stdout)
    if report["success"] != 1:
        sys.exit(f"FAILED: answers {report['status_codes']}, errors {report['errors'][:5]}")
    return report


def target(method, i, body=None):
    header = {"Accept": ["application/fhir+json"]}
    if settings.TOKEN:
        header["Authorization"] = [f"Bearer {settings.TOKEN}"]
    if body:
        header["Content-Type"] = ["application/fhir+json"]
    return {"method": method, "url": f"{settings.BASE}/Patient/{i}", "header": header,
            **({"body": base64.b64encode(json.dumps(body).encode()).decode()} if body else {})}


def main():
    rate = 100
    attack([target("PUT", i, {"resourceType": "Patient", "id": str(i)}) for i in range(PATIENTS)],
           f"-rate={rate}", f"-duration={PATIENTS // rate}s")
    report = attack([target("GET", i) for i in range(READ)], "-rate=0", f"-workers={WORKERS}",
                    f"-max-workers={WORKERS}", f"-connections={WORKERS}", f"-duration={settings.DURATION}s")
    latencies = {name: f"{report['latencies'][key] / 1e6:.3f}"
                 for name, key in (("med", "50th"), ("q95", "95th"), ("q99", "99th"))}
    results.publish("small-read", [{"version": server.version(), "clients": WORKERS,
                                    "req/s": f"{report['throughput']:.2f}", **latencies}])


if __name__ == "__main__":
    main()
