#!/usr/bin/env bash
# Makes the server on LEA47 an empty one.
exec "$(dirname "$0")/../compose-reset.sh" LEA47
