# Compiles the host's part of the unit. Its device code is in another object, as $symbol: without
# device code at hand, clang leaves a name of its own open for it.
. "$layOut"
# shellcheck disable=SC2086
"$compiler" $flags $targets -c "$source" -o "$TMPDIR/host.o"
unset IFS
open=$("$toolchain/bin/nm" --undefined-only "$TMPDIR/host.o" | grep -o '__hip_fatbin.*' || true)
# The handle of what is registered is the unit's own, too.
"$toolchain/bin/objcopy" --wildcard --localize-symbol='__hip_gpubin_handle*' \
  ${open:+--redefine-sym "$open=$symbol"} "$TMPDIR/host.o" "$out"
