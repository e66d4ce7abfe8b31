#!/usr/bin/env python3
"""$everything of random ones of 10,000 Patients, by 1 to 32 clients: `make patient-everything`.

A page of 1,000 resources; of a patient with more, the first page.
"""
import random

from harness import closed_loop, server, settings

LEVELS = [1, 2, 4, 8, 16, 32]
PATIENTS = 10_000


def main():
    ids = server.ids("Patient")
    ids = random.sample(ids, min(PATIENTS, len(ids)))
    paths = [f"{server.path()}/Patient/{i}/$everything?_count=1000" for i in ids]
    closed_loop.run_level("read", 4, 1, paths)  # Warms up.
    closed_loop.publish("patient-everything",
                        closed_loop.run_levels("read", settings.levels(LEVELS), paths))


if __name__ == "__main__":
    main()
