# Runs the program of the first backend that this machine has. A line of $candidates has a backend, a variant, the path of
# its build and the derivation of its program. Of the backend's variants it takes one that is built, else the first. A
# line of $untested says why variants have no program. $folder is `tests` or `benchmarks`, $output has the programs by
# variant.
# `has_backend` is defined before this text.
set -eu

backends=$(printf '%s\n' "$candidates" | cut -d ' ' -f 1 | uniq)
chosen=
for backend in $backends; do
  if has_backend "$backend"; then
    chosen=$backend
    break
  fi
done
if [ -z "$chosen" ]; then
  if [ -n "$backends" ]; then
    found="none of: $(printf '%s' "$backends" | tr '\n' ' ')"
    want="a device of one of them"
    fix="run the $folder elsewhere, or those of one variant all the same: nix run .#$output.<variant>"
  else
    found="no variant whose Torch can be imported"
    want="at least one"
    fix="run the $folder elsewhere; kernel-builder build builds and checks the kernel here"
    # Every variant of this system is a candidate, or has its reason.
    [ -n "$untested" ] || found="no variant for this system" fix="run the $folder on a machine of another system"
  fi
  reasons=$(printf '%s\n' "$untested" | while IFS= read -r reason; do
    [ -z "$reason" ] || printf '%14sno %s for %s\n' '' "$folder" "$reason"
  done)
  cat >&2 <<END
error: $kernel has no $folder that can run here (1 problem)

       at     this machine
       found  $found${reasons:+
$reasons}
       want   $want
       fix    $fix
END
  # EX_UNAVAILABLE, which CI distinguishes from failing tests.
  exit 69
fi

derivation=
while read -r backend _ build run; do
  [ "$backend" = "$chosen" ] || continue
  : "${derivation:=$run}"
  if [ -e "$build" ]; then
    derivation=$run
    break
  fi
done <<END
$candidates
END

# Fetches sources of registries through the machine's own pip and apt. A source that it cannot get is reported; Nix
# decides whether the program needs it.
if command -v kernel-builder >/dev/null; then
  kernel-builder prefetch "$derivation" >&2 || true
fi
# A root protects the program from the garbage collector while it runs.
root=$(mktemp -d "${TMPDIR:-/tmp}/$program-XXXXXX")
trap 'rm -rf "$root"' EXIT
nix-store --realise "$derivation" --add-root "$root/chosen" --indirect >/dev/null
status=0
"$root/chosen/bin/$program" "$@" || status=$?
exit "$status"
