# shellcheck shell=bash disable=SC2154  # here, made, prefix, mode and again come from install.sh, which reads this file
# A newer Nix in the place of this machine's (--newer-nix): out of Debian's packages, pinned by hash, built by the Nix that is there. It uses the
# same store, whose format is the same, so that --uninstall goes back.

# known_hole: the first advisory for this machine's Nix, as "NAME: MEANING", or nothing. The same table and the same rules as in
# python/src/kernel_builder/nix/advisories.py: the last word is Nix's version, and a pre-release counts as the release before it.
known_hole() {
  said=$(nix --version) awk -F'"' '
    function read_number(text, part) { split(text, part, "."); return part[1] * 1000000 + part[2] * 1000 + part[3] }
    BEGIN {
      split(ENVIRON["said"], line, "\n")
      implementation = line[1] ~ /\(Lix/ ? "Lix" : "Nix"
      count = split(line[1], word, " ")
      match(word[count], /^[0-9.]*/)
      version = read_number(substr(word[count], 1, RLENGTH))
      if (substr(word[count], RLENGTH + 1) ~ /^[^+]/) version -= version % 1000 ? 1 : version % 1000000 ? 1000 : 0
    }
    $4 == implementation {
      for (field = 12; field < NF - 3; field += 2) {
        split($field, range, " ")
        if (version >= read_number(range[1]) && version < read_number(range[2])) { print $8 ": " $(NF - 1); exit }
      }
    }' "$here/python/src/kernel_builder/nix/advisories.json"
}

wants_newer_nix() { [ -n "$newer_word" ] && have nix && [ -n "$(known_hole)" ]; }

daemon_settings() { echo "${SYSTEMD_UNITS:-/etc/systemd/system}/nix-daemon.service.d/kernel-builder.conf"; }

use_newer_nix() {
  local drv path program
  # Once it is there, a newer pin replaces it.
  if ! wants_newer_nix && { [ -z "$newer_word" ] || [ ! -L "$made/nix" ]; }; then return 0; fi
  is_linux || fail "there is a newer Nix for Linux alone" "--newer-nix" "$(uname -s)" "Linux" "$official_nix"
  drv=$(nix-instantiate --quiet "$here" -A "packages.$(uname -m)-linux.newerNix" 2>"$scratch/log") ||
    fail "the newer Nix cannot be evaluated" "$here" "$(tail -n 1 "$scratch/log")" "a checkout as it was got" "get it again, then $again"
  path=$(nix-store --query --outputs "$drv")
  [ "$(readlink -f "$made/nix")" != "$path" ] || return 0
  todo "build a newer Nix, and link its programs into $prefix/bin" || return 0
  # By this machine's apt, where the command line works already; else Nix gets the files from Debian's archive.
  quietly "$here/python/bin/kernel-builder" prefetch "$drv" || true
  mkdir -p "$made" "$prefix/bin"
  quietly nix-store --realise "$drv" --add-root "$scratch/nix" --indirect ||
    fail "the newer Nix cannot be built" "$drv" "the messages above" "its programs" "repair apt or the network, then $again; this machine's Nix is as it was"
  for program in "$path"/bin/*; do
    program=$prefix/bin/${program##*/}
    [ ! -e "$program" ] || [ -L "$program" ] ||
      fail "another program has the place of the newer Nix" "$program" "a file that is not ours" "a link" "move that file away, then $again"
  done
  quietly nix-store --realise "$drv" --add-root "$made/nix" --indirect
  for program in "$path"/bin/*; do ln -sfn "$made/nix/bin/${program##*/}" "$prefix/bin/${program##*/}"; done
  hash -r
  [ "$(command -v nix)" = "$prefix/bin/nix" ] || note "another Nix is before it on the PATH, $(command -v nix): put $prefix/bin first"
  # Its sandbox has other settings that it lacks here.
  write_nix_conf
  use_in_daemon
}

# A daemon builds for its users, whatever Nix these have.
use_in_daemon() {
  local file
  file=$(daemon_settings)
  systemctl cat nix-daemon.service >/dev/null 2>&1 || return 0
  say "write $file: the daemon is the newer Nix, too"
  mkdir -p "$(dirname "$file")"
  printf '%s\n' "# written by install.sh --newer-nix, removed by install.sh --uninstall" "[Service]" "ExecStart=" \
    "ExecStart=@$prefix/bin/nix-daemon nix-daemon --daemon" >"$file"
  quietly systemctl daemon-reload || true
  restart_daemon
}

remove_newer_nix() {
  local link file
  is_root || return 0
  for link in "$prefix"/bin/nix*; do
    case $(readlink "$link") in "$made/nix/"*) rm "$link" ;; esac
  done
  if [ -L "$made/nix" ]; then
    say "remove the newer Nix from $prefix/bin"
    rm "$made/nix"
  fi
  file=$(daemon_settings)
  if [ -e "$file" ]; then
    say "remove $file"
    rm "$file"
    rmdir "$(dirname "$file")" 2>/dev/null || true
    quietly systemctl daemon-reload || true
    restart_daemon
  fi
  hash -r
}
