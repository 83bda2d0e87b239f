# One word a line; none is split or expanded.
set -f
IFS='
'
# shellcheck disable=SC2086
exec "$program" $flags -o "$out" $objects
