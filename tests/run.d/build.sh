#!/usr/bin/env bash
# Kernels that are really built, loaded and run.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../build" "$@"
