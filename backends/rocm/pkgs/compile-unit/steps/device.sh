# Compiles the unit for the one target in $targets. $out is the code that the GPU loads.
. "$layOut"
# shellcheck disable=SC2086
exec "$compiler" $flags $targets -c "$source" -o "$out"
