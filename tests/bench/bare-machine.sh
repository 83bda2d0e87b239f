#!/usr/bin/env bash
# The README's first command on a bare Debian 12, from the clone to the table, downloads included: seconds, and what it printed.
set -euo pipefail
repository=$(cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
# shellcheck disable=SC2034  # read by what is sourced
code=0 said=
trap 'chmod -R u+w "$work" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
skip() {
  echo "bare-machine: skipped: $1"
  exit 0
}
# shellcheck source=tests/install/bare-root.sh
source "$repository/tests/install/bare-root.sh"
obstacle=$(bare_obstacle)
[ -z "$obstacle" ] || skip "$obstacle"
# shellcheck disable=SC2034
mirror=$(bookworm_mirror)

make_base
mv "$work/base" "$work/machine"
rm -rf "$work/machine/src"
git clone -q "$repository" "$work/machine/src"
started=$(date +%s)
inside machine 'cd /src && ./install.sh && kernel-builder build examples/relu --backend cpu'
ended=$(date +%s)
printf '%s\n' "$said" | tail -n 12
echo "bare machine to table: $((ended - started)) s, exit code $code"
exit "$code"
