"""The settings of a run, from the environment (load-testing/Makefile names them)."""
import os
import pathlib

LOAD_TESTING = pathlib.Path(__file__).resolve().parent.parent
ROOT = LOAD_TESTING.parent

BASE = os.environ.get("BASE", "http://localhost:8080/fhir").rstrip("/")
TOKEN = os.environ.get("ACCESS_TOKEN", "")
DURATION = int(os.environ.get("DURATION") or 60)  # Seconds a level.
VUS = int(os.environ.get("VUS") or 0)  # One level only, to stdout. 0: all levels.
OUT = pathlib.Path(os.environ.get("OUT") or LOAD_TESTING / "data")
RESET = os.environ.get("RESET", "")  # A command that makes the server an empty one.
SERVER_PID = os.environ.get("SERVER_PID", "")  # Its process, or the file that holds it.
WRK_THREADS = int(os.environ.get("WRK_THREADS") or 1)
TIMEOUT = int(os.environ.get("TIMEOUT") or 30)  # Seconds until a request counts as failed.


def levels(default):
    return [VUS] if VUS else default
