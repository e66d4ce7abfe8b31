"""A failed request must end a load test: against a small server that fails as it is told to."""
import contextlib
import http.server
import io
import json
import shutil
import threading
import unittest

import journey
from harness import closed_loop, results, server, settings


class Answers(http.server.BaseHTTPRequestHandler):
    """200 to everything, but `status` to each tenth request below /fhir/Patient."""
    protocol_version = "HTTP/1.1"
    status = 200
    requests = 0

    def do_GET(self):
        status = 200
        if self.path.startswith("/fhir/Patient"):
            Answers.requests += 1
            status = Answers.status if Answers.requests % 10 == 0 else 200
        body = json.dumps({"software": {"version": "7.8"}}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@unittest.skipUnless(shutil.which("wrk"), "needs wrk")
class ClosedLoopTest(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)
        settings.BASE = f"http://127.0.0.1:{self.server.server_port}/fhir"
        settings.SERVER_PID = ""
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        Answers.status, Answers.requests = 200, 0

    def level(self):
        return closed_loop.run_level("read", 2, 1, [f"{server.path()}/Patient/1"])

    def test_a_level_is_one_row_with_the_version_of_the_server(self):
        row = self.level()
        self.assertEqual(row["version"], "7.8")
        self.assertEqual(row["clients"], "2")
        self.assertTrue(set(results.HEADER) <= row.keys())
        self.assertGreater(float(row["req/s"]), 0)
        self.assertLessEqual(float(row["med"]), float(row["q99"]))

    def test_what_wrk_counts_is_what_the_server_answered(self):
        row = self.level()
        self.assertAlmostEqual(row["requests"], Answers.requests, delta=2)

    def test_answers_that_are_errors_end_the_test(self):
        for status in (404, 410, 500, 503):
            Answers.status = status
            with self.subTest(status), self.assertRaises(SystemExit):
                self.level()

    def test_a_server_that_is_gone_ends_the_test(self):
        closed_loop.server_version()
        base, settings.BASE = settings.BASE, "http://127.0.0.1:1/fhir"
        with self.assertRaises(SystemExit):
            self.level()
        settings.BASE = base


class JourneyTest(unittest.TestCase):
    def test_only_stress_lets_a_client_be_refused(self):
        refused = {"http.codes.200": 10, "http.codes.503": 1}
        self.assertEqual(journey.faults("stress", refused), {})
        self.assertEqual(journey.faults("crud", refused), {"http.codes.503": 1})

    def test_time_outs_wrong_answers_and_failed_checks_are_faults(self):
        for counter in ("errors.ETIMEDOUT", "http.codes.500", "http.codes.404", "vusers.failed",
                        "plugins.expect.failed"):
            self.assertEqual(journey.faults("stress", {"http.codes.200": 5, counter: 1}), {counter: 1})


if __name__ == "__main__":
    unittest.main()
