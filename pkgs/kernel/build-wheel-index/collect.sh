# Copies $wheels (lines with a folder and a label) into $out/LABEL/PROJECT, with a page for each folder.
printf '%s\n' "$wheels" | while read -r folder label; do
  place=$out/$label/$project
  mkdir -p "$place"
  cp "$folder"/*.whl "$place/"
done
for place in "$out"/*/"$project"; do
  {
    echo '<!DOCTYPE html>'
    for wheel in "$place"/*.whl; do
      name=${wheel##*/}
      hash=$(sha256sum "$wheel")
      # `+` is a blank in addresses.
      printf '<a href="%s#sha256=%s">%s</a><br>\n' "$(printf %s "$name" | sed 's/+/%2B/g')" "${hash%% *}" "$name"
    done
  } >"$place/index.html"
  printf '<!DOCTYPE html>\n<a href="%s/">%s</a>\n' "$project" "$project" >"${place%/*}/index.html"
done
