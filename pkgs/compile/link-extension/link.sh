# Links $objects to $out/$file. Only what $exports says is visible outside, the entry points by
# which it is used: whatever else two kernels have in common stays apart.
mkdir "$out"
# What the linker's flags call `exports.map`.
cat >exports.map <<END
{ global: $exports; local: *; };
END

# One word a line; none is split or expanded.
set -f
IFS='
'
cp "$nameSource" name.c
# shellcheck disable=SC2086
"$nameProgram" $nameFlags -c name.c -o name.o
# shellcheck disable=SC2086
exec "$program" $flags -o "$out/$file" $objects name.o $arguments
