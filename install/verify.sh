# shellcheck shell=bash disable=SC2154  # here, conf, link, mode and again come from install.sh, which reads this file
# The last step of install.sh: a trivial build, and the command, as the user would start it.

# try_build TEST [OPTION…]: runs TEST in a build whose shell is the sandbox's. Settings and system are part of it, so changed ones are tried anew.
try_build() {
  local test=$1 settings
  shift
  settings=$(nix_settings | cksum)
  quietly nix-build --no-out-link "$@" --expr "derivation {
    name = \"kernel-builder-trial\"; system = builtins.currentSystem; builder = \"/bin/sh\";
    args = [ \"-c\" \"$test && echo built > \$out\" ]; settings = \"$settings $(uname -r)\"; }"
}

# If Nix cannot make a sandbox it may silently build without one, so the test build looks for a file of this machine.
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

say_of_hole() {
  local hole advice="$here/install.sh --newer-nix builds a repaired one, and --uninstall goes back"
  hole=$(known_hole)
  # A second run that changes nothing does not repeat it.
  [ -n "$hole" ] && { [ "$mode" = check ] || [ "$changes" != 0 ]; } || return 0
  is_root || ! is_linux || advice="sudo $here/install.sh --system --newer-nix builds a repaired one"
  is_linux || advice=$official_nix
  note "$(nix --version) has $hole.
      That concerns who builds kernels that they have not read. $advice ($here/docs/guide/nix.md)"
}

# With it, a derivation chooses itself whether it has a sandbox.
refuse_relaxed() {
  [ "$(nix_settings | value_of sandbox || true)" != relaxed ] ||
    fail "a kernel can step out of the sandbox of this Nix" "the Nix settings, which are read from $conf" "sandbox = relaxed" "sandbox = true" \
      "write 'sandbox = true' in its place, then $again; or ask for builds without a sandbox: $here/install.sh --no-sandbox"
}

verify() {
  is_2_8 "$(nix_version)" || fail "this Nix is too old" "$(command -v nix)" "$(nix --version)" "2.8 or newer" "$official_nix, then $again"
  python_is_new || fail "this Python is too old" "$(command -v python3)" "$(python3 --version)" "3.11 or newer" "put a newer python3 first on the PATH"
  ! login_pending || fail "the new group of user $(id -un) is not in force yet" "group nix-users" "a login from before" "a new login" \
    "log out and in again, then $again"
  say_of_hole
  nix_answers || fail "user $(id -un) cannot use Nix" "/nix" "$(nix-instantiate --eval --expr 1 2>&1 | tail -n 1)" \
    "a running Nix daemon that this user may talk to" "$(admin_commands)"
  refuse_relaxed
  [ "$mode" = install ] || return 0
  verify_builds
  quietly "$link" --help || fail "kernel-builder does not start" "$link" "the messages above" "its help" "remove $venv, then $again"
  (PATH=$own_path have nix) || note "nix is not on your PATH yet: log in again"
  if [ "$(PATH=$own_path command -v kernel-builder)" != "$link" ]; then
    note "kernel-builder is not on your PATH, or another one is before it. Type: export PATH=\"$(dirname "$link"):\$PATH\""
  fi
}
