-- What every closed loop shares: the headers of a FHIR client, and the end of a level.
--
-- The end is one CSV row (version,clients,req/s,med,q95,q99; milliseconds) appended to the file
-- that KILN_ROWS names. A level in which any request failed has no row: wrk ends with exit code 1.
wrk.headers["Accept"] = "application/fhir+json"
local token = os.getenv("ACCESS_TOKEN")
if token and #token > 0 then
  wrk.headers["Authorization"] = "Bearer " .. token
end

function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  if failed > 0 or summary.requests == 0 then
    io.stderr:write(string.format(
      "FAILED: %d requests; errors: %d connect, %d read, %d write, %d status, %d timeout\n",
      summary.requests, errors.connect, errors.read, errors.write, errors.status, errors.timeout))
    os.exit(1)
  end
  local path = os.getenv("KILN_ROWS")
  if not path then return end
  local rows = assert(io.open(path, "a"))
  rows:write(string.format("%s,%s,%.2f,%.3f,%.3f,%.3f\n",
    os.getenv("KILN_VERSION"), os.getenv("KILN_CLIENTS"), summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(95) / 1000, latency:percentile(99) / 1000))
  rows:close()
end
