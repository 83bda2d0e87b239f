# Copies each of $parts (a path and a name a line) into $out under its name.
mkdir "$out"
printf '%s\n' "$parts" | while read -r path name; do
  cp -r "$path" "$out/$name"
done
