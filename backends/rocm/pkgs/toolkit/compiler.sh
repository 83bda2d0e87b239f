# Puts compiler and runtime into $out, and headers into $dev.
. "$unpack"
unpack_rpms "$out"
mkdir "$dev"
mv "$out/include" "$dev/include"
ln -s "$dev/include" "$out/include"

llvm=$out/lib/llvm
. "$relocate"
relocate "$llvm/bin" "$llvm/lib:$out/lib:$runtime/lib"

mkdir -p "$out/bin"
for tool in clang clang++; do
  rm -f "$out/bin/$tool"
  cat >"$out/bin/$tool" <<END
#!$busybox/bin/sh
exec $llvm/bin/$tool --sysroot=$toolchain --gcc-install-dir=$toolchain/usr/lib/gcc/$triple/$gcc_version \
  --rocm-path=$out --rocm-device-lib-path=$out/amdgcn/bitcode "\$@"
END
  chmod +x "$out/bin/$tool"
done
ln -sf "$llvm/bin/clang-offload-bundler" "$llvm/bin/lld" "$out/bin/"
"$out/bin/clang++" --version
