# Copies $parts into $out. Each line is a path and a name, which may contain folders.
mkdir "$out"
printf '%s\n' "$parts" | while read -r path name; do
  # A build without warnings has no file of findings.
  case $name in findings/*) ! grep -qF '"findings": []' "$path" || continue ;; esac
  mkdir -p "$(dirname "$out/$name")"
  cp -r "$path" "$out/$name"
done

# Copies and uploads of a bundle would follow links out of it.
odd=$(find "$out" ! -type f ! -type d)
if [ -n "$odd" ]; then
  printf 'error: the bundle has more than files and folders\n\n' >&2
  printf '       at     %s\n       found  a link or a special file\n       want   files and folders\n       fix    put a copy in its place\n' "$odd" >&2
  exit 1
fi
