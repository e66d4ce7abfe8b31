"""The comparison of a run with a baseline, and the tables that it is made of."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check
from harness import results, settings


def table(directory, name, rates, clients=(1, 2, 4)):
    results.write(pathlib.Path(directory) / f"{name}.csv", [
        {"version": "1", "clients": c, "req/s": r, "med": "", "q95": "", "q99": ""}
        for c, r in zip(clients, rates)])


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.baseline = self.enterContext(tempfile.TemporaryDirectory())
        self.run_directory = self.enterContext(tempfile.TemporaryDirectory())
        table(self.baseline, "transaction", [100, 200, 300])

    def short(self):
        return check.compare(self.baseline, self.run_directory)[1]

    def status(self):
        return subprocess.run([sys.executable, settings.LOAD_TESTING / "check.py", self.baseline,
                               self.run_directory], capture_output=True, check=False).returncode

    def test_a_run_at_or_above_each_level_passes(self):
        table(self.run_directory, "transaction", [100, 201, 9000])
        self.assertEqual(self.short(), 0)
        self.assertEqual(self.status(), 0)

    def test_one_level_below_fails_whatever_the_others_are(self):
        table(self.run_directory, "transaction", [1000, 199.9, 3000])
        self.assertEqual(self.short(), 1)
        self.assertEqual(self.status(), 1)

    def test_a_level_that_was_not_run_fails(self):
        table(self.run_directory, "transaction", [1000, 1000], clients=(1, 4))
        self.assertEqual(self.short(), 1)

    def test_a_test_that_was_not_run_fails(self):
        self.assertEqual(self.short(), 3)

    def test_no_baseline_is_no_pass(self):
        (pathlib.Path(self.baseline) / "transaction.csv").unlink()
        self.assertEqual(self.status(), 1)

    def test_levels_are_matched_by_clients_not_by_place(self):
        table(self.run_directory, "transaction", [300, 200, 100], clients=(4, 2, 1))
        self.assertEqual(self.short(), 0)

    def test_each_reference_host_has_a_baseline(self):
        for system in ("A5N46", "LEA47", "LEA79"):
            rows = results.read(settings.LOAD_TESTING / "systems" / system / "baseline/transaction.csv")
            self.assertEqual([row["clients"] for row in rows], ["1", "2", "4", "8", "16", "32", "64", "128"])


class MedianOfRunsTest(unittest.TestCase):
    def test_each_figure_is_the_median_of_its_level(self):
        runs = [[{"version": "1", "clients": "8", "req/s": str(rate), "med": str(med)}]
                for rate, med in ((100, 3), (300, 1), (200, 2))]
        self.assertEqual(results.median_of_runs(runs),
                         [{"version": "1", "clients": "8", "req/s": "200", "med": "2"}])

    def test_runs_with_other_levels_are_refused(self):
        one, other = [[{"version": "1", "clients": c, "req/s": "1"}] for c in ("1", "2")]
        with self.assertRaises(ValueError):
            results.median_of_runs([one, other])


if __name__ == "__main__":
    unittest.main()
