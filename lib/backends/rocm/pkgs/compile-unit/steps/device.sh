# Compiles the unit for the one target in $targets: $out is the code that the GPU loads.
. "$layout"
# shellcheck disable=SC2086
exec "$compiler" $flags --offload-device-only --no-gpu-bundle-output -c "$source" -o "$out"
