#!/usr/bin/env python3
"""Draws the pictures that docs/performance.md shows, and prints the tables: `make report`.

    load-testing/report.py RESULTS [PICTURES]

RESULTS is a directory of CSV files as the load tests write them, PICTURES (docs/performance) where the
SVG files go. Needs matplotlib (Debian package python3-matplotlib).
"""
import pathlib
import sys

import matplotlib

from harness import results, settings

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "kiln", "svg.fonttype": "none", "font.size": 9,
                            "axes.spines.top": False, "axes.spines.right": False})
from matplotlib import pyplot  # noqa: E402  After the choice of what draws.

# Picture: (title, the files whose levels it shows; a name may end in * for several).
PICTURES = {
    "patient-read": ("Reads of one Patient", "patient-read"),
    "patient-everything": ("Patient/[id]/$everything", "patient-everything"),
    "transaction": ("Transactions of two resources", "transaction*"),
}


def files(directory, pattern):
    return [path for path in sorted(directory.glob(f"{pattern}.csv"))
            if path.stem.endswith("-cpu") is False and results.read(path)]


def label_clients(axes, rows):
    clients = sorted({int(row["clients"]) for row in rows})
    axes.set_xscale("log", base=2)
    axes.set_xticks(clients, [str(c) for c in clients])
    axes.minorticks_off()
    axes.set_xlabel("clients")
    axes.grid(alpha=0.3)


def draw(title, paths, target):
    """Requests a second to the left, latencies (median, and up to the 99th percentile) to the right."""
    figure, (rate, latency) = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
    rows = []
    for path in paths:
        table = results.read(path)
        rows += table
        clients = [int(row["clients"]) for row in table]
        line, = rate.plot(clients, [float(row["req/s"]) for row in table], "o-", label=path.stem)
        color = line.get_color()
        latency.plot(clients, [float(row["med"]) for row in table], "o-", color=color, label=path.stem)
        latency.fill_between(clients, [float(row["med"]) for row in table],
                             [float(row["q99"]) for row in table], color=color, alpha=0.15, linewidth=0)
    for axes, name in ((rate, "requests/s"), (latency, "ms: median, up to 99 %")):
        label_clients(axes, rows)
        axes.set_ylabel(name)
        axes.set_ylim(bottom=0)
    if len(paths) > 1:
        rate.legend(frameon=False)
    figure.suptitle(f"{title} (Kiln {rows[0]['version']})")
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)
    print(f"wrote {target}", file=sys.stderr)


def draw_search(path, target):
    """One line a shape: the median over the number of patients."""
    table = results.read(path)
    column, unit = ("cpu_us", "server CPU, µs a query") if table[0]["cpu_us"] else ("med", "median, ms")
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    points = {}
    for row in table:
        points.setdefault(row["shape"], []).append((int(row["patients"]), float(row[column])))
    # The dearest first, as the lines lie; ten colours, and another kind of line for each ten.
    for number, shape in enumerate(sorted(points, key=lambda name: -points[name][-1][1])):
        axes.plot(*zip(*points[shape]), ["o-", "s--", "^:"][number // 10 % 3], linewidth=1,
                  markersize=3, label=shape)
    sizes = sorted({int(row["patients"]) for row in table})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel("patients")
    axes.set_ylabel(unit)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.suptitle(f"30 shapes of searches (Kiln {table[0]['version']})")
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)
    print(f"wrote {target}", file=sys.stderr)


def markdown(path):
    """A CSV file as a table."""
    table = results.read(path)
    header = list(table[0])
    lines = [f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"]
    lines += [f"| {' | '.join(row[column] for column in header)} |" for row in table]
    return "\n".join(lines)


def main():
    directory = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else settings.ROOT / "docs/performance"
    target.mkdir(parents=True, exist_ok=True)
    for name, (title, pattern) in PICTURES.items():
        if paths := files(directory, pattern):
            draw(title, paths, target / f"{name}.svg")
    if paths := files(directory, "search"):
        draw_search(paths[0], target / "search.svg")
    for path in sorted(directory.glob("*.csv")):
        print(f"\n{path.stem}\n\n{markdown(path)}")


if __name__ == "__main__":
    main()
