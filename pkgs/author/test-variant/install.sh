# Puts the program together. Tests lie in a folder `tests`, as in the kernel: helpers beside
# them are imported by that name.
mkdir -p "$out/bin" "$out/share"
if [ -n "$tests" ]; then
  cp -r "$tests" "$out/share/tests"
fi
{
  printf '#!%s/bin/python3 -I\n' "$python"
  sed -e "s|@variant@|$variant|" -e "s|@tests@|$out/share/tests|" -e "s|@path@|$path|" "$program"
} >"$out/bin/ci-test"
chmod +x "$out/bin/ci-test"
