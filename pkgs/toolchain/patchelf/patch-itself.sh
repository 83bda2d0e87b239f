# Started through the loader by hand, patchelf can make the copy of itself that needs no such help.
mkdir -p "$out/bin"
"$runtime/lib/$loader" --library-path "$runtime/lib" "$tree/usr/bin/patchelf" \
  --set-interpreter "$runtime/lib/$loader" \
  --force-rpath --set-rpath "$runtime/lib" \
  --output "$out/bin/patchelf" "$tree/usr/bin/patchelf"
"$out/bin/patchelf" --version
