# Merges $programs into $sysroot, makes them run with the build machine's libraries, and adds the
# plain names (`g++`, `ld`, …) in `bin`.
mkdir "$out"
cp -a "$sysroot/." "$out/"
chmod -R u+w "$out"
cp -a "$programs/." "$out/"
chmod -R u+w "$out"
cd "$out"
ln -s usr/lib lib

# An absolute link would leave the sysroot.
mkdir -p usr/lib64
ln -sfn "../lib/$triple/$loader" "usr/lib64/$loader"
[ -e "usr/lib/$triple/$loader" ] || cp -a "usr/lib/$loader" "usr/lib/$triple/$loader"
ln -sfn usr/lib64 lib64

# A cross compiler looks for its own files and for the headers of C++ in other folders.
own=usr/lib/gcc-cross/$triple/$version
cp -a "usr/lib/gcc/$triple/$version/." "$own/"
rm -r usr/lib/gcc
ln -s gcc-cross usr/lib/gcc
mkdir -p "usr/$triple/include/c++"
ln -s "../../../include/c++/$version" "usr/$triple/include/c++/$version"
ln -s "../../$triple/c++/$version" "usr/include/c++/$version/$triple"

. "$relocate"
relocate "$out/usr/bin" "$runtime/lib:$out/usr/lib/$hostTriple"
relocate "$out/$own" "$runtime/lib:$out/usr/lib/$hostTriple"

mkdir bin
for tool in g++ gcc cpp; do
  printf '#!%s/bin/sh\nexec %s/usr/bin/%s-%s-%s --sysroot=%s "$@"\n' "$busybox" "$out" "$triple" "$tool" "$version" "$out" >"bin/$tool"
  chmod +x "bin/$tool"
done
ln -s g++ bin/c++
ln -s gcc bin/cc
for tool in addr2line ar as c++filt ld nm objcopy objdump ranlib readelf size strings strip; do
  ln -s "../usr/bin/$triple-$tool" "bin/$tool"
done
echo 'int main() { }' | bin/g++ -x c++ - -o /dev/null -include vector
