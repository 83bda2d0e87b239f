mkdir -p "$out/bin"
{
  printf '#!%s\n' "$shell"
  printf "%s='%s'\n" kernel "$kernel" program "$program" folder "$folder" output "$output" \
    candidates "$candidates" untested "$untested"
  printf '%s\n' "$presence"
  cat "$text"
} >"$out/bin/$program"
chmod +x "$out/bin/$program"
