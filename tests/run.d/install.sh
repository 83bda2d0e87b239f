#!/usr/bin/env bash
# The tests of install.sh: pretended machines first, then real bare ones where this machine can make them.
set -euo pipefail

here=$(cd -- "$(dirname -- "$0")/../install" && pwd)
status=0
for test in settings machines bare-machine; do
  bash "$here/$test.sh" || status=1
done
exit "$status"
