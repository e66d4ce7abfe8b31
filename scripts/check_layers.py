#!/usr/bin/env python3
"""Checks that includes follow the layers: server -> storage -> fhir, and that each third-party
library stays behind its one folder (docs/architecture.md).

    scripts/check_layers.py ROOT        prints each wrong include; exit code 1 if there is one
"""
import pathlib
import re
import sys

FHIR_BASE = ["fhir/base"]
# folder: what it may include of ours, and of others. The longest folder that fits decides.
ALLOW = {
    "fhir/base": ([], ["tl/", "unicode/", "xxhash"]),
    "fhir/ucum": (FHIR_BASE, ["boost/multiprecision/"]),
    "fhir/json": (FHIR_BASE, ["rapidjson/"]),
    "fhir/definitions": (FHIR_BASE, []),
    "fhir/path": (["fhir/base", "fhir/ucum", "fhir/json", "fhir/definitions"], ["re2/", "unicode/"]),
    "fhir/validation": (["fhir/base", "fhir/json", "fhir/definitions"], []),
    "fhir/model": (["fhir/base", "fhir/json", "fhir/definitions", "fhir/validation"], []),
    "fhir/terminology": (["fhir/base", "fhir/json"], []),
    "fhir/search": (["fhir"], []),
    "storage": (["fhir/base", "fhir/definitions", "fhir/model", "fhir/search", "storage"], ["roaring/"]),
    "storage/rocks": (["fhir/base", "storage"], ["rocksdb/", "roaring/"]),
    "server/config": (["fhir/base", "server/config"], ["yaml-cpp/"]),
    "server/runtime": (["fhir", "storage", "server"], ["boost/asio", "spdlog/"]),
    "server/http": (["fhir", "server"], ["boost/", "spdlog/"]),
    "server/middleware": (["fhir", "server"], []),
    "server/routing": (["fhir", "storage", "server"], []),
    "server/interactions": (["fhir", "storage", "server"], []),
    "server/operations": (["fhir", "storage", "server"], []),
    "server/admin": (["fhir", "storage", "server"], []),
    "server": (["fhir", "storage", "server"], ["boost/asio", "spdlog/"]),
}
OTHERS = re.compile(r"(boost|rocksdb|rapidjson|spdlog|yaml-cpp|tl|roaring|unicode|re2)/|xxhash")


def rule_of(folder):
    while folder and folder not in ALLOW:
        folder = folder.rpartition("/")[0]
    return folder


def allowed(include, rule):
    ours, others = ALLOW[rule]
    folder = include.rpartition("/")[0]
    if re.match(r"(fhir|storage|server|tests)/", include):
        return any(folder == o or folder.startswith(o + "/") for o in [*ours, rule])
    if OTHERS.match(include):
        return any(include.startswith(other) for other in others)
    return True


def main(root):
    wrong = 0
    for top in ("fhir", "storage", "server"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            name = path.relative_to(root).as_posix()
            rule = rule_of(name.rpartition("/")[0])
            if not rule:
                print(f"{name}: its folder has no rule in ALLOW")
                wrong = 1
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'\s*#include ["<]([^">]+)[">]', line)
                if match and not allowed(match.group(1), rule):
                    print(f"{name}:{number}: {rule} may not include {match.group(1)}")
                    wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
