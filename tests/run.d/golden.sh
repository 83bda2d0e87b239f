#!/usr/bin/env bash
# The plans of a few kernels, as text. `--renew` writes them anew.
set -euo pipefail
exec python3 "$(dirname -- "$0")/../golden/run.py" "$@"
