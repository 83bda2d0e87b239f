#!/usr/bin/env bash
# install.sh on real bare machines: Debian 12 made by debootstrap in a folder, entered as the root of the file system.
# The mirror, certificates and pip settings are those of this machine, taken when the test runs. Nothing of this machine is changed.
# shellcheck source=tests/install/harness.sh disable=SC2154,SC2016
source "$(dirname -- "$0")/harness.sh"

skip() {
  echo "bare-machine: skipped: $1"
  exit 0
}

[ "$(id -u)" = 0 ] || skip "it needs root"
type -P debootstrap >/dev/null || skip "there is no debootstrap (apt-get install debootstrap)"
unshare --mount --pid --fork true 2>/dev/null || skip "this machine lets nobody make mount namespaces"
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(CREATED_BY)' 2>/dev/null | awk '$2 == "bookworm" && $3 == "Packages" { print $1; exit }')
[ -n "$mirror" ] || skip "this machine's apt sources have no bookworm"
trap 'rm -rf --one-file-system "$work"' EXIT

# ---- the machines ----

# Folders that pip takes packages from; an index may point to its neighbours, hence the parent.
pip_folders() {
  local path
  { pip config list; env | grep '^PIP_'; } 2>/dev/null | grep -oE "/[^ ,'\"=]+" | sed 's|^/*|/|' | while read -r path; do
    [ ! -d "$path" ] || dirname "$path"
  done | grep -vx / | sort -u
}

make_base() {
  base=$work/base
  nice debootstrap --variant=minbase bookworm "$base" "$mirror" >"$work/debootstrap.log" 2>&1 || {
    tail -n 5 "$work/debootstrap.log"
    skip "debootstrap could not make a Debian 12"
  }
  # As in Debian's container images: no lists.
  rm -rf "$base"/var/lib/apt/lists/*
  cp /etc/resolv.conf "$base/etc/"
  apt-config dump | grep '^Acquire::' >"$base/etc/apt/apt.conf.d/99machine"
  cp "${PIP_CERT:-${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}}" "$base/etc/machine-ca.crt"
  for folder in root etc/skel; do
    mkdir -p "$base/$folder/.config/pip"
    [ ! -e "$HOME/.config/pip/pip.conf" ] || cp "$HOME/.config/pip/pip.conf" "$base/$folder/.config/pip/"
  done
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$base/etc/"
  mkdir -p "$base/src/python"
  cp -r "$repository/install.sh" "$repository/install" "$base/src"
  cp -r "$repository/python/bin" "$repository/python/src" "$base/src/python"
}

# inside MACHINE SCRIPT: sets `said` and `code`. A user of the machine is played by: as alice COMMAND.
inside() {
  local machine=$1 script=$2
  said=$(BIND=$(pip_folders) "$repository/tests/install/enter-root.sh" "$work/$machine" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true PIP_CERT=/etc/machine-ca.crt \
    bash -c 'export HOME; HOME=~root; as() { su "$1" -s /bin/bash -c "PATH=/usr/local/bin:/usr/bin:/bin; $2"; }'"
$script" </dev/null 2>&1)
  code=$?
}

make_base
cp -a "$base" "$work/plain"
mv "$base" "$work/office"

# ---- root in a bare container ----

inside plain '/src/install.sh --check'
exits bare.check 1
says bare.check-names-packages "missing: apt-get install --no-install-recommends nix-bin python3 python3-venv git ca-certificates"
inside plain 'test ! -e /usr/local/bin/kernel-builder && ! command -v nix && test -z "$(ls /var/lib/apt/lists)"'
exits bare.check-changes-nothing 0

inside plain 'mkdir /few; for p in bash echo env cat dirname mktemp rm id uname awk grep xargs; do ln -s $(type -P $p) /few/$p; done; PATH=/few /src/install.sh'
exits no-apt.exit 1
says no-apt.fix "https://nixos.org/download"

started=$(date +%s)
inside plain '/src/install.sh'
exits bare.install 0
says bare.next "ready; next: kernel-builder build examples/relu --backend cpu"
echo "bare-machine: first run $(($(date +%s) - started)) s"
inside plain 'kernel-builder --help && nix flake --help >/dev/null'
exits bare.command-works 0
inside plain 'nix-build --no-out-link -E "derivation { name = \"look\"; system = builtins.currentSystem; builder = \"/bin/sh\"; args = [ \"-c\" \"test -e /etc/os-release || echo hidden > \$out\" ]; }" && cat /nix/store/*-look'
says bare.sandbox-hides-the-machine hidden

snapshot='find /etc /usr/local ~/.local /nix/store -newer /stamp -not -path "*/__pycache__*"'
inside plain "touch /stamp; /src/install.sh && $snapshot"
exits second.exit 0
same second.changes-nothing "$said" "nothing to change
ready; next: kernel-builder build examples/relu --backend cpu"
inside plain '/src/install.sh --check'
exits second.check 0

# ---- a user without rights on that machine, then with a daemon ----

inside plain 'useradd -m alice; as alice "echo n | /src/install.sh"'
exits user.exit 1
says user.commands "usermod -aG nix-users alice"
inside plain 'nix-daemon --daemon >/dev/null 2>&1 & sleep 1; as alice "/src/install.sh && ~/.local/bin/kernel-builder --help"'
exits daemon-user.exit 0
says daemon-user.path 'export PATH="/home/alice/.local/bin:$PATH"'
inside plain 'rm /etc/nix/nix.conf; nix-daemon --daemon >/dev/null 2>&1 & sleep 1; as alice "/src/install.sh && cat ~/.config/nix/nix.conf"'
says own-conf.features "extra-experimental-features = nix-command flakes"
silent_about own-conf.no-restricted-setting "sandbox = true"
silent_about own-conf.no-warning "restricted setting"

# ---- settings of one's own, and no right to make namespaces ----

inside plain 'echo "cores = 1" >/etc/nix/nix.conf; /src/install.sh; cat /etc/nix/nix.conf.before-kernel-builder'
says own.backup "cores = 1"
inside plain 'mkdir -p /nest; mount --rbind / /nest; echo "max-silent-time = 999" >>/etc/nix/nix.conf
  exec chroot /nest setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin /src/install.sh'
exits no-namespaces.exit 0
says no-namespaces.says-so "the sandbox of Nix does not work here"

inside plain '/src/install.sh --uninstall && cat /etc/nix/nix.conf && nix --version'
exits uninstall.exit 0
says uninstall.keeps-settings-of-others "max-silent-time = 999"
says uninstall.keeps-nix "nix (Nix)"
inside plain 'ls -A /usr/local/bin /usr/local/libexec ~/.local/share; grep kernel-builder /etc/nix/nix.conf'
silent_about uninstall.leaves-nothing kernel-builder

# ---- a user with sudo on a machine with systemd: Debian's daemon, group and nix.conf (systemctl is pretended) ----

inside office 'apt-get update >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends sudo >/dev/null 2>&1
  printf "#!/bin/sh\ncase \$1 in is-system-running) echo running ;; is-active) exit 1 ;; esac\n" >/usr/local/bin/systemctl
  chmod +x /usr/local/bin/systemctl; useradd -m alice; echo "alice ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/alice; as alice /src/install.sh'
exits sudo.exit 1
says sudo.announced "sudo /src/install.sh --system"
says sudo.daemon-package "nix-bin nix-setup-systemd"
says sudo.group "usermod -aG nix-users alice"
says sudo.debians-sandbox "+sandbox = true"
says sudo.next-step "log out and in again"
inside office 'cat /etc/nix/nix.conf.before-kernel-builder; mkdir -p /nix/var/nix/daemon-socket; chgrp nix-users /nix/var/nix/daemon-socket; chmod 770 /nix/var/nix/daemon-socket
  nix-daemon --daemon >/dev/null 2>&1 & sleep 1; as alice "/src/install.sh && ~/.local/bin/kernel-builder --help"'
says sudo.backup-of-debians-file "sandbox = false"
exits new-login.exit 0
says new-login.nothing-left "nothing to change"

finish
