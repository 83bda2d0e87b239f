# Goes where the unit's files are: $translated is a tree of them, else $files are laid out as they
# lie in the kernel. Sets $source to what is compiled, and $flags to one flag a line.
if [ -n "${translated-}" ]; then
  cd "$translated/kernel"
  # shellcheck disable=SC2034  # read by whoever reads this file
  source=$(cat "$translated/source")
else
  mkdir kernel
  cd kernel
  # Blanks at the ends of a name are part of it.
  printf '%s\n' "$files" | while IFS= read -r line; do
    path=${line%% *} file=${line#* }
    case $file in
      */*) mkdir -p "${file%/*}" ;;
    esac
    ln -s "$path" "$file"
  done
fi
flags="-ffile-prefix-map=$PWD=.
$flags
-cuid=$cuid
$targets"
# No flag is split or expanded.
set -f
IFS='
'
