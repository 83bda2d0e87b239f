#!/usr/bin/env bash
# The command line as real processes, against a real Nix, pip and apt and servers on this machine.
# TEST_PYTHON names the Python to run with. Without it one is made, once, with the machine's own pip.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../cli" && pwd)
python=${TEST_PYTHON:-python3}

if ! "$python" -c 'import click, jsonschema, pytest, tomlkit' 2>/dev/null; then
  environment=${XDG_CACHE_HOME:-$HOME/.cache}/kernel-builder/test-cli
  [ -x "$environment/bin/python3" ] || python3 -m venv "$environment"
  "$environment/bin/python3" -m pip install --quiet click==8.1.8 pytest==8.4.2 \
    tomlkit==0.15.2 jsonschema==4.25.1
  python=$environment/bin/python3
fi

exec "$python" -m pytest "$here" "$@"
