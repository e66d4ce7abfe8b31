#!/usr/bin/env bash
# A plain binary on this machine: stops it, empties its directory, starts it, waits for its health.
#   KILN_BINARY      the server                         (build/release/kiln)
#   KILN_LOCAL       its data, log and process id       (data/load-test)
#   BASE             where it listens                   (http://localhost:8080/fhir)
#   FSYNC_DELAY_US   syncs last at least so long        (not delayed); needs fsync-delay.so:
#   FSYNC_DELAY_LIB                                     (build/release/fsync-delay.so)
# All other settings of the server go through as they stand in the environment. `reset.sh --stop`
# stops it only; `reset.sh --keep` restarts it with what it has stored.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
binary=${KILN_BINARY:-$root/build/release/kiln}
state=${KILN_LOCAL:-$root/data/load-test}
base=${BASE:-http://localhost:8080/fhir}
port=$(sed -E 's,^https?://[^/:]+:([0-9]+).*,\1,;t;s,.*,80,' <<<"$base")
origin=$(sed -E 's,^(https?://[^/]+).*,\1,' <<<"$base")

mkdir -p "$state"
if [ -f "$state/pid" ]; then
  pid=$(<"$state/pid")
  # Only a process that runs on this directory: ids are reused.
  if tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | grep -qxF "INDEX_DB_DIR=$state/db"; then
    kill -TERM "$pid"
    for _ in $(seq 300); do [ -e "/proc/$pid" ] || break; sleep 0.1; done
    [ ! -e "/proc/$pid" ] || { echo "reset: process $pid does not stop" >&2; exit 1; }
  fi
  rm "$state/pid"
fi
[ "${1:-}" != --stop ] || exit 0
[ "${1:-}" = --keep ] || rm -rf "${state:?}/db"

if curl -fso /dev/null "$origin/health"; then
  echo "reset: another server answers at $origin" >&2
  exit 1
fi
preload=()
if [ -n "${FSYNC_DELAY_US:-}" ]; then
  library=${FSYNC_DELAY_LIB:-$root/build/release/fsync-delay.so}
  [ -f "$library" ] || { echo "reset: no $library" >&2; exit 1; }
  preload=("LD_PRELOAD=$library" "KILN_FSYNC_DELAY_US=$FSYNC_DELAY_US" "KILN_FSYNC_REPORT=$state/syncs")
fi
env "${preload[@]}" INDEX_DB_DIR="$state/db" SERVER_PORT="$port" \
  "$binary" </dev/null >>"$state/log" 2>&1 &
echo $! >"$state/pid"
for _ in $(seq 300); do
  if curl -fso /dev/null "$origin/health"; then exit 0; fi
  [ -e "/proc/$(<"$state/pid")" ] || { tail -3 "$state/log" >&2; exit 1; }
  sleep 0.1
done
echo "reset: the server does not answer at $origin/health" >&2
exit 1
