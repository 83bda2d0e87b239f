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

# One flag a line; no flag is split or expanded.
set -f
IFS='
'
exec "$compiler" $flags -c "$source" -o "$out"
