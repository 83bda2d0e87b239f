#!/usr/bin/env bash
# Makes a machine ready for kernel-builder: Nix, the Nix settings that the project needs, and the command `kernel-builder`.
# Every step looks first and changes only what is missing, so a second run changes nothing.
set -euo pipefail

usage() {
  cat <<'END'
Usage: ./install.sh [--check | --uninstall] [--system]

Installs Nix where apt has it, writes the Nix settings that kernel-builder needs
and puts `kernel-builder` on the PATH. It can be run again at any time.

  --check      change nothing, say what is missing; exit code 1 if something is
  --uninstall  take back the settings and remove what was made; packages, Nix among them, stay
  --system     only what needs root: packages and the settings for every user of this machine
  --help       this text
END
}

# ---- what is said ----

say() { printf '%s\n' "$*"; }
note() { printf 'note: %s\n' "$*" >&2; }

# fail HEADLINE AT FOUND WANT FIX
fail() {
  printf 'error: %s\n\n       at     %s\n       found  %s\n       want   %s\n       fix    %s\n' "$@" >&2
  exit 1
}

# Announces a change. False under --check, so that the caller stops there: `todo "do X" || return 0`.
todo() {
  changes=$((changes + 1))
  if [ "$mode" = check ]; then
    say "missing: $*"
    return 1
  fi
  say "$*"
}

# quietly COMMAND…: its output is shown only when it fails.
quietly() {
  if "$@" >"$scratch/log" 2>&1 </dev/null; then return; fi
  tail -n 15 "$scratch/log" | sed 's/^/    /' >&2
  return 1
}

# ---- what is there ----

have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }
is_linux() { [ "$(uname -s)" = Linux ]; }
runs_systemd() { case "$(systemctl is-system-running 2>/dev/null)" in running | degraded | starting) ;; *) false ;; esac; }
python_is_new() { python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
can_make_venv() { python3 -c 'import ensurepip' 2>/dev/null || have virtualenv; }
nix_version() { nix --version | grep -oE '[0-9]+\.[0-9]+' | tail -n 1; }
is_2_8() { awk -v version="$1" 'BEGIN { split(version, v, "."); exit !(v[1] > 2 || (v[1] == 2 && v[2] + 0 >= 8)) }'; }
owns_store() { is_root || [ -w "${NIX_STATE_DIR:-/nix/var/nix}/db" ]; }
nix_answers() { nix-instantiate --eval --expr 1 >/dev/null 2>&1; }
shell_in_sandbox() { ! is_linux || nix_settings | value_of sandbox-paths | grep -q '/bin/sh'; }

# ---- packages ----

missing_packages() {
  if ! have nix; then
    echo nix-bin
    # Without the daemon only root can use Debian's Nix.
    if runs_systemd; then echo nix-setup-systemd; fi
  fi
  have python3 || echo python3
  can_make_venv || echo python3-venv
  have git || echo git
  ! have apt-get || [ -e "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" ] || echo ca-certificates
}

apt_candidate() { apt-cache policy "$1" 2>/dev/null | awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'; }

apt_update() {
  say "apt-get update"
  quietly apt-get update || fail "apt-get update failed" "apt's sources, /etc/apt" "the messages above" "lists of packages" \
    "repair apt's sources or the network, then run ./install.sh again"
}

# An existing nix.conf stays when a package brings one too.
apt_install() {
  quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=60 "$@"
}

install_packages() {
  local packages package found
  packages=$(missing_packages | xargs)
  [ -n "$packages" ] || return 0
  have apt-get || fail "something is missing, and there is no apt-get to install it with" "the programs on the PATH" "nothing that gives: $packages" \
    "Nix 2.8 or newer, Python 3.9 or newer that can make virtual environments, git" "$(fix_without_apt "$packages")"
  todo "apt-get install --no-install-recommends $packages" || return 0
  for package in $packages; do
    if [ -z "$(apt_candidate "$package")" ]; then
      apt_update
      break
    fi
  done
  found=$(apt_candidate nix-bin)
  if has_word nix-bin "$packages" && ! is_2_8 "$found"; then
    fail "this system has no Nix that is new enough" "package nix-bin" "${found:-no such package}" "2.8 or newer" "$official_nix"
  fi
  # One word a package. The lists may name files that the mirror has replaced since: new lists, second try.
  # shellcheck disable=SC2086
  apt_install $packages 2>/dev/null || { apt_update; apt_install $packages; } || fail "apt-get install failed" "packages $packages" "the messages above" "all of them installed" "repair apt, then run ./install.sh again"
}

fix_without_apt() {
  case $1 in nix-bin*) echo "$official_nix" ;; *) echo "install it with this system's package manager, then run ./install.sh again" ;; esac
}

# With Debian's Nix a user needs the group nix-users to reach the daemon.
join_nix_users() {
  [ "${SUDO_USER:-root}" != root ] && getent group nix-users >/dev/null || return 0
  if has_word nix-users "$(id -nG "$SUDO_USER")"; then return 0; fi
  todo "usermod -aG nix-users $SUDO_USER" || return 0
  usermod -aG nix-users "$SUDO_USER"
}

system_part() {
  install_packages
  join_nix_users
  write_nix_conf
}

# A new group counts from the next login on.
login_pending() { has_word nix-users "$(id -nG "$(id -un)")" && ! has_word nix-users "$(id -nG)"; }

# A user who is not root: what needs root goes through sudo, or to an administrator.
system_part_by_root() {
  local missing
  missing=$(missing_packages | xargs)
  if [ -z "$missing" ] && { login_pending || { nix_answers && { owns_store || shell_in_sandbox; }; }; }; then return 0; fi
  [ -z "$missing" ] || have apt-get || install_packages
  if [ "$mode" = check ] || sudo -n true 2>/dev/null || { [ -t 0 ] && have sudo; }; then
    todo "sudo $here/install.sh --system" || return 0
    sudo "$here/install.sh" --system
  elif [ -n "$missing" ] || ! nix_answers; then
    fail "an administrator has to prepare this machine once" "user $(id -un): not root, and no sudo without a password" \
      "missing: ${missing:-a Nix that this user may use}" "Nix for the users of this machine" "$admin_commands"
  else
    note "the sandbox of this machine's Nix has no /bin/sh; an administrator can give it one: $here/install.sh --system"
  fi
}

# ---- the command ----

make_venv() {
  local pins=$here/python/requirements.txt
  # A copy of what was installed: new pins are installed anew.
  if cmp -s "$pins" "$venv/requirements.txt" && "$venv/bin/python" -c 'import click' 2>/dev/null; then return 0; fi
  todo "make $venv with what python/requirements.txt pins (pip)" || return 0
  if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    quietly python3 -m venv --clear "$venv" || quietly virtualenv --clear "$venv" ||
      fail "Python cannot make a virtual environment" "$venv" "the messages above" "a working 'python3 -m venv'" "install python3-venv (Debian) or virtualenv, then run ./install.sh again"
  fi
  quietly "$venv/bin/python" -m pip install --disable-pip-version-check --only-binary :all: --require-hashes -r "$pins" ||
    fail "pip could not install the packages of the command line" "$venv" "the messages above" "the wheels that $pins pins, from this machine's package index" \
      "look at 'pip config list' and the network, then run ./install.sh again"
  cp "$pins" "$venv/requirements.txt"
}

link_command() {
  local launcher=$here/python/bin/kernel-builder
  [ "$(readlink "$link" 2>/dev/null)" != "$launcher" ] || return 0
  if [ -e "$link" ] && [ ! -L "$link" ]; then
    fail "another program has the place of our command" "$link" "a file that is not ours" "a link to $launcher" "move that file away, then run ./install.sh again"
  fi
  todo "link $link -> $launcher" || return 0
  mkdir -p "$(dirname "$link")"
  ln -sfn "$launcher" "$link"
}

# ---- proof ----

# try_build TEST [OPTION…]: runs TEST in a build whose shell is the sandbox's. Settings and system are part of it, so changed ones are tried anew.
try_build() {
  local test=$1 settings
  shift
  settings=$(nix_settings | cksum)
  quietly nix-build --no-out-link "$@" --expr "derivation {
    name = \"kernel-builder-trial\"; system = builtins.currentSystem; builder = \"/bin/sh\";
    args = [ \"-c\" \"$test && echo built > \$out\" ]; settings = \"$settings $(uname -r)\"; }"
}

# Where Nix cannot make a sandbox it builds without one and says nothing, so the build itself looks for a file of this machine.
verify_builds() {
  if is_linux && [ "$(nix_settings | value_of sandbox)" = true ]; then
    if try_build "test ! -e /etc/os-release" --option sandbox-fallback false; then return 0; fi
    note "the sandbox of Nix does not work here (a container without the right to make user namespaces?)"
    note "builds go on without it: they see this machine's files, and their results may depend on them"
  fi
  try_build true || fail "Nix cannot build here" "a trivial derivation" "the messages above" "its result" \
    "see that /nix can be written and that the settings in $conf fit this machine"
}

verify() {
  is_2_8 "$(nix_version)" || fail "this Nix is too old" "$(command -v nix)" "$(nix --version)" "2.8 or newer" "$official_nix"
  python_is_new || fail "this Python is too old" "$(command -v python3)" "$(python3 --version)" "3.9 or newer" "put a newer python3 first on the PATH"
  ! login_pending || fail "the new group of user $(id -un) is not in force yet" "group nix-users" "a login from before" "a new login" \
    "log out and in again, then run ./install.sh again"
  nix_answers || fail "user $(id -un) cannot use Nix" "/nix" "$(nix-instantiate --eval --expr 1 2>&1 | tail -n 1)" \
    "a running Nix daemon that this user may talk to" "$admin_commands"
  [ "$mode" = install ] || return 0
  verify_builds
  quietly "$link" --help || fail "kernel-builder does not start" "$link" "the messages above" "its help" "remove $venv, then run ./install.sh again"
  (PATH=$own_path have nix) || note "nix is not on your PATH yet: log in again"
  if [ "$(PATH=$own_path command -v kernel-builder)" != "$link" ]; then
    note "kernel-builder is not on your PATH, or another one is before it. Type: export PATH=\"$(dirname "$link"):\$PATH\""
  fi
}

# ---- the three commands ----

install_all() {
  local changes=0
  if is_root; then system_part; else system_part_by_root; fi
  if [ "$scope" = all ]; then
    is_root || write_nix_conf
    make_venv
    link_command
  fi
  if [ "$mode" = check ] && [ "$changes" != 0 ]; then exit 1; fi
  [ "$scope" = system ] || verify
  if [ "$scope" = all ] && is_root && [ "${SUDO_USER:-root}" != root ]; then note "this was for root; for $SUDO_USER, run it without sudo"; fi
  [ "$changes" != 0 ] || say "nothing to change"
  if [ "$mode" = install ] && [ "$scope" = all ]; then say "ready; next: kernel-builder build examples/relu --backend cpu"; fi
}

uninstall() {
  restore_nix_conf
  if [ -e "$busybox" ] && ! grep -qs "=$busybox" "$conf"; then
    say "remove $(dirname "$busybox")"
    rm -r "$(dirname "$busybox")"
  fi
  if [ "$scope" = all ]; then
    if [ -e "$venv" ]; then
      say "remove $(dirname "$venv")"
      rm -r "$(dirname "$venv")"
    fi
    if [ "$(readlink "$link")" = "$here/python/bin/kernel-builder" ]; then
      say "remove $link"
      rm "$link"
    fi
  fi
  if [ "$conf" != "$system_conf" ] && grep -qs '^# begin kernel-builder' "$system_conf"; then
    note "the settings in $system_conf are for everybody; as root: $here/install.sh --uninstall --system"
  fi
  say "packages that were installed stay, Nix among them"
}

main() {
  mode=install scope=all
  while [ $# != 0 ]; do
    case $1 in
      --check) mode=check ;;
      --uninstall) mode=uninstall ;;
      --system) scope=system ;;
      --help | -h) usage && exit ;;
      *) fail "unknown argument" "./install.sh" "$1" "--check, --uninstall, --system or --help" "./install.sh --help says what they do" ;;
    esac
    shift
  done
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # The official installer's Nix comes to the PATH at the next login only.
  own_path=$PATH
  PATH=$PATH:/nix/var/nix/profiles/default/bin:$HOME/.nix-profile/bin
  official_nix="install Nix with its official installer (https://nixos.org/download), then run ./install.sh again"
  admin_commands="ask an administrator to run these, log in again, then run ./install.sh again
                  apt-get install --no-install-recommends nix-bin nix-setup-systemd python3-venv git ca-certificates
                  usermod -aG nix-users $(id -un)
                  $here/install.sh --system"
  system_conf=${NIX_CONF_DIR:-/etc/nix}/nix.conf
  venv=${XDG_DATA_HOME:-$HOME/.local/share}/kernel-builder/venv
  if is_root; then
    conf=$system_conf
    prefix=${PREFIX:-/usr/local}
  else
    conf=${XDG_CONFIG_HOME:-$HOME/.config}/nix/nix.conf
    prefix=$HOME/.local
  fi
  backup=$conf.before-kernel-builder
  busybox=$prefix/libexec/kernel-builder/busybox
  link=$prefix/bin/kernel-builder
  if [ "$scope" = system ] && ! is_root; then
    fail "--system needs root" "user $(id -un)" "not root" "root" "sudo $here/install.sh --system"
  fi
  if [ "$mode" = uninstall ]; then uninstall; else install_all; fi
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=install/nix-conf.sh
source "$here/install/nix-conf.sh"
# The tests take the functions without running them.
if [ "${BASH_SOURCE[0]}" = "$0" ]; then main "$@"; fi
