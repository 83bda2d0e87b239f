# shellcheck shell=bash disable=SC2154  # conf, main_conf, system_conf, busybox, mode and scratch come from install.sh, which reads this file
# The Nix settings of install.sh: one block between two marker lines at the end of nix.conf, computed anew on every run.
# Nix lets a later line win over an earlier one, so the block leaves out whatever somebody else has set.

block_begin='# begin kernel-builder (written by install.sh, taken out by install.sh --uninstall)'
block_end='# end kernel-builder'

# value_of NAME: the last value in configuration text on standard input; false if it is not set there.
value_of() {
  awk -v name="$1" '{ sub(/#.*/, "") }
    $1 == name && $2 == "=" { found = 1; $1 = $2 = ""; gsub(/^ +| +$/, ""); value = $0 }
    END { if (found) print value; exit !found }'
}

has_word() { case " $2 " in *" $1 "*) ;; *) false ;; esac; }

# The newest versions call it `nix config show`.
nix_settings() {
  nix --extra-experimental-features nix-command show-config 2>/dev/null ||
    nix --extra-experimental-features nix-command config show
}

check_block() {
  if grep -q '^# begin kernel-builder' "$conf" 2>/dev/null && ! grep -qxF "$block_end" "$conf"; then
    fail "the settings of kernel-builder have lost their last line" "$conf" "a line '# begin kernel-builder' that nothing closes" \
      "a line '$block_end' after the last of our settings" "put that line back, then run this again"
  fi
}

text_without_block() {
  [ ! -e "$conf" ] || sed '/^# begin kernel-builder/,/^# end kernel-builder$/d' "$conf"
}

# The text of nix.conf where our settings are in a file that it includes at its end.
main_text() { [ "$main_conf" = "$system_conf" ] || sed -E '/^!?include nix\.custom\.conf/d' "$main_conf"; }

# The settings that somebody else wrote. Included files count, and for a user so does the system's file.
others_text() {
  local file
  main_text
  if [ "$conf" != "$system_conf" ] && [ -r "$system_conf" ]; then cat "$system_conf"; fi
  text_without_block | awk '$1 == "include" || $1 == "!include" { print $2 }' | while read -r file; do
    case $file in /*) ;; *) file=$(dirname "$conf")/$file ;; esac
    if [ -r "$file" ]; then cat "$file"; fi
  done
  text_without_block
}

# Print the settings that Nix has without our block. Nix reads a copy of the file with absolute includes.
settings_without_block() {
  {
    [ "$conf" != "$system_conf" ] || main_text
    text_without_block
  } | sed -E "s|^([[:space:]]*!?include[[:space:]]+)([^/[:space:]])|\1$(dirname "$conf")/\2|" >"$scratch/nix.conf"
  if [ "$conf" = "$system_conf" ]; then
    NIX_CONFIG='' NIX_USER_CONF_FILES='' NIX_CONF_DIR=$scratch nix_settings
  else
    NIX_CONFIG='' NIX_USER_CONF_FILES=$scratch/nix.conf nix_settings
  fi
}

# ---- one function a setting: prints its line, or nothing where no line is needed ----
# They read `others` (text of other people's settings) and `base` (all values of Nix without our block).

others_set() { value_of "$1" <<<"$others" >/dev/null || value_of "extra-$1" <<<"$others" >/dev/null; }

features_line() {
  local features feature
  features="$(value_of experimental-features <<<"$others" || true) $(value_of extra-experimental-features <<<"$others" || true)"
  for feature in nix-command flakes; do
    if ! has_word "$feature" "$features"; then
      echo "extra-experimental-features = nix-command flakes"
      return
    fi
  done
}

jobs_line() { others_set max-jobs || echo "max-jobs = auto"; }

# reaches CACHE SECONDS: only web addresses are tried.
reaches() {
  case $1 in http://* | https://*) have curl || return 0 ;; *) return 0 ;; esac
  local address=${1%%\?*}
  curl --silent --fail --output /dev/null --max-time "$2" "${address%/}/nix-cache-info"
}

# A cache out of reach costs every call of Nix 5 seconds.
substituters_line() {
  local cache caches patience=3
  if others_set substituters; then return; fi
  caches=$(value_of substituters <<<"$base" || true)
  # It was out of reach before: a short look is enough to see that it is back.
  if grep -qx 'substituters =' "$conf" 2>/dev/null; then patience=1; fi
  for cache in $caches; do
    if reaches "$cache" "$patience"; then
      [ "$patience" = 3 ] || note "the binary cache $cache can be reached again: our line 'substituters =' goes"
      return
    fi
  done
  [ -z "$caches" ] || echo "substituters ="
}

# Debian's own nix.conf turns the sandbox off, under a remark: that line is nobody's wish, unlike the same line without it.
sandbox_line() {
  local value
  value=$(awk '/does not seem to work on Debian/ { near = NR + 2 } NR > near || !/^sandbox = false$/' <<<"$others" | value_of sandbox || true)
  if [ -n "$sandbox_word" ]; then
    echo "sandbox = false"
  elif [ -z "$value" ]; then
    echo "sandbox = true"
  elif [ "$value" != true ] && [ "$value" != relaxed ]; then
    note "your Nix settings have 'sandbox = $value', which stays: a build sees this machine's files, and its result may depend on them"
    note "to change it, write 'sandbox = true' instead (settings are read from $conf)"
  fi
}

# Without this line Nix silently builds without a sandbox if it cannot make one.
fallback_line() { [ -n "$sandbox_word" ] || others_set sandbox-fallback || echo "sandbox-fallback = false"; }

# A Nix that was built for another system may name a shell that is not here; what comes as extra- does not replace it.
sandbox_shell_line() {
  local paths shell
  paths=$(value_of sandbox-paths <<<"$base" || true)
  shell=$(tr ' ' '\n' <<<"$paths" | sed -nE 's|^(/bin/sh)$|\1|p; s|^/bin/sh=||p' | tail -n 1)
  if [ -z "$shell" ]; then
    echo "extra-sandbox-paths = /bin/sh=$busybox"
  elif [ ! -e "$shell" ] && ! others_set sandbox-paths; then
    echo "sandbox-paths = $(tr ' ' '\n' <<<"$paths" | sed "s|^/bin/sh=.*|/bin/sh=$busybox|" | xargs)"
  fi
}

# If no build users can be made, root builds as itself, inside the sandbox.
build_users_line() {
  local group
  group=$(value_of build-users-group <<<"$base" || true)
  if is_root && ! others_set build-users-group && [ -n "$group" ] && ! getent group "$group" >/dev/null && ! can_make_users; then
    echo "build-users-group ="
  fi
}

settings_lines() {
  features_line
  jobs_line
  substituters_line
  # A user of the daemon may not set the rest.
  if owns_store && is_linux; then
    sandbox_line
    fallback_line
    sandbox_shell_line
    build_users_line
  fi
}

# ---- the file ----

# A copy: the checkout may be moved, or be where only its owner can read.
install_sandbox_shell() {
  local seed
  seed=$here/pkgs/bootstrap/seed/$(uname -m)-linux/bin/busybox
  [ ! -x "$busybox" ] || return 0
  todo "put a static busybox at $busybox, the /bin/sh of the sandbox" || return 0
  [ -e "$seed" ] || fail "the sandbox has no shell for this processor" "$(uname -m)" "no $seed" "a statically linked busybox" "put one at $busybox, then $again"
  install -D -m 755 "$seed" "$busybox"
}

show_changes() {
  local before=$conf
  [ -e "$before" ] || before=/dev/null
  diff -U 0 "$before" "$1" | sed '1,2d; /^@@/d; s/^/    /' || true
}

# Replaces the file in one step by the text on standard input, so that nobody reads half of it. A link to it stays one.
replace_conf() {
  local file fresh
  file=$(readlink -f "$conf")
  fresh=$file.kernel-builder-$$
  cat >"$scratch/text"
  # With the owner and the rights that it has.
  if { [ ! -e "$file" ] || cp -p "$file" "$fresh"; } 2>/dev/null && cat "$scratch/text" 2>/dev/null >"$fresh" && mv -f "$fresh" "$file" 2>/dev/null; then
    return
  fi
  # A folder that only its owner may write to, or a file that a container has mounted.
  rm -f "$fresh"
  cat "$scratch/text" >"$file"
}

restart_daemon() {
  if is_root && systemctl is-active --quiet nix-daemon 2>/dev/null; then
    say "systemctl restart nix-daemon"
    systemctl restart nix-daemon
  fi
}

write_nix_conf() {
  local others base lines new=$scratch/new.conf
  if ! have nix; then
    todo "write the Nix settings into $conf" || true
    return 0
  fi
  check_block
  others=$(others_text)
  base=$(settings_without_block)
  lines=$(settings_lines)
  if grep -q "=$busybox" <<<"$lines $base"; then install_sandbox_shell; fi
  {
    text_without_block | awk 1 # ends the last line where an editor did not
    [ -z "$lines" ] || printf '%s\n' "$block_begin" "$lines" "$block_end"
  } >"$new"
  if [ "$(cat "$conf" 2>/dev/null)" = "$(cat "$new")" ]; then return 0; fi
  if is_root && [ "$(system_name)" = nixos ]; then
    note "NixOS writes $conf itself; put this into configuration.nix, then nixos-rebuild switch:"
    as_nixos <<<"$lines" >&2
    return 0
  fi
  if [ -e "$conf" ] && [ ! -w "$conf" ]; then
    note "$conf cannot be written; it needs these settings, by the means of whatever made it:"
    printf '%s\n' "$lines" >&2
    return 0
  fi
  todo "settings in $conf:" || true
  show_changes "$new"
  [ "$mode" = install ] || return 0
  mkdir -p "$(dirname "$conf")"
  if [ -e "$conf" ] && [ ! -e "$backup" ] && ! grep -q '^# begin kernel-builder' "$conf"; then
    cp -p "$conf" "$backup"
    say "    (as it was: $backup)"
  fi
  replace_conf <"$new"
  restart_daemon
}

restore_nix_conf() {
  local rest
  grep -q '^# begin kernel-builder' "$conf" 2>/dev/null || return 0
  check_block
  rest=$(text_without_block)
  if [ -e "$backup" ] && [ "$rest" = "$(cat "$backup")" ]; then
    say "put $conf back as it was"
    replace_conf <"$backup"
    rm "$backup"
  elif [ -z "$rest" ] && [ ! -e "$backup" ]; then
    say "remove $conf"
    rm "$conf"
  else
    say "take our settings out of $conf; what was changed there since stays"
    printf '%s\n' "$rest" | replace_conf
  fi
  restart_daemon
}
