# Puts the compiler into $out, and all headers into $dev.
. "$unpack"
unpack_toolkit toolkit
mkdir "$out" "$dev"
mv toolkit/include "$dev/include"
cp -a toolkit/. "$out/"
chmod -R u+w "$out"
chmod -R +x "$out/bin" "$out/nvvm/bin"
ln -s "$dev/include" "$out/include"
ln -s lib "$out/lib64"
cd "$out/lib"
for library in *.so.*; do
  ln -sf "$library" "${library%%.so.*}.so"
done

# A stub of the driver's library for the linker, as in NVIDIA's own toolkit. The driver brings the real library.
# The functions return CUDA_ERROR_STUB_LIBRARY. cuda.h has other names in each of its modes.
for mode in _ CUDA_API_PER_THREAD_DEFAULT_STREAM __CUDA_API_VERSION_INTERNAL; do
  gcc "-D$mode" -E -P "$dev/include/cuda.h"
done | tr '\n' ' ' | grep -oE 'CUresult +cu[A-Za-z0-9_]+ *\(' | tr -d '(' | sort -u |
  while read -r _ name; do echo "int $name(void) { return 34; }"; done >"$TMPDIR/driver.c"
mkdir stubs
gcc -O2 -shared -fPIC -nostdlib -Wl,-soname,libcuda.so.1 -Wl,--build-id=none "$TMPDIR/driver.c" -o stubs/libcuda.so.1
ln -s libcuda.so.1 stubs/libcuda.so

. "$relocate"
relocate "$out/bin" "$out/lib:$runtime/lib"
relocate "$out/nvvm/bin" "$out/lib:$runtime/lib"
if [ -n "${other-}" ]; then
  cp -f "$other/bin/ptxas" "$other/bin/nvlink" "$out/bin/"
  cp -f "$other/nvvm/bin/"* "$out/nvvm/bin/"
fi
"$out/bin/ptxas" --version
