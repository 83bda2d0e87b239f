# Links $objects to $out/$extension.abi3.so. Only the entry point that Python calls is
# visible outside: whatever else two kernels have in common stays apart.
mkdir "$out"
# What the linker's flags call `exports.map`.
cat >exports.map <<END
{ global: PyInit_$extension; local: *; };
END

# One word a line; none is split or expanded.
set -f
IFS='
'
cp "$nameSource" name.c
# shellcheck disable=SC2086
"$nameProgram" $nameFlags -c name.c -o name.o
# shellcheck disable=SC2086
exec "$program" $flags -o "$out/$extension.abi3.so" $objects name.o $arguments
