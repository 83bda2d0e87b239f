# Makes $out/$header.gch of the header that stands first on the include path of $flags; $out/read lists what was read for it.
set -f
IFS='
'
mkdir -p "$out/${header%/*}"
: >"$out/read"
for folder in $flags; do
  [ -f "$folder/$header" ] || continue
  # Without warnings: a unit that includes it has none either, and `#pragma once` is one here.
  # shellcheck disable=SC2086
  exec "$compiler" $flags -w -MD -MF "$out/read" -x c++-header "$folder/$header" -o "$out/$header.gch"
done
echo "$header is not there: the units say where they include it"
