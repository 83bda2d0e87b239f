# The compiler and HIP's library go into $out, HIP's headers into $dev. The two trees are merged as in an installation,
# because the device libraries belong in a folder of clang.
mkdir "$out" "$dev"
cp -a "$clang/usr/lib" "$out/lib"
chmod -R u+w "$out/lib"
cp -a "$hip/usr/lib/." "$out/lib/"
chmod -R u+w "$out/lib"
mkdir "$dev/include"
cp -a "$hip/usr/include/." "$dev/include/"
ln -s "$dev/include" "$out/include"
if [ -d "$hip/usr/share/hip" ]; then
  mkdir "$out/share"
  cp -a "$hip/usr/share/hip" "$out/share/hip"
fi

llvm=$(echo "$out"/lib/llvm-*)
# Keep only the tools that compile units.
for tool in "$llvm"/bin/*; do
  case ${tool##*/} in
    clang | clang++ | clang-[0-9]* | clang-offload-bundler | lld | ld.lld) ;;
    *) rm -f "$tool" ;;
  esac
done
# The programs need a newer C library than that of the set, so they get Debian's own.
[ -e "$out/lib/$triple/$loader" ] || ln -s "$out/lib/$loader" "$out/lib/$triple/$loader"
export loader_path=$out/lib/$triple/$loader
# LLVM's libraries look for others relative to themselves, in this folder.
ln -s "$triple" "$out/lib/lib"
. "$relocate"
relocate "$llvm/bin" "$out/lib/$triple:$llvm/lib"
# The bundler requires this file, but uses it only for bundles in objects.
ln -s "$toolchain/bin/objcopy" "$llvm/bin/llvm-objcopy"

mkdir "$out/bin"
device_libraries=$(echo "$llvm"/lib/clang/*/amdgcn/bitcode)
for tool in clang clang++; do
  cat >"$out/bin/$tool" <<END
#!$busybox/bin/sh
exec $llvm/bin/$tool --sysroot=$toolchain --gcc-install-dir=$toolchain/usr/lib/gcc/$triple/$gcc_version \
  --rocm-path=$out --rocm-device-lib-path=$device_libraries ${prelude:+-include $prelude} "\$@"
END
  chmod +x "$out/bin/$tool"
done
ln -s "$llvm/bin/clang-offload-bundler" "$llvm/bin/lld" "$out/bin/"
ln -s "$triple/libamdhip64.so" "$out/lib/libamdhip64.so"
"$out/bin/clang++" --version
