# Copies $wheels (lines with a path and a folder) to $out/FOLDER/PROJECT. Each folder gets a page.
printf '%s\n' "$wheels" | while read -r path folder; do
  place=$out/$folder/$project
  mkdir -p "$place"
  cp "$path"/*.whl "$place/"
done
find "$out" -type d -name "$project" | while read -r place; do
  {
    echo '<!DOCTYPE html>'
    for file in "$place"/*.whl; do
      name=${file##*/}
      hash=$(sha256sum "$file")
      # `+` is a blank in addresses.
      printf '<a href="%s#sha256=%s">%s</a><br>\n' "$(printf %s "$name" | sed 's/+/%2B/g')" "${hash%% *}" "$name"
    done
  } >"$place/index.html"
  printf '<!DOCTYPE html>\n<a href="%s/">%s</a>\n' "$project" "$project" >"${place%/*}/index.html"
done
