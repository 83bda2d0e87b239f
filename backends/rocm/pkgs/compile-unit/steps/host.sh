# Compiles the host pass of the unit. The device code is in another object under the name $symbol. Without
# device code, clang leaves an undefined symbol of its own, which gets this name.
. "$layOut"
. "$keepMessages"
# shellcheck disable=SC2086
keepMessages "$compiler" $flags $targets -c "$source" -o "$TMPDIR/host.o"
unset IFS
open=$("$toolchain/bin/nm" --undefined-only "$TMPDIR/host.o" | grep -o '__hip_fatbin.*' || true)
# The registration handle must be local to the unit as well.
"$toolchain/bin/objcopy" --wildcard --localize-symbol='__hip_gpubin_handle*' \
  ${open:+--redefine-sym "$open=$symbol"} "$TMPDIR/host.o" "$out"
