#!/usr/bin/env -S bash -p
# Makes a machine ready for kernel-builder: Nix, the Nix settings that the project needs, and the command `kernel-builder`.
# Every step looks first and changes only what is missing, so a second run changes nothing.
# It also works alone, as `curl … | bash` has it: it then gets a checkout first, and goes on with the one that is there. Only what both
# need is in this file, and nothing is done before its last line, so that half of it does nothing.
set -euo pipefail

usage() {
  cat <<'END'
Usage: ./install.sh [--check | --uninstall] [--system] [--no-sandbox] [--newer-nix] [--trust]
       curl -fsSL …/install.sh | bash -s -- [--from ADDRESS] [--commit COMMIT] [the same]

Installs Nix where apt has it, writes the Nix settings that kernel-builder needs
and puts `kernel-builder` on the PATH. It can be run again at any time.

  --check       change nothing, say what is missing; exit code 1 if something is
  --uninstall   take back the settings and remove what was made; packages, Nix among them, stay
  --system      only what needs root: packages, users and the settings for every user of this machine
  --no-sandbox  let Nix build without a sandbox, in a container that can make none
  --newer-nix   build a newer Nix with this machine's, and put it first on the PATH: where this machine's has a known
                hole, as that of Debian 12 has
  --trust       also what sign, verify and the comparison of an upload with its published version need
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
# Python gets -I wherever it is started: without it, it imports from the current folder before its own library.
python_is_new() { python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
can_make_venv() { python3 -I -c 'import ensurepip' 2>/dev/null || have virtualenv; }
nix_version() { nix --version | grep -oE '[0-9]+(\.[0-9]+)+' | tail -n 1; }
is_2_8() { awk -v version="$1" 'BEGIN { split(version, v, "."); exit !(v[1] > 2 || (v[1] == 2 && v[2] + 0 >= 8)) }'; }
owns_store() { is_root || [ -w "${NIX_STATE_DIR:-/nix/var/nix}/db" ]; }
nix_answers() { nix-instantiate --eval --expr 1 >/dev/null 2>&1; }
shell_in_sandbox() { ! is_linux || nix_settings | value_of sandbox-paths | grep -q '/bin/sh'; }

# absolute_entries PATH: its absolute folders. An empty or a relative one would find programs in the current folder.
absolute_entries() {
  local kept='' rest=$1:
  while [ -n "$rest" ]; do
    case $rest in /*) kept+=:${rest%%:*} ;; esac
    rest=${rest#*:}
  done
  printf '%s' "${kept#:}"
}

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

# A checkout that is there already may have settings that name programs.
git_in_source() { git -C "$source" -c core.fsmonitor=false -c core.hooksPath=/dev/null "$@"; }

# A commit is the hash of all that it holds, so a pin is one as well.
get_checkout() {
  local found
  if [ -n "$commit" ] && ! [[ $commit =~ ^[0-9a-f]{40}$ ]]; then
    fail "a pin is a whole commit" "--commit" "$commit" "40 digits, as 'git rev-parse' prints them" "write the whole commit, or leave it out for the newest one"
  fi
  if [ -n "$commit" ] && [ "$(git_in_source rev-parse HEAD 2>/dev/null)" = "$commit" ]; then return 0; fi
  need_git
  mkdir -p "$source"
  { quietly git init --quiet -- "$source" && quietly git_in_source fetch --quiet -- "$address" "${commit:-HEAD}"; } ||
    fail "kernel-builder cannot be got" "$address" "the messages above" "a git repository that has ${commit:-a newest commit}" "name another one with --from, or repair the network, then run this again"
  found=$(git_in_source rev-parse FETCH_HEAD)
  [ "$found" = "${commit:-$found}" ] || fail "another commit came than was asked for" "$address" "$found" "$commit" "name another repository with --from"
  if [ "$(git_in_source rev-parse --verify --quiet HEAD)" != "$found" ]; then say "kernel-builder in $source: commit $found of $address"; fi
  [ -n "$commit" ] || note "this is the newest commit, whoever made it; to install one that you have read: --commit COMMIT"
  quietly git_in_source checkout --quiet --force --detach "$found"
}

# Standard input is the script and not a terminal, so sudo and apt get the user's terminal.
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

# ---- the three commands ----

install_all() {
  local changes=0
  if is_root; then system_part; else system_part_by_root; fi
  if [ "$scope" = all ]; then
    is_root || write_nix_conf
    make_venv
    link_command
  fi
  ! is_root || use_newer_nix
  if [ "$mode" = check ] && [ "$changes" != 0 ]; then exit 1; fi
  [ "$scope" = system ] || verify
  if [ "$scope" = all ] && is_root && [ "${SUDO_USER:-root}" != root ]; then note "this was for root; for $SUDO_USER, run it without sudo"; fi
  [ "$changes" != 0 ] || say "nothing to change"
  if [ "$mode" = install ] && [ "$scope" = all ]; then say "ready; $next"; fi
}

uninstall() {
  local folder
  remove_newer_nix
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
    remove_state
  fi
  if [ "$conf" != "$system_conf" ] && grep -qs '^# begin kernel-builder' "$system_conf"; then
    note "the settings in $system_conf are for everybody; as root: $here/install.sh --uninstall --system"
  fi
}

# Garbage collector roots of `--keep` can hold gigabytes.
remove_state() {
  local state=${XDG_STATE_HOME:-$HOME/.local/state}/kernel-builder
  if [ -e "$state/kept" ]; then
    say "remove $state/kept: nix-collect-garbage may now delete what was kept"
    rm -rf "$state/kept"
  fi
  [ ! -d "$state" ] || rmdir "$state" 2>/dev/null ||
    say "$state stays: it says which builds in /nix/store had no sandbox; if that store goes, too: rm -r $state"
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
To build here, it takes Xcode and a setting of Nix, which this script leaves alone: $here/docs/guide/metal.md. Never tried on a Mac,
nor is the other way: Nix from its own installer, then 'nix run $here' or, in a kernel, 'nix build'."
  fi
  main_conf=${NIX_CONF_DIR:-/etc/nix}/nix.conf
  system_conf=$main_conf
  # Determinate's Nix writes nix.conf anew at each start of its daemon, and includes a file that is for others.
  if grep -qsE '^!?include nix\.custom\.conf' "$main_conf"; then system_conf=${main_conf%nix.conf}nix.custom.conf; fi
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
  mode=install scope=all extras='' sandbox_word='' newer_word='' commit='' address=https://github.com/OWNER/kernel-builder
  # A relative one counts as none, as the XDG specification has it.
  case ${XDG_DATA_HOME-} in /*) data=$XDG_DATA_HOME/kernel-builder ;; *) data=$HOME/.local/share/kernel-builder ;; esac
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
      --newer-nix) newer_word=" --newer-nix" ;;
      --trust) extras+=" ${1#--}" ;;
      --help | -h) usage && exit ;;
      *) fail "unknown argument" "./install.sh" "$1" "--check, --uninstall, --system, --no-sandbox, --newer-nix, --trust, --from, --commit or --help" "./install.sh --help says what they do" ;;
    esac
    given+=("$1")
    shift
  done
  # The current folder may be a kernel that nobody has read, and this may be root.
  case $address in /* | *:*) ;; *) address=$PWD/$address ;; esac
  cd /
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

# The option -p above keeps bash from reading $BASH_ENV, which could name a file of the current folder; these would reach other programs.
unset BASH_ENV ENV CDPATH PYTHONPATH PYTHONHOME PYTHONSTARTUP
PATH=$(absolute_entries "$PATH")
# Services, cron and `docker run --user` may have no HOME; bash then takes ~ from the list of users.
export HOME="${HOME:-$(unset HOME && echo ~)}"
# The folder of this script, if the rest of its checkout is there too.
here=
if [ -n "${BASH_SOURCE[0]-}" ]; then here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd); fi
if [ -n "$here" ] && [ -e "$here/install/nix-conf.sh" ]; then
  # shellcheck source=install/systems.sh
  source "$here/install/systems.sh"
  # shellcheck source=install/packages.sh
  source "$here/install/packages.sh"
  # shellcheck source=install/nix-conf.sh
  source "$here/install/nix-conf.sh"
  # shellcheck source=install/newer-nix.sh
  source "$here/install/newer-nix.sh"
  # shellcheck source=install/verify.sh
  source "$here/install/verify.sh"
  # shellcheck source=install/command.sh
  source "$here/install/command.sh"
else
  here=
fi
# The tests take the functions without running them.
if [ "${BASH_SOURCE[0]-$0}" = "$0" ]; then main "$@"; fi
