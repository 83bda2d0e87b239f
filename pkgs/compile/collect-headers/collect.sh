# Merges the $folders of $source in $out/include, and puts the licence beside it.
tree=$source
case $source in
  *.whl)
    tree=tree
    unzip -q "$source" -d "$tree"
    ;;
esac
mkdir -p "$out/include"
for folder in $folders; do
  cp -a "$tree/$folder/." "$out/include/"
  chmod -R u+w "$out/include"
done
# Each line has a file and a sed script.
printf '%s' "$edits" | while read -r file script || [ -n "$file" ]; do
  sed "$script" "$out/include/$file" >edited
  if cmp -s edited "$out/include/$file"; then
    echo "$file: nothing to change with $script" >&2
    exit 1
  fi
  cat edited >"$out/include/$file"
done
for licence in "$tree"/LICENSE* "$tree"/*.dist-info/LICENSE* "$tree"/*.dist-info/licenses/LICENSE*; do
  if [ -f "$licence" ]; then
    cp "$licence" "$out/"
  fi
done
