#!/usr/bin/env python3
"""Reads random ones of all Patients, by 1 to 64 clients. Run it by `make patient-read`."""
from harness import closed_loop, server, settings

LEVELS = [1, 2, 4, 8, 16, 32, 48, 64]


def main():
    paths = [f"{server.path()}/Patient/{i}" for i in server.ids("Patient")]
    closed_loop.run_level("read", 8, 1, paths)  # Warms up.
    closed_loop.publish("patient-read",
                        closed_loop.run_levels("read", settings.levels(LEVELS), paths))


if __name__ == "__main__":
    main()
