#!/usr/bin/env bash
# Uploading to a Hub on this machine, with faults, and the public clients that load it again.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../hub" "$@"
