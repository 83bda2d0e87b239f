#!/usr/bin/env bash
# What a variant is checked for: the checks themselves, and kernels that must pass or fail them.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../compliance" "$@"
