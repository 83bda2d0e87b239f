# shellcheck shell=bash disable=SC2154  # here, venv, link and again come from install.sh, which reads this file
# The command: its Python packages, pinned by hash, and a link to it on the PATH.

make_venv() {
  local pins=$here/python/requirements.txt
  # A copy of what was installed: new pins are installed anew.
  if cmp -s "$pins" "$venv/requirements.txt" && "$venv/bin/python" -I -c 'import click' 2>/dev/null; then return 0; fi
  todo "make $venv with what python/requirements.txt pins (pip)" || return 0
  if ! "$venv/bin/python" -I -m pip --version >/dev/null 2>&1; then
    quietly python3 -I -m venv --clear "$venv" || quietly virtualenv --clear "$venv" ||
      fail "Python cannot make a virtual environment" "$venv" "the messages above" "a working 'python3 -m venv'" "install python3-venv (Debian) or virtualenv, then $again"
  fi
  quietly "$venv/bin/python" -I -m pip install --disable-pip-version-check --only-binary :all: --require-hashes -r "$pins" ||
    fail "pip could not install the packages of the command line" "$venv" "the messages above" "the wheels that $pins pins, from this machine's package index" \
      "look at 'pip config list' and the network, then $again"
  cp "$pins" "$venv/requirements.txt"
}

link_command() {
  local launcher=$here/python/bin/kernel-builder
  [ "$(readlink "$link" 2>/dev/null)" != "$launcher" ] || return 0
  if [ -e "$link" ] && [ ! -L "$link" ]; then
    fail "another program has the place of our command" "$link" "a file that is not ours" "a link to $launcher" "move that file away, then $again"
  fi
  todo "link $link -> $launcher" || return 0
  mkdir -p "$(dirname "$link")"
  ln -sfn "$launcher" "$link"
}

