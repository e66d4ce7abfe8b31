#!/usr/bin/env bash
# Makes the server on LEA79 an empty one.
exec "$(dirname "$0")/../compose-reset.sh" LEA79
