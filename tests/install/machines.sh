#!/usr/bin/env bash
# install.sh on machines that lack something: no Nix, no apt, an old Nix, no root, a place that is taken.
# shellcheck source=tests/install/harness.sh disable=SC2154
source "$(dirname -- "$0")/harness.sh"

# An apt whose index has PACKAGE=VERSION…; it writes down what it is asked to do.
fake_apt() {
  fake apt-cache "for pair in $*; do [ \"\$2\" != \"\${pair%%=*}\" ] || { echo \"\$2:\"; echo \"  Candidate: \${pair#*=}\"; }; done"
  fake apt-get "echo \"apt-get \$*\" >>$machine/calls"
}

# ---- everything is there ----
fake_machine
fake_venv
run_install
exits whole.exit 0
says whole.next "next: kernel-builder build examples/relu --backend cpu"
same whole.link "$(readlink "$machine/usr/bin/kernel-builder")" "$machine/checkout/python/bin/kernel-builder"
says whole.path "export PATH=\"$machine/usr/bin:\$PATH\""
run_install
says whole.again "nothing to change"
run_install --check
exits whole.check 0
fake usermod "echo \"usermod \$*\" >>$machine/calls"
said=$(on_machine SUDO_USER=alice "$machine/checkout/install.sh" 2>&1)
says whole.by-sudo "for alice, run it without sudo"
same whole.group "$(grep usermod "$machine/calls")" "usermod -aG nix-users alice"
run_install --uninstall
exits whole.uninstall 0
same whole.uninstalled "$(find "$machine/usr" "$machine/home" "$machine/etc" -type f -o -type l)" ""
run_install --uninstall
exits whole.uninstall-twice 0

# ---- neither Nix nor apt ----
fake_machine
rm "$bin/nix"
run_install
exits no-apt.exit 1
says no-apt.fix "https://nixos.org/download"
same no-apt.nothing-written "$(ls "$machine/etc" "$machine/home")" "$machine/etc:

$machine/home:"
fake_machine
fake_venv
rm "$bin/git"
run_install
exits no-git.exit 1
says no-git.names-it "nothing that gives: git"

# ---- apt, no Nix ----
fake_machine
fake_apt nix-bin=2.8.0-1.1+b1 git=1
rm "$bin/nix"
run_install --system --check
exits apt.check 1
says apt.check-names "missing: apt-get install --no-install-recommends nix-bin"
same apt.check-asks-nothing "$(cat "$machine/calls" 2>/dev/null)" ""
run_install --system
same apt.no-update "$(grep -c update "$machine/calls")" 0
same apt.install "$(grep -c 'install -y --no-install-recommends .* nix-bin$' "$machine/calls")" 1
fake systemctl 'echo running'
: >"$machine/calls"
fake_apt nix-bin=2.8.0-1.1+b1
run_install --system
same apt.updates-for-an-unknown-package "$(grep -c 'apt-get update' "$machine/calls")" 1
same apt.daemon-with-systemd "$(grep -c 'nix-bin nix-setup-systemd$' "$machine/calls")" 1
fake_apt nix-bin=2.6.0+dfsg-3
run_install --system
exits old-apt.exit 1
says old-apt.found "found  2.6.0+dfsg-3"
fake_apt nix-bin=2.18.1+dfsg-1
fake apt-get 'echo "E: broken"; exit 100'
run_install --system
exits broken-apt.exit 1
says broken-apt.shows-why "E: broken"

# ---- programs that are too old ----
fake_machine
fake_venv
real_nix=$(command -v nix)
fake nix "[ \"\$1\" != --version ] || { echo 'nix (Nix) 2.3.7'; exit; }; exec $real_nix \"\$@\""
run_install
exits old-nix.exit 1
says old-nix.found "found  nix (Nix) 2.3.7"
for version in "nix (Nix) 2.10.1" "nix (Nix) 2.34.0pre1" "nix (Some Nix 3.8.1) 2.30.1" "nix (Nix) 3.0"; do
  fake nix "[ \"\$1\" != --version ] || { echo '$version'; exit; }; exec $real_nix \"\$@\""
  run_install
  exits "nix-version.$version" 0
done
fake_machine
fake_venv
fake python3 'case $* in *version_info*) exit 1 ;; --version) echo Python 3.8.2 ;; esac'
run_install
exits old-python.exit 1
says old-python.found "found  Python 3.8.2"

# ---- the place of the command is taken ----
fake_machine
fake_venv
mkdir -p "$machine/usr/bin"
echo mine >"$machine/usr/bin/kernel-builder"
run_install
exits taken.exit 1
same taken.stays "$(cat "$machine/usr/bin/kernel-builder")" mine
ln -sf /elsewhere/python/bin/kernel-builder "$machine/usr/bin/kernel-builder"
run_install
same other-checkout.linked "$(readlink "$machine/usr/bin/kernel-builder")" "$machine/checkout/python/bin/kernel-builder"

# ---- builds that do not work ----
fake_machine
fake_venv
fake nix-build 'case $* in *sandbox-fallback*) echo "no namespaces"; exit 1 ;; esac'
run_install
exits no-sandbox.exit 0
says no-sandbox.says-so "the sandbox of Nix does not work here"
fake nix-build 'echo "no disk"; exit 1'
run_install
exits no-build.exit 1
says no-build.shows-why "no disk"

# ---- not root ----
user() { fake id 'case $* in -u) echo 1000 ;; -un) echo alice ;; -nG*) echo alice ;; esac'; }
fake_machine
fake_venv
user
fake nix-instantiate 'exit 1'
fake_apt nix-bin=2.8.0-1.1+b1
run_install
exits user.exit 1
says user.commands "usermod -aG nix-users alice"
same user.nothing-installed "$(cat "$machine/calls" 2>/dev/null)" ""
fake sudo "echo \"sudo \$*\" >>$machine/calls; printf '#!/bin/sh\nexit 0\n' >$bin/nix-instantiate"
run_install
exits sudo.exit 0
says sudo.announced "sudo $machine/checkout/install.sh --system"
same sudo.called "$(tail -n 1 "$machine/calls" | grep -c .)" 1
same sudo.system-part "$(grep -c 'sudo .*/install.sh --system$' "$machine/calls")" 1
same user.link "$(readlink "$machine/home/.local/bin/kernel-builder")" "$machine/checkout/python/bin/kernel-builder"
same user.conf-has-no-restricted-setting "$(grep -c sandbox "$machine/home/.config/nix/nix.conf")" 0
same user.system-conf-untouched "$(ls "$machine/etc")" ""
fake id 'case $* in -u) echo 1000 ;; -un) echo alice ;; "-nG alice") echo alice nix-users ;; -nG) echo alice ;; esac'
run_install
exits pending-group.exit 1
says pending-group.fix "log out and in again"
run_install --system
exits system-as-user.exit 1

# ---- arguments ----
run_install --chek
exits argument.exit 1
says argument.found "found  --chek"
run_install --help
exits help.exit 0
says help.text "--uninstall"

finish
