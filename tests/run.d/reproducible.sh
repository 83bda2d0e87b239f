#!/usr/bin/env bash
# Builds all that the examples are made with once more, here and in a second store, and compares the bytes.
# `-- --quick`: only the kernels' own derivations, and no second store.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../reproducible" "$@"
