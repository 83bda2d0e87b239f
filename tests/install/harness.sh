# shellcheck shell=bash disable=SC2034  # the tests read conf
# What the tests of install.sh share: a machine made of folders and of programs that only pretend, and the count of results.
set -uo pipefail

repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
passed=0 failed=0

# fake_machine: a fresh root user of an empty machine; only the programs linked or written into $bin exist there.
fake_machine() {
  local program
  machine=$(mktemp -d "$work/machine.XXXX")
  bin=$machine/bin
  mkdir -p "$bin" "$machine/home" "$machine/etc" "$machine/usr/libexec/kernel-builder" "$machine/checkout/python/bin"
  cp -r "$repository/install.sh" "$repository/install" "$machine/checkout"
  for program in awk basename bash cat chmod cksum cp curl diff dirname echo env find grep head id install ln ls mkdir mktemp mv nix \
    nix-build nix-instantiate printf python3 readlink rm sed sh sleep sort tail tr uname xargs; do
    ln -s "$(type -P "$program")" "$bin/$program"
  done
  fake git 'exit 0'
  fake getent 'exit 0'
  fake id 'case $* in -u) echo 0 ;; -un) echo root ;; *) echo root ;; esac'
  fake curl 'exit 7'
  fake systemctl 'echo offline; exit 1'
  fake nix-build "echo \"nix-build \$*\" >>$machine/calls"
  printf '#!/bin/sh\necho busybox\n' >"$machine/usr/libexec/kernel-builder/busybox"
  printf '#!/bin/sh\necho "Usage: kernel-builder"\n' >"$machine/checkout/python/bin/kernel-builder"
  chmod +x "$machine/usr/libexec/kernel-builder/busybox" "$machine/checkout/python/bin/kernel-builder"
  conf=$machine/etc/nix.conf
}

# fake PROGRAM BODY: a program of the fake machine. Remove it with: rm "$bin/PROGRAM".
fake() {
  rm -f "$bin/$1"
  printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}

# A virtual environment that has everything, so that no test asks a package index.
fake_venv() {
  mkdir -p "$machine/home/.local/share/kernel-builder/venv/bin"
  printf '#!/bin/sh\nexit 0\n' >"$machine/home/.local/share/kernel-builder/venv/bin/python"
  chmod +x "$machine/home/.local/share/kernel-builder/venv/bin/python"
}

on_machine() {
  env -i PATH="$bin" HOME="$machine/home" NIX_CONF_DIR="$machine/etc" PREFIX="$machine/usr" NIX_STATE_DIR="$machine/state" \
    SSL_CERT_FILE=/dev/null "$@" </dev/null
}

# run_install ARGUMENT…: sets `said` (both streams) and `code`.
run_install() {
  said=$(on_machine "$machine/checkout/install.sh" "$@" 2>&1)
  code=$?
}

effective() { on_machine nix show-config 2>/dev/null | sed -n "s/^$1 = //p"; }

# result NAME STATUS
result() {
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$1"
    tail -n 20 <<<"${said:-}" | sed 's/^/    | /'
  fi
}

same() { [ "$2" = "$3" ]; result "$1" $? || true; [ "$2" = "$3" ] || printf '    got:  %s\n    want: %s\n' "$2" "$3"; }
says() { grep -qF -- "$2" <<<"$said"; result "$1" $?; }
silent_about() { ! grep -qF -- "$2" <<<"$said"; result "$1" $?; }
exits() { same "$1" "$code" "$2"; }

finish() {
  printf '%s: %d passed, %d failed\n' "$(basename "$0" .sh)" "$passed" "$failed"
  [ "$failed" = 0 ]
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
