. "$writeSettings"
mkdir -p "$out/bin"
{
  printf '#!%s\n' "$shell"
  # shellcheck disable=SC2016  # the program reads it
  write_settings '%s=$(cat %s)' kernel "$kernel" program "$program" folder "$folder" output "$output" \
    candidates "$candidates" untested "$untested"
  printf '%s\n' "$presence"
  cat "$text"
} >"$out/bin/$program"
chmod +x "$out/bin/$program"
