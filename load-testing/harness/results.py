"""Tables of results: CSV with the header `version,clients,req/s,med,q95,q99`, milliseconds."""
import csv
import pathlib
import statistics
import sys

from harness import settings

HEADER = ["version", "clients", "req/s", "med", "q95", "q99"]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path, rows, header=None):
    """Writes rows (dictionaries) as CSV. `path` None: to stdout."""
    header = header or HEADER
    if path is None:
        writer = csv.DictWriter(sys.stdout, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path}", file=sys.stderr)


def publish(name, rows, header=None):
    """Where a test's rows go: stdout for a single level (VUS), a file of its name otherwise."""
    write(None if settings.VUS else settings.OUT / f"{name}.csv", rows, header)


def median_of_runs(runs):
    """One row a level from several runs with the same levels: the median of each figure."""
    merged = []
    for rows in zip(*runs, strict=True):
        if len({row["clients"] for row in rows}) != 1:
            raise ValueError("the runs have different levels")
        row = dict(rows[0])
        for column in row.keys() - {"version", "clients"}:
            row[column] = f"{statistics.median(float(r[column]) for r in rows):g}"
        merged.append(row)
    return merged
