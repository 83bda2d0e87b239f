#!/usr/bin/env bash
# By name only. What kernel-builder itself costs on this machine; nothing is asserted.
exec "$TEST_PYTHON" "$(dirname -- "$0")/../bench/run" "$@"
