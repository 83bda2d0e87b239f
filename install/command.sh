# shellcheck shell=bash disable=SC2154  # here, venv, extras, link and again come from install.sh, which reads this file
# The command: its Python packages, pinned by hash, and a link to it on the PATH.

make_venv() {
  local file extra pins=() files=(requirements.txt)
  # Packages of an extra that was asked for once stay.
  for extra in port trust; do
    if [[ " $extras " == *" $extra "* ]] || [ -e "$venv/requirements-$extra.txt" ]; then files+=("requirements-$extra.txt"); fi
  done
  for file in "${files[@]}"; do
    # A copy of what was installed: new pins are installed anew.
    cmp -s "$here/python/$file" "$venv/$file" && "$venv/bin/python" -I -c 'import click' 2>/dev/null || pins+=("$here/python/$file")
  done
  [ "${#pins[@]}" != 0 ] || return 0
  todo "make $venv with what ${pins[*]#"$here/"} pins (pip)" || return 0
  if ! "$venv/bin/python" -I -m pip --version >/dev/null 2>&1; then
    quietly python3 -I -m venv --clear "$venv" || quietly virtualenv --clear "$venv" ||
      fail "Python cannot make a virtual environment" "$venv" "the messages above" "a working 'python3 -m venv'" "install python3-venv (Debian) or virtualenv, then $again"
    pins=("${files[@]/#/$here/python/}")
  fi
  # Bytecode of the few modules that a command loads comes with its first start.
  quietly "$venv/bin/python" -I -m pip install --disable-pip-version-check --no-compile --only-binary :all: --require-hashes "${pins[@]/#/--requirement=}" ||
    fail "pip could not install the packages of the command line" "$venv" "the messages above" \
      "the wheels that ${pins[*]} pins, from this machine's package index" "look at 'pip config list' and the network, then $again"
  cp "${pins[@]}" "$venv"
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

