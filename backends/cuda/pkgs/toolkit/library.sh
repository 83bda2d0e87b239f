# Puts the library into $out, and its headers into $dev.
. "$unpack"
unpack_toolkit toolkit
mkdir -p "$out/lib" "$dev"
mv toolkit/include "$dev/include"
cp -a toolkit/lib/. "$out/lib/"
cd "$out/lib"
for library in *.so.*; do
  [ -e "$library" ] && ln -sf "$library" "${library%%.so.*}.so"
done
