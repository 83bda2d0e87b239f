# Precompiles the header that is found first on the include path of $flags to $out/$header.gch. $out/read lists the files that it includes.
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
