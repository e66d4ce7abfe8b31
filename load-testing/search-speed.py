#!/usr/bin/env python3
"""Makes the table of search figures in docs/performance.md.

    load-testing/search-speed.py [--observations N] [--directory DIR] [--rounds N] [--only TEXT]

Loads a population that kiln-generate makes (at least N Observations, 1,000,000 if not said) into an
empty directory, starts build/release/kiln on it again with a block cache that holds all of it, and
asks each kind of query on one connection. With --directory the data is kept there, and used the
next time. What a query costs is the CPU time of all threads of the server (/proc, schedstat), HTTP
included: it is steadier than times on a machine that others use too. Median and range of N rounds.

Codes and limits come from the data: whatever code comes nearest to a share of the Observations. Each
answer is checked: a page's total is the count, and a download has as many resources as counted.
"""
import argparse
import collections
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from figures import ServerProcess
from harness import settings

BLOCK_CACHE_MIB = 4096
OBSERVATIONS_OF_A_PATIENT = 300  # By kiln-generate, about.
ROUND_SECONDS = 0.1  # Of CPU time, at least, or one request.
DOWNLOAD_PAGES = 50
POSTED_CODES = 10_000
POSTED_PATIENTS = 1_000


class SearchServer(ServerProcess):
    """Answers on one connection, and knows its CPU time to the microsecond."""

    def __init__(self, directory):
        os.environ["DB_BLOCK_CACHE_SIZE"] = str(BLOCK_CACHE_MIB)
        super().__init__(directory)
        url = urllib.parse.urlsplit(self.base)
        self.path = url.path
        self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=600)

    def cpu(self):
        spent = 0
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            spent += int((thread / "schedstat").read_text().split()[0])
        return spent / 1e9

    def ask(self, target, body=None):
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        method = "POST" if body else "GET"
        self.connection.request(method, f"{self.path}/{target}", body, headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.status != 200:
            sys.exit(f"{method} {target[:200]}: {response.status} {answer[:300]}")
        return answer

    def get(self, target, body=None):
        return json.loads(self.ask(target, body))

    def count(self, query):
        return self.get(f"Observation?{query}&_summary=count")["total"]

    def wait_until_idle(self):
        before = self.cpu()
        for _ in range(120):
            time.sleep(1)
            now = self.cpu()
            if now - before < 0.02:
                return
            before = now


def load(directory, observations):
    server = SearchServer(directory)
    try:
        out = subprocess.run(
            [settings.ROOT / "build/release/kiln-generate", "--patients",
             str(observations // OBSERVATIONS_OF_A_PATIENT + 1), "--base", server.base,
             "--server-pid", str(server.process.pid)],
            capture_output=True, text=True, check=True).stdout
        print(out.strip(), file=sys.stderr)
        server.wait_until_idle()
    finally:
        server.stop()


class Sample:
    """What to ask for: codes with their shares, from pages all over the Observations."""

    def __init__(self, server):
        self.server = server
        self.total = server.get("Observation?_summary=count")["total"]
        self.codes = collections.Counter()
        self.values = collections.defaultdict(list)
        self.patients = []
        target = "Observation?_count=1000&_elements=code,value,subject"
        for _ in range(30):
            page = server.get(target)
            for entry in page["entry"]:
                self.add(entry["resource"])
            target = next_of(page, server)
            if target is None:
                break
        patients = server.get(f"Patient?_count={POSTED_PATIENTS}&_elements=id")
        self.patients = [entry["resource"]["id"] for entry in patients["entry"]]

    def add(self, observation):
        coding = observation["code"]["coding"][0]
        code = f"{coding['system']}|{coding['code']}"
        self.codes[code] += 1
        if "valueQuantity" in observation:
            self.values[code].append(observation["valueQuantity"]["value"])

    def nearest(self, share, codes=None):
        seen = sum(self.codes.values())
        return min(codes or self.codes, key=lambda code: abs(self.codes[code] / seen - share))

    def measured(self):
        """The commonest code with a quantity, and the median of its values."""
        code = max(self.values, key=lambda c: len(self.values[c]))
        return code, statistics.median(self.values[code])


def next_of(page, server):
    links = {link["relation"]: link["url"] for link in page["link"]}
    return links["next"].removeprefix(server.base + "/") if "next" in links else None


class Table:
    def __init__(self, server, rounds, only):
        self.server, self.rounds, self.only = server, rounds, only

    def skips(self, name):
        return self.only not in name

    def print_row(self, name, hits, *cells):
        cells += ("",) * (3 - len(cells))
        print("|", " | ".join((name, f"{hits:,}" if hits else "", *cells)), "|", flush=True)

    def repeat(self, measure, scale=1e3, digits=2, unit="ms"):
        """The cell of a figure: median and range."""
        figures = [measure() * scale for _ in range(self.rounds + 1)][1:]  # The first warms up.
        low, middle, high = (f"{figure:,.{digits}f}" for figure in (
            min(figures), statistics.median(figures), max(figures)))
        return f"{middle} {unit} ({low} to {high})"

    def cost(self, target, body=None):
        return self.repeat(lambda: self.per_request(target, body))

    def per_request(self, target, body=None):
        begin, requests = self.server.cpu(), 0
        while self.server.cpu() - begin < ROUND_SECONDS:
            for _ in range(1 if requests < 3 else 20):
                self.server.ask(target, body)
                requests += 1
        return (self.server.cpu() - begin) / requests

    def query(self, name, query):
        """Its count, its first page, and its first page without a total."""
        if self.skips(name):
            return
        hits = self.server.count(query)
        page = self.server.get(f"Observation?{query}")
        if page["total"] != hits or len(page["entry"]) != min(hits, 50):
            sys.exit(f"{query}: the page says {page['total']}, the count {hits}")
        target = f"Observation?{query}"
        self.print_row(name, hits, self.cost(f"{target}&_summary=count"), self.cost(target),
                       self.cost(f"{target}&_total=none"))

    def download(self, name, query):
        if self.skips(name):
            return

        expected = min(self.server.count(query), DOWNLOAD_PAGES * 1000)

        def rate():
            target, begin, resources = f"Observation?{query}_count=1000", self.server.cpu(), 0
            for _ in range(DOWNLOAD_PAGES):
                answer = self.server.ask(target)
                used = self.server.cpu()
                page = json.loads(answer)
                resources += len(page["entry"])
                target = next_of(page, self.server)
                if target is None:
                    break
            if resources != expected:
                sys.exit(f"{name}: {resources} resources, not {expected}")
            return resources / (used - begin)

        self.print_row(name, 0, self.repeat(rate, scale=1, digits=0, unit="resources/s"))

    def posted(self, sample):
        name = f"{POSTED_CODES:,} codes × {POSTED_PATIENTS:,} patients by POST"
        if self.skips(name):
            return
        for kind, of in (("`system\\|code`", lambda c: c), ("`code`", lambda c: c.split("|")[1])):
            codes = [of(code) for code in sample.codes]
            codes += [of(f"http://loinc.org|{i}-0") for i in range(POSTED_CODES - len(codes))]
            body = urllib.parse.urlencode({"code": ",".join(codes),
                                           "patient": ",".join(sample.patients),
                                           "_summary": "count"})
            hits = self.server.get("Observation/_search", body)["total"]
            self.print_row(f"{name}, {kind}", hits, self.cost("Observation/_search", body))


def measure(server, rounds, only):
    sample = Sample(server)
    table = Table(server, rounds, only)
    print(f"{sample.total:,} Observations\n\n"
          "| query | hits | count | first page (50) | the same, `_total=none` |\n"
          "| --- | --- | --- | --- | --- |")
    table.query("one token, all", "status=final")
    table.query("one token, a category", "category=laboratory")
    for share in (0.05, 0.01, 0.001):
        table.query(f"one token, about {share * 100:g} %", f"code={quote(sample.nearest(share))}")
    common = quote(sample.nearest(0.05))
    table.query("`code=…&date=2020`", f"code={common}&date=2020")
    table.query("`category=…&date=2020`", "category=laboratory&date=2020")
    table.query("`date=2020`", "date=2020")
    table.query("`category=…&date=ge2015-03-05`", "category=laboratory&date=ge2015-03-05")
    code, value = sample.measured()
    table.query("`code=…&value-quantity=gt…`", f"code={quote(code)}&value-quantity=gt{value}")
    table.query("chain `patient.birthdate=ge1970&category=…`",
                "patient.birthdate=ge1970&category=laboratory")
    table.query("chain `patient.birthdate=1970&category=…`",
                "patient.birthdate=1970&category=laboratory")
    table.download("download by `_count=1000`", "")
    table.download("download by `_count=1000` of `category=…&date=ge2015`",
                   "category=laboratory&date=ge2015&")
    table.posted(sample)


def quote(text):
    return urllib.parse.quote(text, safe="")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--observations", type=int, default=1_000_000)
    parser.add_argument("--directory")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose names contain this")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = arguments.directory or temporary
        if not os.path.exists(os.path.join(directory, "CURRENT")):
            os.makedirs(directory, exist_ok=True)
            load(directory, arguments.observations)
        server = SearchServer(directory)
        try:
            server.wait_until_idle()
            measure(server, arguments.rounds, arguments.only)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
