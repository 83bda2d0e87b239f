# Each line of $candidates: backend, variant, where its build lies, derivation of its tests.
# Takes the first backend that is here, as `has_backend` says that stands before this, and of its variants one that is built, else the first.
set -eu

# KERNEL_BUILDER_BACKEND chooses the backend instead of what is found.
is_chosen() {
  if [ -n "${KERNEL_BUILDER_BACKEND:-}" ]; then
    [ "$1" = "$KERNEL_BUILDER_BACKEND" ]
  else
    has_backend "$1"
  fi
}

backends=$(printf '%s\n' "$candidates" | cut -d ' ' -f 1 | uniq)
chosen=
for backend in $backends; do
  if is_chosen "$backend"; then
    chosen=$backend
    break
  fi
done
if [ -z "$chosen" ]; then
  cat >&2 <<END
error: $kernel has no tests that can run here (1 problem)

       at     this machine
       found  none of: $(printf '%s' "$backends" | tr '\n' ' ')
       want   a device of one of them
       fix    run the tests elsewhere, or those of one variant all the same: nix run .#ciTests.<variant>
END
  # EX_UNAVAILABLE: CI tells it from a test that fails.
  exit 69
fi

derivation=
while read -r backend _ build test; do
  [ "$backend" = "$chosen" ] || continue
  : "${derivation:=$test}"
  if [ -e "$build" ]; then
    derivation=$test
    break
  fi
done <<END
$candidates
END

# Sources that only registries have come through the machine's own pip and apt. What it cannot
# get, it says; whether that stops the tests is for Nix to say.
if command -v kernel-builder >/dev/null; then
  kernel-builder prefetch "$derivation" >&2 || true
fi
# A root for as long as it runs, lest the collector takes the tests away.
root=$(mktemp -d "${TMPDIR:-/tmp}/ci-test-XXXXXX")
trap 'rm -rf "$root"' EXIT
nix-store --realise "$derivation" --add-root "$root/tests" --indirect >/dev/null
status=0
"$root/tests/bin/ci-test" "$@" || status=$?
exit "$status"
