# Lays $files out as they lie in the kernel and compiles $source there: what the compiler
# says of a place is what the author knows it by.
mkdir kernel
cd kernel
printf '%s\n' "$files" | while read -r path file; do
  case $file in
    */*) mkdir -p "${file%/*}" ;;
  esac
  ln -s "$path" "$file"
done

flags="-ffile-prefix-map=$PWD=.
$flags"

# measure PART COMMAND…: says what a command took, as the phase of this build. Nix keeps that in the log and nowhere else, so it is
# part of no output. Busybox counts memory in pages where the system means kilobytes.
measure() {
  part=$1 status=0
  shift
  time -o ../cost -f '%e %M %Z' "$@" || status=$?
  tail -n 1 ../cost | while IFS=' ' read -r seconds memory page; do
    printf '@nix {"action": "setPhase", "phase": "%s: %s s, %s MB"}\n' "$part" "$seconds" "$((memory / page))"
  done
  return "$status"
}

# One flag a line; no flag is split or expanded.
set -f
IFS='
'
if [ -n "${leanHeaders-}" ]; then
  headers=full
  # All words of the kernel's that the unit sees. Without a macro an `#if` takes the other branch, and no compiler says so.
  if find . -type l -exec cat {} + | tr -cs 'A-Za-z0-9_' '\n' | grep -qxFf "$leanMacros/operators"; then
    why="names macros that lean headers lack"
  else
    # What fails with lean headers fails without a word: with Torch's own, an error is the user's.
    # shellcheck disable=SC2086
    if measure "lean headers" "$compiler" -isystem "$leanHeaders/operators" "-ffile-prefix-map=$leanHeaders=torch" $flags -c "$source" -o "$out" 2>messages; then
      headers=lean
      cat messages >&2
    fi
    why="does not compile with lean headers"
  fi
  printf '[{"unit": "%s", "part": "host", "headers": "%s"}]\n' "$source" "$headers" >"$report"
  [ "$headers" = full ] || exit 0
  echo "$source: $why; compiled with Torch's own"
fi
# shellcheck disable=SC2086
measure compiler "$compiler" $flags -c "$source" -o "$out"
