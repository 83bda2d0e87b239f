mkdir -p "$out/bin" "$out/settings"
{
  printf '#!%s\n' "$shell"
  set -- kernel "$kernel" program "$program" folder "$folder" output "$output" candidates "$candidates" \
    untested "$untested"
  # Values are data of the program, and no part of its text.
  while [ $# != 0 ]; do
    printf '%s\n' "$2" >"$out/settings/$1"
    # shellcheck disable=SC2016  # the program reads it
    printf '%s=$(cat %s/settings/%s)\n' "$1" "$out" "$1"
    shift 2
  done
  printf '%s\n' "$presence"
  cat "$text"
} >"$out/bin/$program"
chmod +x "$out/bin/$program"
