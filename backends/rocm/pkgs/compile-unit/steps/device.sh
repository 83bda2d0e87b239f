# Compiles the unit for the one target in $targets. $out is the code that the GPU loads.
. "$layOut"
. "$keepMessages"
# shellcheck disable=SC2086
keepMessages "$compiler" $flags $targets -c "$source" -o "$out"
