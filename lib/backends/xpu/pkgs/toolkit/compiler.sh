# Intel's tree in $out/oneapi, its headers in $dev; compilers that use the set's own C library in $out/bin.
mkdir -p "$out/oneapi" parts
for source in $sources; do
  (cd parts && rpm2cpio "$source" | cpio -idmu)
done
# Each component has a folder, in it one for its version, and a link that calls that the latest.
for part in parts/opt/intel/oneapi/*/*; do
  if [ -d "$part" ] && [ ! -L "$part" ]; then
    cp -af "$part/." "$out/oneapi/"
  fi
done
rm -rf parts
chmod -R u+w "$out"

# Only Intel's compiler can read this one, and others would take it for their own.
rm -f "$out/oneapi/include/complex"
mkdir "$dev" "$out/bin"
mv "$out/oneapi/include" "$dev/include"
ln -s "$dev/include" "$out/oneapi/include"
ln -s oneapi/lib "$out/lib"

. "$relocate"
relocate "$out/oneapi/bin" "$out/oneapi/lib:$runtime/lib"
for tool in icx icpx; do
  cat >"$out/bin/$tool" <<END
#!$busybox/bin/sh
exec $out/oneapi/bin/$tool --sysroot=$toolchain --gcc-install-dir=$toolchain/usr/lib/gcc/$triple/$gcc_version "\$@"
END
  chmod +x "$out/bin/$tool"
done
"$out/bin/icpx" --version
