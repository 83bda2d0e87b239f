# Compiles $source to the object $out. $findings gets the messages of the compiler.
. "$layOut"

# measure PART COMMAND…: runs a command and reports its time and memory as the phase of this build, which Nix keeps in the log
# alone. Busybox divides the system's kilobytes by the size of a page.
measure() {
  part=$1 status=0
  shift
  time -o ../cost -f '%e %M %Z' "$@" || status=$?
  tail -n 1 ../cost | while IFS=' ' read -r seconds memory page; do
    printf '@nix {"action": "setPhase", "phase": "%s: %s s, %s MB"}\n' "$part" "$seconds" "$((memory / page))"
  done
  return "$status"
}

# keepMessages: shows the messages of the compiler and stores them, with files named as in the kernel.
keepMessages() {
  cat ../messages >&2
  mkdir "$findings"
  sed "s|$PWD/||g" ../messages | head -c 262144 >"$findings/messages"
}

# The kernel has a header with the name of one in the precompiled header, so the compiler would read another file without
# it; or with the content of one, which gcc would take for the same file.
if [ -n "${precompiled-}" ]; then
  for folder in $flags; do
    case $folder in -I*) (cd "${folder#-I}" 2>/dev/null && find . -type f) ;; esac
  done | sed 's/^\.//' >../own
  find . -type f -exec sha256sum {} + | cut -c 1-64 >../sums
  if { [ -s ../own ] && grep -qFf ../own "$precompiled/read"; } || grep -qxFf ../sums "$precompiled/sums"; then
    echo "$source: a header of the kernel is called as one that $precompiled is made of, or equal to one; it is not used"
  else
    flags="$precompiledFlags
$flags"
  fi
fi
if [ -n "${leanFlags-}" ]; then
  headers=full
  # Without a macro of Torch an `#if` takes the other branch, and no compiler says so. The preprocessor joins lines first,
  # and macros in flags name others.
  if {
    find . -type f -exec cat {} + | sed -e ':join' -e '/\\[[:space:]]*$/{N;s/\\[[:space:]]*\n//;bjoin' -e '}'
    printf '%s\n' "$flags" | sed -n 's/^[^=]*=//p'
  } | tr -cs 'A-Za-z0-9_' '\n' | grep -qxFf "$leanMacros/operators"; then
    why="names macros that lean headers lack"
  else
    # Errors with lean headers are not shown. Errors with full headers are the user's.
    # shellcheck disable=SC2086
    if measure "lean headers" "$compiler" $leanFlags $flags -c "$source" -o "$out" 2>../messages; then
      headers=lean
      keepMessages
    else
      status=$?
      # The system killed the compiler. With Torch's own headers it would need more memory.
      case $status in 9 | 137) echo "$compiler: fatal error: Killed signal terminated program" >>../messages ;; esac
      if grep -qE '^[^ :]*: (fatal error: Killed signal|out of memory)' ../messages; then
        cat ../messages >&2
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
status=0
# shellcheck disable=SC2086
measure compiler "$compiler" $flags -c "$source" -o "$out" 2>../messages || status=$?
if [ "$status" != 0 ] && [ -n "${stableAbi-}" ]; then
  # shellcheck source=stable-abi.sh
  . "$stableAbi"
fi
keepMessages
exit "$status"
