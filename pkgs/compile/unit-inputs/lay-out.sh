# Goes to the folder of the unit's files: $translated has translated ones, and $files are laid out
# as they lie in the kernel, so that messages of the compiler name files as their author does.
# Sets $source to the file to compile, and $flags to one flag a line.
if [ -n "${translated-}" ]; then
  cd "$translated/kernel"
  # shellcheck disable=SC2034  # read by the script that reads this file
  source=$(cat "$translated/source")
else
  mkdir kernel
  cd kernel
  # Names may begin or end with blanks.
  printf '%s\n' "$files" | while IFS= read -r line; do
    path=${line%% *} file=${line#* }
    case $file in
      */*) mkdir -p "${file%/*}" ;;
    esac
    ln -s "$path" "$file"
  done
fi
# The last one is the plan's: earlier ones are the kernel's own text.
flags=${flags%@build/kernel@*}$PWD${flags##*@build/kernel@}
# No flag is split or expanded.
set -f
IFS='
'
