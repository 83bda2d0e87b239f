# Copies $tree, makes its programs run with the set's own libraries, and adds the plain
# names (`g++`, `ld`, …) in `bin`.
mkdir "$out"
cp -a "$tree/." "$out/"
chmod -R u+w "$out"
cd "$out"
ln -s usr/lib lib

# An absolute link would leave the sysroot.
mkdir -p usr/lib64
ln -sfn "../lib/$triple/$loader" "usr/lib64/$loader"
[ -e "usr/lib/$triple/$loader" ] || cp -a "usr/lib/$loader" "usr/lib/$triple/$loader"
ln -sfn usr/lib64 lib64

. "$relocate"
relocate "$out/usr/bin" "$runtime/lib:$out/usr/lib/$triple"
relocate "$out/usr/lib/gcc" "$runtime/lib:$out/usr/lib/$triple"

mkdir bin
for tool in g++ gcc cpp; do
  printf '#!%s/bin/sh\nexec %s/usr/bin/%s-12 --sysroot=%s "$@"\n' "$busybox" "$out" "$tool" "$out" >"bin/$tool"
  chmod +x "bin/$tool"
done
ln -s g++ bin/c++
ln -s gcc bin/cc
for tool in addr2line ar as c++filt ld nm objcopy objdump ranlib readelf size strings strip; do
  ln -s "../usr/bin/$triple-$tool" "bin/$tool"
done
# collect2 looks for `ld`, `nm` and `strip`, the compiler for `as`, beside the program it was started as.
for tool in as ld nm strip; do
  ln -sf "$triple-$tool" "usr/bin/$tool"
done
