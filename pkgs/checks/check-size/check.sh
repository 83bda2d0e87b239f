# Fails if the files in $variant have more than $maxSize bytes, and lists the largest ones.
cd "$variant"
sizes=$(find . -type f -exec stat -c '%s %n' {} + | sort -nr)
total=$(printf '%s\n' "$sizes" | awk '{ sum += $1 } END { print sum }')
if [ "$total" -gt "$maxSize" ]; then
  largest=$(printf '%s\n' "$sizes" | head -n 5 | awk '{ printf "\n              %s bytes  %s", $1, substr($0, index($0, "./") + 2) }')
  printf 'error: %s is too large (1 problem)\n\n' "$variantName" >&2
  printf '       at     %s\n       found  %s bytes, of which%s\n       want   at most %s bytes\n' "$variantName" "$total" "$largest" "$maxSize" >&2
  printf '       fix    compile for fewer targets, or raise maxSize in flake.nix\n' >&2
  exit 1
fi
touch "$out"
