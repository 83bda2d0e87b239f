# shellcheck shell=bash disable=SC2154  # mode, made and scratch come from install.sh, which reads this file
# Packages, and the users and groups that Nix wants: what needs root.

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
    "repair apt's sources or the network, then $again"
}

# An existing nix.conf stays when a package brings one too.
apt_install() {
  quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=60 "$@"
}

# remember WHAT VALUE: what --uninstall has to know.
remember() {
  mkdir -p "$made"
  printf '%s\n' "$2" >>"$made/$1"
}

install_packages() {
  local packages package found
  packages=$(missing_packages | xargs)
  [ -n "$packages" ] || return 0
  # shellcheck disable=SC2086  # one word a package
  have apt-get || fail "something is missing, and there is no apt-get to install it with" "the programs on the PATH" \
    "nothing that gives: $(names_here $packages)" "Nix 2.8 or newer, Python 3.11 or newer that can make virtual environments, git" \
    "$({ echo "this, as root, then $again" && commands_for $packages | sed 's/^/    /'; } | as_fix)"
  todo "apt-get install --no-install-recommends $packages" || return 0
  for package in $packages; do
    if [ -z "$(apt_candidate "$package")" ]; then
      apt_update
      break
    fi
  done
  found=$(apt_candidate nix-bin)
  if has_word nix-bin "$packages" && ! is_2_8 "$found"; then
    fail "this system has no Nix that is new enough" "package nix-bin" "${found:-no such package}" "2.8 or newer" "$(fix_for_old_nix "$found"), then $again"
  fi
  # One word a package. The lists may name files that the mirror has replaced since: new lists, second try.
  # shellcheck disable=SC2086
  apt_install $packages 2>/dev/null || { apt_update; apt_install $packages; } || fail "apt-get install failed" "packages $packages" "the messages above" "all of them installed" "repair apt, then $again"
  remember packages "$packages"
}

fix_for_old_nix() {
  if [ -z "$1" ] && [ "$(system_name)" = ubuntu ]; then
    echo "add-apt-repository universe, which has Nix"
  else
    echo "$official_nix"
  fi
}

# ---- users and groups ----

# With Debian's Nix a user needs the group nix-users to reach the daemon.
join_nix_users() {
  [ "${SUDO_USER:-root}" != root ] && getent group nix-users >/dev/null || return 0
  if has_word nix-users "$(id -nG "$SUDO_USER")"; then return 0; fi
  todo "usermod -aG nix-users $SUDO_USER" || return 0
  usermod -aG nix-users "$SUDO_USER"
}

# A container may know of one user alone.
can_make_users() {
  have groupadd && have useradd && awk '{ users += $3 } END { exit users < 1000 }' /proc/self/uid_map 2>/dev/null
}

wants_build_users() { [ "$(settings_without_block | value_of build-users-group)" = nixbld ] && ! getent group nixbld >/dev/null; }

# Steps of builds run as these, each as one that nothing else runs as. Debian's package makes them by systemd alone.
make_build_users() {
  local count
  if ! is_root || ! is_linux || ! have nix || ! wants_build_users || ! can_make_users; then return 0; fi
  count=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  # As many as Nix's own installer makes, and one for each build that can run at once.
  [ "$count" -gt 32 ] || count=32
  todo "make the group nixbld and the users nixbld1 to nixbld$count, as which steps of builds run" || return 0
  remember build-users "$count"
  quietly add_build_users "$count" ||
    fail "the users for builds cannot be made" "groupadd and useradd" "the messages above" "a group nixbld with users" "repair that, then $again"
}

add_build_users() {
  local number
  groupadd --system nixbld || return
  for number in $(seq "$1"); do
    useradd --system --gid nixbld --groups nixbld --no-create-home --home-dir /var/empty \
      --shell "$(command -v nologin || echo /bin/false)" --comment "Nix build user $number" "nixbld$number" || return
  done
}

# /nix/store belongs to the group, which may write there: another group that gets its number one day must not.
remove_build_users() {
  local number store=/nix/store
  [ -e "$made/build-users" ] || return 0
  if [ "$(stat -c %G "$store" 2>/dev/null)" = nixbld ]; then
    say "chgrp root $store"
    chgrp root "$store"
  fi
  say "remove the group nixbld and its users"
  for number in $(seq "$(tail -n 1 "$made/build-users")"); do quietly userdel "nixbld$number" || true; done
  # With its last user it may be gone already.
  ! getent group nixbld >/dev/null || quietly groupdel nixbld || true
}

# ---- root's part ----

system_part() {
  install_packages
  join_nix_users
  make_build_users
  write_nix_conf
}

# A new group counts from the next login on.
login_pending() { has_word nix-users "$(id -nG "$(id -un)")" && ! has_word nix-users "$(id -nG)"; }

# A user who is not root: what needs root goes through sudo, or to an administrator.
system_part_by_root() {
  local missing
  missing=$(missing_packages | xargs)
  if [ -z "$missing" ] && ! wants_newer_nix && { login_pending || { nix_answers && { owns_store || shell_in_sandbox; }; }; }; then return 0; fi
  [ -z "$missing" ] || have apt-get || install_packages
  if [ "$mode" = check ] || sudo -n true 2>/dev/null || { [ -t 0 ] && have sudo; }; then
    todo "sudo $here/install.sh --system$sandbox_word$newer_word" || return 0
    # shellcheck disable=SC2086  # a word, or none
    sudo "$here/install.sh" --system $sandbox_word $newer_word
  elif [ -n "$missing" ] || wants_newer_nix || ! nix_answers; then
    fail "an administrator has to prepare this machine once" "user $(id -un): not root, and no sudo without a password" \
      "missing: ${missing:-$(wants_newer_nix && echo a newer Nix || echo a Nix that this user may use)}" "Nix for the users of this machine" "$(admin_commands)"
  else
    note "the sandbox of this machine's Nix has no /bin/sh; an administrator can give it one: $here/install.sh --system"
  fi
}

admin_commands() {
  {
    echo "ask an administrator to run these, log in again, then $again"
    {
      commands_for nix-bin nix-setup-systemd python3-venv git ca-certificates
      join_command "$(id -un)"
      echo "$here/install.sh --system$newer_word"
    } | sed 's/^/    /'
  } | as_fix
}
