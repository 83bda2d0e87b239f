mkdir -p "$out/bin" "$out/modules/kernel_builder/messages" "$out/symbols"
cp "$problem" "$out/modules/kernel_builder/messages/problem.py"
# The first list that has a library counts.
number=0
for list in $symbols; do
  number=$((number + 1))
  ln -s "$list" "$out/symbols/$number"
done
{
  printf '#!%s/bin/sh\n' "$busybox"
  sed -e "s|@programs@|$programs|g" -e "s|@python@|$python|g" -e "s|@byName@|$byName|g" -e "s|@facts@|$facts|g" \
    -e "s|@out@|$out|g" "$program"
} >"$out/bin/check-folder"
chmod +x "$out/bin/check-folder"
