#!/usr/bin/env bash
# make.sh SUITE FOLDER [PACKAGE…]: makes a bare Debian in FOLDER, with some packages. To run something there: enter.sh.
# It knows the mirror, the certificates and the settings of apt and pip that this machine has. Nothing of this machine is changed.
set -euo pipefail
machines=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/machines/this-machine.sh
source "$machines/this-machine.sh"

suite=$1 root=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

# ---- debootstrap, borrowed where it is not installed ----

make_root() {
  local mirror options=(--variant=minbase)
  mirror=$(debian_mirror "$scratch")
  [ -n "$mirror" ] || fail "this machine's apt has no mirror of Debian"
  [ $# = 0 ] || options+=("--include=$(tr ' ' , <<<"$*")")
  if ! type -P debootstrap >/dev/null; then
    "$machines/borrow.sh" "$scratch/borrowed" debootstrap >"$scratch/log" 2>&1 ||
      fail "apt could not get debootstrap: $(tail -n 5 "$scratch/log")"
    export DEBOOTSTRAP_DIR=$scratch/borrowed/usr/share/debootstrap PATH=$PATH:$scratch/borrowed/usr/sbin:$scratch/borrowed/usr/bin
    LD_LIBRARY_PATH=$(printf '%s:' "$scratch"/borrowed/{usr/,}lib/*-linux-gnu)
    export LD_LIBRARY_PATH
  fi
  # Skip fsync, as Debian's container images do: the folder is temporary.
  mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/99machine"
  # An interrupted run leaves no mounts behind: they end with the namespace.
  unshare --mount --propagation private -- debootstrap "${options[@]}" "$suite" "$root" "$mirror" >"$scratch/log" 2>&1 ||
    fail "debootstrap could not make a Debian $suite: $(tail -n 5 "$scratch/log")"
}

# ---- what this machine knows ----

# give FILE PLACE: a copy of a file inside, where the machine has it.
give() { [ ! -e "$1" ] || install -D -m "$(stat -c %a "$1")" "$1" "$root$2"; }

give_settings() {
  local file home
  for file in /etc/resolv.conf /etc/hosts /etc/apt/auth.conf; do give "$file" "$file"; done
  give "$(certificates)" /etc/machine-ca.crt
  apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/99machine"
  # Before there are ca-certificates, apt has no other.
  grep -q '^Acquire::https::CAInfo' "$root/etc/apt/apt.conf.d/99machine" ||
    echo 'Acquire::https::CAInfo "/etc/machine-ca.crt";' >>"$root/etc/apt/apt.conf.d/99machine"
  { pip_files_of_machine && pip_constraints; } | while read -r file; do give "$file" "$file"; done
  for home in /root /etc/skel; do
    give "$(pip_file_of_user)" "$home/.config/pip/pip.conf"
    give "$HOME/.netrc" "$home/.netrc"
  done
}

make_root "$@"
give_settings
# A Nix ends all that its users for builds run, in here too: those of this machine have other numbers than those made in here.
echo "SYS_UID_MAX 899" >>"$root/etc/login.defs"
# Keep neither packages nor package lists, as those images do.
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
