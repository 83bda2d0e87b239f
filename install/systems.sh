# shellcheck shell=bash disable=SC2154  # here and official_nix come from install.sh, which reads this file
# Detect the system, and print the commands that install missing programs. Other files use Debian's package names.

# os_release FIELD: what the system says of itself. The file is read and not run.
os_release() { sed -n "s/^$1=//p" "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d "\"'" | tail -n 1; }

# Systems that are made of one of these say so.
system_name() {
  local name
  if [ "$(uname -s)" = Darwin ]; then
    echo macos
    return
  fi
  for name in $(os_release ID) $(os_release ID_LIKE); do
    case $name in
      # Derivatives count only if they have apt.
      debian | ubuntu) have apt-get || continue ;;
      fedora | arch | nixos) ;;
      *) continue ;;
    esac
    echo "$name"
    return
  done
  echo other
}

# Fedora has a package of Nix from 44 on.
has_nix_package() {
  case $(system_name) in
    debian | ubuntu | arch | nixos) ;;
    fedora) [ "$(os_release ID)" = fedora ] && [ "$(os_release VERSION_ID)" -ge 44 ] 2>/dev/null ;;
    *) false ;;
  esac
}

# names_here PACKAGE…: what they are called on this system, in one line.
names_here() {
  local package system
  system=$(system_name)
  for package in "$@"; do
    case $system:$package in
      debian:* | ubuntu:*) echo "$package" ;;
      nixos:nix-bin | *:nix-setup-systemd) ;;
      fedora:nix-bin) printf 'nix\nnix-daemon\n' ;;
      *:nix-bin) echo nix ;;
      arch:python3*) echo python ;;
      *:python3*) echo python3 ;;
      *) echo "$package" ;;
    esac
  done | awk '!seen[$0]++' | xargs
}

# commands_for PACKAGE…: what an administrator types, a command a line.
commands_for() {
  local nix='' names
  has_word nix-bin "$*" && nix=yes
  if [ -n "$nix" ] && ! has_nix_package; then
    echo "$official_nix"
    # shellcheck disable=SC2046  # one word a package
    set -- $(printf '%s\n' "$@" | grep -v '^nix-')
    [ $# != 0 ] || return 0
    nix=
  fi
  names=$(names_here "$@")
  case $(system_name) in
    debian | ubuntu) echo "apt-get install --no-install-recommends $names" ;;
    fedora) echo "dnf install $names" ;;
    arch) echo "pacman -S --needed $names" ;;
    # It has Nix, so what is missing here comes by its settings.
    nixos) echo "environment.systemPackages = [ pkgs.${names// / pkgs.} ]; in configuration.nix, then nixos-rebuild switch" ;;
    macos) echo "xcode-select --install" ;;
    *) echo "install $names with this system's package manager" ;;
  esac
  # Debian's packages start the daemon themselves.
  case $nix$(system_name) in yesfedora | yesarch) echo "systemctl enable --now nix-daemon" ;; esac
}

# On these systems members of the group nix-users may talk to the daemon.
join_command() { case $(system_name) in debian | ubuntu | arch) echo "usermod -aG nix-users $1" ;; esac; }

# A text of several lines below the word `fix` of a message.
as_fix() { sed '2,$s/^/              /'; }

# as_nixos: settings as nix.conf has them on standard input, as NixOS has them.
as_nixos() {
  sed -E 's/^([a-z-]+) =$/nix.settings.\1 = lib.mkForce [ ];/; s/^([a-z-]+) = (true|false)$/nix.settings.\1 = \2;/; s/^([a-z-]+) = (.+)$/nix.settings.\1 = "\2";/'
}
