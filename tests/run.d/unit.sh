#!/usr/bin/env bash
# Unit tests of the library: one evaluation of tests/unit/run.nix.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../unit"

report=$(nix --extra-experimental-features 'nix-command flakes' eval --impure --raw -f run.nix report)
printf '%s\n' "$report"
[[ "${report##*$'\n'}" == *" 0 failed" ]]
