# The compiler and HIP's library in $out, HIP's headers in $dev. Both trees lie over each other, as
# they do where they are installed: the device libraries belong into a folder of clang's.
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
# Of its tools, those that a unit is compiled with.
for tool in "$llvm"/bin/*; do
  case ${tool##*/} in
    clang | clang++ | clang-[0-9]* | clang-offload-bundler | lld | ld.lld) ;;
    *) rm -f "$tool" ;;
  esac
done
# Newer than the C library of the set, so it brings its own.
[ -e "$out/lib/$triple/$loader" ] || ln -s "$out/lib/$loader" "$out/lib/$triple/$loader"
export loader_path=$out/lib/$triple/$loader
# LLVM's libraries look for others in this folder, from beside them, and not where programs say.
ln -s "$triple" "$out/lib/lib"
. "$relocate"
relocate "$llvm/bin" "$out/lib/$triple:$llvm/lib"
# The bundler wants it to be there, and needs it for bundles in objects only.
ln -s "$toolchain/bin/objcopy" "$llvm/bin/llvm-objcopy"

mkdir "$out/bin"
device_libraries=$(echo "$llvm"/lib/clang/*/amdgcn/bitcode)
for tool in clang clang++; do
  cat >"$out/bin/$tool" <<END
#!$busybox/bin/sh
exec $llvm/bin/$tool --sysroot=$toolchain --gcc-install-dir=$toolchain/usr/lib/gcc/$triple/$gcc_version \
  --rocm-path=$out --rocm-device-lib-path=$device_libraries "\$@"
END
  chmod +x "$out/bin/$tool"
done
ln -s "$llvm/bin/clang-offload-bundler" "$llvm/bin/lld" "$out/bin/"
ln -s "$triple/libamdhip64.so" "$out/lib/libamdhip64.so"
"$out/bin/clang++" --version
