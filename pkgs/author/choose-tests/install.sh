mkdir -p "$out/bin"
{
  printf '#!%s\nkernel=%s\ncandidates="%s"\n' "$shell" "$kernel" "$candidates"
  printf "untested='%s'\n" "$untested"
  printf '%s\n' "$presence"
  cat "$program"
} >"$out/bin/ci-test"
chmod +x "$out/bin/ci-test"
