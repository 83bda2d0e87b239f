# The program in $out/bin, and all libraries in $out/lib: it loads them by their names alone.
mkdir -p "$out/bin" "$out/lib"
find "$tree" -name '*.so*' -exec cp -P {} "$out/lib/" \;
# It is called by its release, of which there is one.
cp "$tree"/usr/bin/ocloc-* "$out/bin/ocloc"
chmod -R u+w "$out"
. "$relocate"
relocate "$out/bin" "$out/lib:$runtime/lib"
