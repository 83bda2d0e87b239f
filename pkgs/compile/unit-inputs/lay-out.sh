# Enters the folder with the unit's files: $translated if they are translated, else those of $filesPath under their names
# in the kernel, so that compiler messages name files as the author does. Sets $source to the file to compile, and
# $flags to one flag a line.
if [ -n "${translated-}" ]; then
  cd "$translated/kernel"
  # shellcheck disable=SC2034  # read by the script that reads this file
  source=$(cat "$translated/source")
else
  mkdir kernel
  cd kernel
  # Names may begin or end with blanks.
  while IFS= read -r line || [ -n "$line" ]; do
    path=${line%% *} file=${line#* }
    case $file in
      */*) mkdir -p "${file%/*}" ;;
    esac
    ln -s "$path" "$file"
  done <"$filesPath"
fi
# The last placeholder is the plan's. Earlier ones are text of the kernel.
flags=${flags%@build/kernel@*}$PWD${flags##*@build/kernel@}
# The shell must not split or expand flags.
set -f
IFS='
'
