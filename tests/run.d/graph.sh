#!/usr/bin/env bash
# What changes what: derivations are instantiated and read, none is built.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../graph" "$@"
