mkdir -p "$out/bin"
{
  printf '#!%s/bin/sh\n' "$busybox"
  sed -e "s|@programs@|$programs|g" -e "s|@python@|$python|g" -e "s|@variant@|$variant|g" \
    -e "s|@byName@|$byName|g" -e "s|@symbols@|$symbols|g" -e "s|@backends@|$backends|g" "$program"
} >"$out/bin/check-folder"
chmod +x "$out/bin/check-folder"
