# Compiles the host's part of the unit, which knows the GPU's part by the declarations in $code.
. "$layOut"
printf '#include "%s"\n#include "%s"\n' "$PWD/$source" "$code/footer.h" >"$TMPDIR/unit.cpp"
# shellcheck disable=SC2086
exec sycl-host-pass $flags -include "$code/header.h" -c "$TMPDIR/unit.cpp" -o "$out"
