#!/usr/bin/env bash
# Rules of the source tree itself; nothing is evaluated.
exec "$TEST_PYTHON" -m pytest "$(dirname -- "$0")/../boundaries" "$@"
