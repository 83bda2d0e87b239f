# Lays $files out as they lie in the kernel and compiles $source there: what the compiler
# says of a place is what the author knows it by.
mkdir kernel
cd kernel
printf '%s\n' "$files" | while read -r path file; do
  case $file in
    */*) mkdir -p "${file%/*}" ;;
  esac
  ln -s "$path" "$file"
done

flags="-ffile-prefix-map=$PWD=.
$flags"
# One flag a line; no flag is split or expanded.
set -f
IFS='
'
if [ -n "${leanHeaders-}" ]; then
  headers=lean
  # What fails with lean headers fails without a word: with Torch's own, an error is the user's.
  # shellcheck disable=SC2086
  if "$compiler" -isystem "$leanHeaders/operators" "-ffile-prefix-map=$leanHeaders=torch" $flags -c "$source" -o "$out" 2>messages; then
    cat messages >&2
  else
    echo "$source: does not compile with lean headers; compiled with Torch's own"
    headers=full
  fi
  printf '[{"unit": "%s", "part": "host", "headers": "%s"}]\n' "$source" "$headers" >"$report"
  [ "$headers" = full ] || exit 0
fi
# shellcheck disable=SC2086
exec "$compiler" $flags -c "$source" -o "$out"
