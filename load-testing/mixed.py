#!/usr/bin/env python3
"""Creates, reads, updates and deletes, 10 : 60 : 25 : 5, by 64 clients. Run it by `make mixed`.

Over Patient, Observation, Condition, Encounter and MedicationRequest. Stores 1,000 Patients, to be
referred to, and 2,000 resources of each type beforehand, under ids that begin with "mixed-".
"""
import sys

from harness import closed_loop, server, settings

LEVELS = [64]
PATIENTS = 1000
OF_EACH_TYPE = 2000
CODE = {"coding": [{"system": "http://loinc.org", "code": "8480-6"}]}
RESOURCES = {
    "Patient": {},
    "Observation": {"status": "final", "code": CODE},
    "Condition": {},
    "Encounter": {"status": "finished", "class": {
        "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "AMB"}},
    "MedicationRequest": {"status": "active", "intent": "order", "medicationCodeableConcept": CODE},
}


def put(resource):
    target = f"{resource['resourceType']}/{resource['id']}"
    return {"resource": resource, "request": {"method": "PUT", "url": target}}


def store(resources):
    resources = list(resources)
    for begin in range(0, len(resources), 1000):
        server.request("", "POST", {"resourceType": "Bundle", "type": "transaction",
                                    "entry": [put(r) for r in resources[begin:begin + 1000]]})


def prepare():
    """Stores what is read and changed. Returns the lines for mixed.lua."""
    store({"resourceType": "Patient", "id": f"mixed-stable-{n}"} for n in range(PATIENTS))
    lines = []
    for name, content in RESOURCES.items():
        resources = []
        for n in range(OF_EACH_TYPE):
            patient = f"mixed-stable-{n % PATIENTS}"
            lines.append(f"{name} mixed-{n} {patient}")
            resources.append({"resourceType": name, "id": f"mixed-{n}", **content})
            if name != "Patient":
                resources[-1]["subject"] = {"reference": f"Patient/{patient}"}
        store(resources)
    return lines


def main():
    rows = []
    for clients in settings.levels(LEVELS):
        lines = prepare()
        process = server.pid()
        before = server.resident_mib(process) if process else 0
        rows += closed_loop.run_levels("mixed", [clients], lines)
        if process:
            print(f"memory: {before:.0f} MiB before, {server.resident_mib(process):.0f} MiB after",
                  file=sys.stderr)
    closed_loop.publish("mixed", rows)


if __name__ == "__main__":
    main()
