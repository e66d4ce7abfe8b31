#!/usr/bin/env bash
# Makes the server on A5N46 an empty one.
exec "$(dirname "$0")/../compose-reset.sh" A5N46
