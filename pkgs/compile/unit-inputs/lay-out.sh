# Enters a folder with copies of the unit's files: $translated if they are translated, else those of $filesPath under
# their names in the kernel, so that compiler messages name files as the author does. Sets $source to the file to compile, and
# $flags to one flag a line.
#
# Compilers decide by a file's identity whether they have read it (`#pragma once`): clang by its inode, gcc by its time,
# size and content. In the store equal files may be one, and all have the same time. So each file is a copy, and no two
# files of one size have the same time.
if [ -n "${translated-}" ]; then
  # shellcheck disable=SC2034  # read by the script that reads this file
  source=$(cat "$translated/source")
  filesPath=$PWD/translated-files
  (cd "$translated/kernel" && find . -type d | sed 's/^/folder /' && find . -type f | sed 's/^/translated /') >"$filesPath"
fi
mkdir kernel
cd kernel
# Names may begin or end with blanks.
while IFS= read -r line || [ -n "$line" ]; do
  path=${line%% *} file=${line#* }
  case $path in
    folder)
      mkdir -p "$file"
      continue
      ;;
    translated) path=$translated/kernel/$file ;;
  esac
  case $file in
    */*) mkdir -p "${file%/*}" ;;
  esac
  cp "$path" "$file"
done <"$filesPath"
# Files of packages have the first second of 1970. __TIMESTAMP__ shows the time, so it depends on the unit's files alone.
find . -type f -exec env TZ=UTC touch -t 197001020000.00 {} +
find . -type f -exec wc -c {} + | grep -F ' ./' | LC_ALL=C sort -k 2 | awk '{
  number = seen[$1]++
  if (number) {
    time = sprintf("%02d%02d%02d.%02d", 2 + number / 86400, number / 3600 % 24, number / 60 % 60, number % 60)
    print "197001" time substr($0, index($0, " ./"))
  }
}' | while IFS= read -r line; do
  TZ=UTC touch -t "${line%% *}" "${line#* }"
done
# The last placeholder is the plan's. Earlier ones are text of the kernel.
flags=${flags%@build/kernel@*}$PWD${flags##*@build/kernel@}
# The shell must not split or expand flags.
set -f
IFS='
'
