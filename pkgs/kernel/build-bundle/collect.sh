# Copies each of $parts (a path and a name a line) into $out under its name, which may have folders in it.
mkdir "$out"
printf '%s\n' "$parts" | while read -r path name; do
  mkdir -p "$(dirname "$out/$name")"
  cp -r "$path" "$out/$name"
done
