#!/usr/bin/env bash
# A kernel author's day, in folders outside the repository. TEST_PYTHON names the Python to run with.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../author" "$@"
