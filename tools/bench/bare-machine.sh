#!/usr/bin/env bash
# The README's first command on a bare Debian 12, from the clone to the table, downloads included: seconds, and what it printed.
set -euo pipefail
repository=$(cd -- "$(dirname -- "$0")/../.." && pwd)
machines=$repository/tests/machines
obstacle=$("$machines/obstacle.sh")
if [ -n "$obstacle" ]; then
  echo "bare-machine: skipped: $obstacle"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
"$machines/make.sh" bookworm "$work/machine"
git clone -q "$repository" "$work/machine/src"
code=0
started=$(date +%s)
"$machines/enter.sh" "$work/machine" bash -c 'cd /src && ./install.sh && kernel-builder build examples/relu --backend cpu' \
  </dev/null >"$work/said" 2>&1 || code=$?
ended=$(date +%s)
tail -n 12 "$work/said"
echo "bare machine to table: $((ended - started)) s, exit code $code"
exit "$code"
