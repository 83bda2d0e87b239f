# Precompiles the header that is found first on the include path of $flags to $out/$header.gch. $out/read lists the files that it includes,
# $out/sums their hashes.
# $out/first.h is the same for units that do not include the header first; as text, it includes it.
set -f
IFS='
'
mkdir -p "$out/${header%/*}"
: >"$out/read"
: >"$out/sums"
echo "#include <$header>" >"$out/first.h"
for folder in $flags; do
  [ -f "$folder/$header" ] || continue
  # Without warnings: a unit that includes it has none either, and `#pragma once` is one here.
  ln -s "$header.gch" "$out/first.h.gch"
  # shellcheck disable=SC2086
  "$compiler" $flags -w -MD -MF "$out/read" -x c++-header "$folder/$header" -o "$out/$header.gch"
  sed -e 's/^[^ ]*://' -e 's/\\$//' "$out/read" | tr ' ' '\n' | grep . | xargs sha256sum | cut -c 1-64 >"$out/sums"
  exit
done
echo "$header is not there: the units say where they include it"
