# Each line is one word, which the shell must not split or expand.
set -f
IFS='
'
# shellcheck disable=SC2086
exec "$program" $flags -o "$out" "@$objectsPath"
