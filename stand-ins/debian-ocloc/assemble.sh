# Puts the program into $out/bin, and all libraries with Debian's newer C library into $out/lib.
mkdir -p "$out/bin" "$out/lib"
cp -dR "$tree/usr/lib/$triple/." "$out/lib/"
# The program's name contains its release.
cp -L "$tree"/usr/bin/ocloc-* "$out/bin/ocloc"
chmod -R u+w "$out"
[ -e "$out/lib/$loader" ] || cp -L "$tree/usr/lib64/$loader" "$out/lib/$loader"
export loader_path=$out/lib/$loader
. "$relocate"
relocate "$out/bin" "$out/lib"
