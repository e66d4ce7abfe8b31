#!/usr/bin/env bash
# compose-reset.sh SYSTEM: stops the server of docker/docker-compose-SYSTEM.yml, empties its volume,
# starts it, and waits for its health. BASE says where it listens.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
file=$root/docker/docker-compose-$1.yml
origin=$(sed -E 's,^(https?://[^/]+).*,\1,' <<<"${BASE:-http://localhost:8080/fhir}")
if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi

"${compose[@]}" -f "$file" down --volumes
"${compose[@]}" -f "$file" up --detach
for _ in $(seq 120); do
  if curl -fso /dev/null "$origin/health"; then exit 0; fi
  sleep 0.5
done
"${compose[@]}" -f "$file" logs --tail 20 >&2
echo "reset: the server does not answer at $origin/health" >&2
exit 1
