# Lays $files out as they lie in the kernel and compiles $source there: what the compiler
# says of a place is what the author knows it by.
mkdir kernel
cd kernel
# Blanks at the ends of a name are part of it.
printf '%s\n' "$files" | while IFS= read -r line; do
  path=${line%% *} file=${line#* }
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
# What a folder of the kernel has under a name that was read for the precompiled header would have been read instead.
if [ -n "${precompiled-}" ]; then
  for folder in $flags; do
    case $folder in -I*) (cd "${folder#-I}" 2>/dev/null && find . -type l) ;; esac
  done | sed 's/^\.//' >../own
  if [ -s ../own ] && grep -qFf ../own "$precompiled/read"; then
    echo "$source: a header of the kernel is called as one that $precompiled is made of; it is not used"
  else
    # It lies before what it was made of. One that gcc does not take is said, and read as ever.
    flags="-isystem
$precompiled
-Winvalid-pch
-Wno-error=invalid-pch
$flags"
  fi
fi
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
    else
      status=$?
      # Killed itself, or a part of it. With Torch's own it would need more.
      case $status in 9 | 137) echo "$compiler: fatal error: Killed signal terminated program" >>messages ;; esac
      if grep -qE '^[^ :]*: (fatal error: Killed signal|out of memory)' messages; then
        cat messages >&2
        echo "$source: out of memory with lean headers; Torch's own take more, see docs/troubleshooting/out-of-memory.md" >&2
        exit "$status"
      fi
    fi
    why="does not compile with lean headers"
  fi
  printf '[{"unit": %s, "part": "host", "headers": "%s"}]\n' "$unitInJson" "$headers" >"$report"
  [ "$headers" = full ] || exit 0
  echo "$source: $why; compiled with Torch's own"
fi
# shellcheck disable=SC2086
measure compiler "$compiler" $flags -c "$source" -o "$out"
