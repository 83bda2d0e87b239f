# The compiler in $out, all headers in $dev.
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
. "$relocate"
relocate "$out/bin" "$out/lib:$runtime/lib"
relocate "$out/nvvm/bin" "$out/lib:$runtime/lib"
"$out/bin/ptxas" --version
