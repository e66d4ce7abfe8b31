"""The server under test: its FHIR interface, and its process where that is on this machine."""
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.request

from harness import settings


def request(target, method="GET", body=None, content_type="application/fhir+json"):
    """The answer as JSON. `target` is below the base, or a whole URL. Ends the test on a failure."""
    url = target if target.startswith("http") else f"{settings.BASE}/{target}"
    headers = {"Accept": "application/fhir+json", "Content-Type": content_type}
    if settings.TOKEN:
        headers["Authorization"] = f"Bearer {settings.TOKEN}"
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(
                urllib.request.Request(url, data, headers, method=method), timeout=600) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {url}: {error.code} {error.read()[:500].decode(errors='replace')}")
    except OSError as error:
        sys.exit(f"{method} {url}: {error}")


def version():
    """What the published figures are of: name and version, from the CapabilityStatement."""
    return request("metadata")["software"]["version"]


def count(resource_type):
    return request(f"{resource_type}?_summary=count")["total"]


def pages(target):
    while target:
        page = request(target)
        yield page
        target = next((link["url"] for link in page["link"] if link["relation"] == "next"), None)


def ids(resource_type, at_most=None):
    found = []
    for page in pages(f"{resource_type}?_elements=id&_count=10000"):
        found += [entry["resource"]["id"] for entry in page.get("entry", [])]
        if at_most and len(found) >= at_most:
            return found[:at_most]
    if not found:
        sys.exit(f"no {resource_type} on {settings.BASE}: upload some first")
    return found


def path():
    """The path of the base, as it stands in a request line: /fhir."""
    return "/" + settings.BASE.split("/", 3)[3] if settings.BASE.count("/") > 2 else ""


def reset():
    """Makes the server an empty one, by the command in RESET."""
    subprocess.run(settings.RESET, shell=True, check=True, stdout=sys.stderr)


def pid():
    """The server's process id, or None if the run was not told of one."""
    if not settings.SERVER_PID:
        return None
    if settings.SERVER_PID.isdigit():
        return int(settings.SERVER_PID)
    return int(pathlib.Path(settings.SERVER_PID).read_text())


def cpu_seconds(process):
    """CPU time that a process has used so far."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
