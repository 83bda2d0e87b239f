# write_settings LINE NAME VALUE …: store each value in a file, and print the line with which a program reads it. Values
# are data of the program, and no part of its text. LINE is a format for the name and the file.
write_settings() {
  line=$1
  shift
  mkdir -p "$out/settings"
  while [ $# != 0 ]; do
    printf '%s\n' "$2" >"$out/settings/$1"
    # shellcheck disable=SC2059  # the format is the caller's
    printf "$line\n" "$1" "$out/settings/$1"
    shift 2
  done
}
