#!/usr/bin/env bash
# What install.sh makes of a nix.conf: the real Nix reads the result, the machine around it is a pretended one.
# shellcheck source=tests/install/harness.sh disable=SC2154
source "$(dirname -- "$0")/harness.sh"

busybox_line() { echo "/bin/sh=$machine/usr/libexec/kernel-builder/busybox"; }

# ---- no file at all ----
fake_machine
run_install --system --check
exits check.exit 1
says check.names-a-line "+sandbox = true"
same check.writes-nothing "$(ls "$machine/etc")" ""
run_install --system
exits empty.exit 0
same empty.features "$(effective experimental-features)" "flakes nix-command"
same empty.sandbox "$(effective sandbox)" true
same empty.shell "$(effective sandbox-paths | tr ' ' '\n' | grep -xF "$(busybox_line)")" "$(busybox_line)"
same empty.unreachable-cache "$(effective substituters)" ""
same empty.jobs "$(grep -c '^max-jobs = auto$' "$conf")" 1
same empty.no-backup "$(ls "$machine/etc")" nix.conf
before=$(cat "$conf")
run_install --system
says again.says-so "nothing to change"
same again.same-bytes "$(cat "$conf")" "$before"
run_install --system --check
exits again.check-is-content 0

# ---- the cache comes back: only our line goes ----
fake curl 'exit 0'
run_install --system
says cache-back.says-so "can be reached again"
same cache-back.restored "$(effective substituters)" "https://cache.nixos.org/"
same cache-back.rest-stays "$(effective sandbox)" true
run_install --system
says cache-back.settles "nothing to change"

# ---- taken back ----
run_install --uninstall --system
exits uninstall.exit 0
same uninstall.no-file "$(ls "$machine/etc")" ""
same uninstall.no-busybox "$(ls "$machine/usr/libexec")" ""

# ---- settings of the user's own stay and win ----
fake_machine
printf '%s\n' "# mine" "experimental-features = ca-derivations" "sandbox = false" "max-jobs = 3" "substituters = https://cache.example" \
  "sandbox-paths = /data" "build-users-group = builders" >"$conf"
cp "$conf" "$machine/original"
run_install --system
exits own.exit 0
same own.features "$(effective experimental-features)" "ca-derivations flakes nix-command"
same own.sandbox "$(effective sandbox)" false
says own.sandbox-is-explained "'sandbox = false', which stays"
same own.jobs "$(effective max-jobs)" 3
same own.cache "$(effective substituters)" "https://cache.example"
same own.paths "$(effective sandbox-paths)" "$(busybox_line) /data"
same own.group "$(effective build-users-group)" builders
same own.text-comes-first "$(head -n 7 "$conf")" "$(cat "$machine/original")"
same own.backup "$(cat "$conf.before-kernel-builder")" "$(cat "$machine/original")"
says own.shows-a-line "+extra-experimental-features = nix-command flakes"
silent_about own.shows-no-unchanged-line "max-jobs"
echo "cores = 1" >>"$conf"
run_install --system
same later.backup-is-the-first "$(cat "$conf.before-kernel-builder")" "$(cat "$machine/original")"
same later.own-line "$(effective cores)" 1
same later.one-block "$(grep -c '^# begin kernel-builder' "$conf")" 1
run_install --uninstall --system
same later.uninstall-keeps-the-edit "$(cat "$conf")" "$(cat "$machine/original"; echo "cores = 1")"

# ---- uninstall without edits: the same bytes, also without a last newline ----
fake_machine
printf 'cores = 1' >"$conf"
cp "$conf" "$machine/original"
run_install --system
same no-newline.read "$(effective cores)" 1
run_install --system
says no-newline.again "nothing to change"
run_install --uninstall --system
cmp -s "$conf" "$machine/original"
result no-newline.same-bytes $?
same no-newline.backup-gone "$(ls "$machine/etc")" nix.conf

# ---- a file that has everything is left alone ----
fake_machine
printf '%s\n' "experimental-features = nix-command flakes" "sandbox = true" "sandbox-paths = /bin/sh=/opt/sh" "max-jobs = 2" "substituters =" >"$conf"
before=$(cat "$conf")
run_install --system
says complete.nothing "nothing to change"
same complete.same "$(cat "$conf")" "$before"

# ---- Debian's own file ----
fake_machine
printf '%s\n' "# So far the sandbox feature does not seem to work on Debian:" "# see there" "sandbox = false" >"$conf"
run_install --system
same debian.sandbox-on "$(effective sandbox)" true
silent_about debian.no-lecture "which stays"
fake_machine
printf '%s\n' "# So far the sandbox feature does not seem to work on Debian:" "# see there" "sandbox = false" "sandbox = relaxed" >"$conf"
run_install --system
same debian.own-wish-wins "$(effective sandbox)" relaxed

# ---- included files count ----
fake_machine
echo "!include more.conf" >"$conf"
printf '%s\n' "max-jobs = 7" "sandbox-paths = /bin/sh=/opt/sh" >"$machine/etc/more.conf"
run_install --system
same include.jobs "$(effective max-jobs)" 7
same include.shell "$(effective sandbox-paths)" "/bin/sh=/opt/sh"

# ---- no build users ----
fake_machine
fake getent 'exit 2'
run_install --system
same group.none "$(effective build-users-group | tr -d ' ')" ""
fake getent 'exit 0'
run_install --system
same group.made-since "$(effective build-users-group)" nixbld

# ---- a block without its end ----
fake_machine
printf '%s\n' "# begin kernel-builder" "cores = 1" >"$conf"
run_install --system
exits broken-block.exit 1
says broken-block.message "have lost their last line"
same broken-block.untouched "$(wc -l <"$conf")" 2

finish
