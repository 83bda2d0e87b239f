mkdir -p "$out/bin" "$out/modules/kernel_builder/messages"
cp "$problem" "$out/modules/kernel_builder/messages/problem.py"
{
  printf '#!%s/bin/sh\n' "$busybox"
  sed -e "s|@programs@|$programs|g" -e "s|@python@|$python|g" -e "s|@variant@|$variant|g" \
    -e "s|@byName@|$byName|g" -e "s|@modules@|$out/modules|g" -e "s|@symbols@|$symbols|g" -e "s|@facts@|$facts|g" "$program"
} >"$out/bin/check-folder"
chmod +x "$out/bin/check-folder"
