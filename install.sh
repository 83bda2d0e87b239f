#!/usr/bin/env bash
# Makes a machine ready for kernel-builder: Nix, the Nix settings that the project needs, and the command `kernel-builder`.
# Every step looks first and changes only what is missing, so a second run changes nothing.
# It also works alone, as `curl … | bash` has it: it then gets a checkout first, and goes on with the one that is there. Only what both
# need is in this file, and nothing is done before its last line, so that half of it does nothing.
set -euo pipefail

usage() {
  cat <<'END'
Usage: ./install.sh [--check | --uninstall] [--system] [--no-sandbox]
       curl -fsSL …/install.sh | bash -s -- [--from ADDRESS] [--commit COMMIT] [the same]

Installs Nix where apt has it, writes the Nix settings that kernel-builder needs
and puts `kernel-builder` on the PATH. It can be run again at any time.

  --check       change nothing, say what is missing; exit code 1 if something is
  --uninstall   take back the settings and remove what was made; packages, Nix among them, stay
  --system      only what needs root: packages, users and the settings for every user of this machine
  --no-sandbox  let Nix build without a sandbox, in a container that can make none
  --from        without a checkout: the git repository to get one from
  --commit      without a checkout: the commit (default: the newest); it is what is got, or nothing
  --help        this text
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

# ---- without a checkout ----

need_git() {
  local packages="git ca-certificates" as_root=
  ! have git || return 0
  is_root || as_root=sudo
  # shellcheck disable=SC2086  # one word a package
  if have apt-get && { is_root || have sudo; }; then
    say "${as_root:+$as_root }apt-get install --no-install-recommends $packages"
    quietly $as_root apt-get update || true
    quietly $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages || true
  fi
  have git || fail "kernel-builder is got with git" "the programs on the PATH" "no git" "git" "install git with this system's package manager, then run this again"
}

# A commit is the hash of all that it holds, so a pin is one as well.
get_checkout() {
  local found
  if [ -n "$commit" ] && ! [[ $commit =~ ^[0-9a-f]{40}$ ]]; then
    fail "a pin is a whole commit" "--commit" "$commit" "40 digits, as 'git rev-parse' prints them" "write the whole commit, or leave it out for the newest one"
  fi
  if [ -n "$commit" ] && [ "$(git -C "$source" rev-parse HEAD 2>/dev/null)" = "$commit" ]; then return 0; fi
  need_git
  mkdir -p "$source"
  { quietly git init --quiet "$source" && quietly git -C "$source" fetch --quiet "$address" "${commit:-HEAD}"; } ||
    fail "kernel-builder cannot be got" "$address" "the messages above" "a git repository that has ${commit:-a newest commit}" "name another one with --from, or repair the network, then run this again"
  found=$(git -C "$source" rev-parse FETCH_HEAD)
  [ "$found" = "${commit:-$found}" ] || fail "another commit came than was asked for" "$address" "$found" "$commit" "name another repository with --from"
  if [ "$(git -C "$source" rev-parse --verify --quiet HEAD)" != "$found" ]; then say "kernel-builder in $source: commit $found of $address"; fi
  quietly git -C "$source" checkout --quiet --force --detach "$found"
}

# What the script is read from is no terminal, so sudo and apt are given the user's own.
without_checkout() {
  if [ "$mode" = install ]; then
    get_checkout
  elif [ ! -e "$source/install.sh" ]; then
    if [ "$mode" = uninstall ]; then
      say "there is nothing in $source: nothing to remove"
      exit
    fi
    say "missing: kernel-builder itself, in $source"
    exit 1
  fi
  rm -rf "$scratch"
  if { : </dev/tty; } 2>/dev/null; then exec "$source/install.sh" "$@" </dev/tty; fi
  exec "$source/install.sh" "$@" </dev/null
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

# Where Nix cannot make a sandbox it may build without one and say nothing, so the build itself looks for a file of this machine.
verify_builds() {
  local sandbox ask="$here/install.sh --no-sandbox"
  owns_store || ask="$here/install.sh --system --no-sandbox, as root"
  sandbox=$(nix_settings | value_of sandbox || true)
  if is_linux && [ "$sandbox" = true ]; then
    if try_build "test ! -e /etc/os-release" --option sandbox-fallback false; then return 0; fi
    if try_build true --option sandbox false; then
      fail "the sandbox of Nix does not work here" "a trivial derivation" "the messages above: a container without the right to make user namespaces?" \
        "builds that see nothing of this machine" \
        "give the container that right (docs/troubleshooting/sandbox.md); or ask for builds without: $ask"
    fi
  elif try_build true; then
    if is_linux && [ -n "$sandbox_word" ]; then note "Nix builds without a sandbox, as asked for: builds see this machine's files, and 'upload' wants to be asked, too"; fi
    return 0
  fi
  fail "Nix cannot build here" "a trivial derivation" "the messages above" "its result" "see that /nix can be written and that the settings in $conf fit this machine"
}

verify() {
  is_2_8 "$(nix_version)" || fail "this Nix is too old" "$(command -v nix)" "$(nix --version)" "2.8 or newer" "$official_nix, then $again"
  python_is_new || fail "this Python is too old" "$(command -v python3)" "$(python3 --version)" "3.9 or newer" "put a newer python3 first on the PATH"
  ! login_pending || fail "the new group of user $(id -un) is not in force yet" "group nix-users" "a login from before" "a new login" \
    "log out and in again, then $again"
  nix_answers || fail "user $(id -un) cannot use Nix" "/nix" "$(nix-instantiate --eval --expr 1 2>&1 | tail -n 1)" \
    "a running Nix daemon that this user may talk to" "$(admin_commands)"
  [ "$mode" = install ] || return 0
  verify_builds
  quietly "$link" --help || fail "kernel-builder does not start" "$link" "the messages above" "its help" "remove $venv, then $again"
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
  if [ "$mode" = install ] && [ "$scope" = all ]; then say "ready; $next"; fi
}

uninstall() {
  local folder
  restore_nix_conf
  remove_build_users
  if [ -e "$made/packages" ]; then say "packages that were installed stay; if nothing else needs them: apt-get purge $(xargs <"$made/packages")"; fi
  if [ -e "$made" ] && ! grep -qs "=$busybox" "$conf"; then
    say "remove $made"
    rm -r "$made"
  fi
  if [ "$scope" = all ]; then
    if [ "$(readlink "$link")" = "$here/python/bin/kernel-builder" ]; then
      say "remove $link"
      rm "$link"
    fi
    # With the checkout that was got without one.
    for folder in "$data" "${XDG_CACHE_HOME:-$HOME/.cache}/kernel-builder"; do
      [ -e "$folder" ] || continue
      say "remove $folder"
      rm -rf "$folder"
    done
  fi
  if [ "$conf" != "$system_conf" ] && grep -qs '^# begin kernel-builder' "$system_conf"; then
    note "the settings in $system_conf are for everybody; as root: $here/install.sh --uninstall --system"
  fi
}

set_names() {
  # The official installer's Nix comes to the PATH at the next login only.
  own_path=$PATH
  PATH=$PATH:/nix/var/nix/profiles/default/bin:$HOME/.nix-profile/bin
  official_nix="install Nix with its official installer (https://nixos.org/download$([ "$(getenforce 2>/dev/null)" != Enforcing ] || echo ', with --no-daemon since SELinux enforces'))"
  again="run ./install.sh again"
  if [ "$here" = "$source" ]; then again="run $source/install.sh"; fi
  next="next: kernel-builder build examples/relu --backend cpu"
  if [ "$here" = "$source" ]; then next="next: kernel-builder init --name me/hello --backends cpu && kernel-builder build hello"; fi
  if [ "$(uname -s)" = Darwin ]; then
    next="next: kernel-builder list-variants $here/examples/relu
To build here, it takes Xcode and a setting of Nix, which this script leaves alone: $here/docs/metal.md. Never tried on a Mac,
nor is the other way: Nix from its own installer, then 'nix run $here' or, in a kernel, 'nix build'."
  fi
  system_conf=${NIX_CONF_DIR:-/etc/nix}/nix.conf
  venv=$data/venv
  if is_root; then
    conf=$system_conf
    prefix=${PREFIX:-/usr/local}
  else
    conf=${XDG_CONFIG_HOME:-$HOME/.config}/nix/nix.conf
    prefix=$HOME/.local
  fi
  backup=$conf.before-kernel-builder
  made=$prefix/libexec/kernel-builder
  busybox=$made/busybox
  link=$prefix/bin/kernel-builder
}

main() {
  local given=()
  mode=install scope=all sandbox_word='' commit='' address=https://github.com/OWNER/kernel-builder
  data=${XDG_DATA_HOME:-$HOME/.local/share}/kernel-builder
  source=$data/source
  while [ $# != 0 ]; do
    case $1 in
      --from | --commit)
        [ $# != 1 ] || fail "an argument lacks its value" "./install.sh" "$1" "a word after it" "./install.sh --help says what it does"
        if [ "$1" = --from ]; then address=$2; else commit=$2; fi
        shift 2
        continue
        ;;
      --check) mode=check ;;
      --uninstall) mode=uninstall ;;
      --system) scope=system ;;
      --no-sandbox) sandbox_word=" --no-sandbox" ;;
      --help | -h) usage && exit ;;
      *) fail "unknown argument" "./install.sh" "$1" "--check, --uninstall, --system, --no-sandbox, --from, --commit or --help" "./install.sh --help says what they do" ;;
    esac
    given+=("$1")
    shift
  done
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  [ -n "$here" ] || without_checkout ${given+"${given[@]}"}
  [ -z "$commit" ] || fail "this is a checkout already" "--commit" "$commit" "nothing" "git switch --detach $commit, then ./install.sh"
  set_names
  if [ "$scope" = system ] && ! is_root; then
    fail "--system needs root" "user $(id -un)" "not root" "root" "sudo $here/install.sh --system"
  fi
  if [ "$mode" = uninstall ]; then uninstall; else install_all; fi
}

# Where this file lies, if the rest of its checkout lies there too.
here=
if [ -n "${BASH_SOURCE[0]-}" ]; then here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd); fi
if [ -n "$here" ] && [ -e "$here/install/nix-conf.sh" ]; then
  # shellcheck source=install/systems.sh
  source "$here/install/systems.sh"
  # shellcheck source=install/packages.sh
  source "$here/install/packages.sh"
  # shellcheck source=install/nix-conf.sh
  source "$here/install/nix-conf.sh"
  # shellcheck source=install/command.sh
  source "$here/install/command.sh"
else
  here=
fi
# The tests take the functions without running them.
if [ "${BASH_SOURCE[0]-$0}" = "$0" ]; then main "$@"; fi
