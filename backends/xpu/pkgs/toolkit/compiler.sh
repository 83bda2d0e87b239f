# Puts Intel's tree into $out/oneapi, its headers into $dev, and compilers that use this package set's C library into $out/bin.
mkdir -p "$out/oneapi" parts
for source in $sources; do
  (cd parts && rpm2cpio "$source" | cpio -idmu)
done
# The folder of each component has a folder for its version, and a link `latest` to it.
for part in parts/opt/intel/oneapi/*/*; do
  if [ -d "$part" ] && [ ! -L "$part" ]; then
    cp -af "$part/." "$out/oneapi/"
  fi
done
rm -rf parts
chmod -R u+w "$out"

# Other compilers would read this header in place of their own, and only Intel's can.
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
