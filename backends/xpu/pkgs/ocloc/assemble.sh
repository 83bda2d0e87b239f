# Puts the program into $out/bin, and all libraries into $out/lib, because it loads them by name.
mkdir -p "$out/bin" "$out/lib"
find "$tree" -name '*.so*' -exec cp -P {} "$out/lib/" \;
# The program's name contains its release.
cp "$tree"/usr/bin/ocloc-* "$out/bin/ocloc"
chmod -R u+w "$out"
. "$relocate"
relocate "$out/bin" "$out/lib:$runtime/lib"
