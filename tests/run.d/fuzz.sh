#!/usr/bin/env bash
# Breaks real build.toml files at random; `--mutants 10000` for a long run.
set -euo pipefail
exec python3 "$(dirname -- "$0")/../fuzz/fuzz.py" "$@"
