#!/usr/bin/env bash
# install.sh on real bare machines: Debian 12 made by debootstrap in a folder, entered as the root of the file system.
# The mirror, certificates and pip settings are those of this machine, taken when the test runs. Nothing of this machine is changed.
# shellcheck source=tests/install/harness.sh disable=SC2154,SC2016
source "$(dirname -- "$0")/harness.sh"
# shellcheck source=tests/install/bare-root.sh
source "$(dirname -- "$0")/bare-root.sh"

skip() {
  echo "bare-machine: skipped: $1"
  exit 0
}

obstacle=$(bare_obstacle)
[ -z "$obstacle" ] || skip "$obstacle"
mirror=$(bookworm_mirror)
trap 'rm -rf --one-file-system "$work"' EXIT

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
