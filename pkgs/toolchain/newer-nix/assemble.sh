# Nix and its links in $out/bin, and all that it loads in $out/lib, with a loader of its own: its C library is newer than the set's.
mkdir -p "$out/bin" "$out/lib"
cp -RP "$tree/usr/bin/." "$out/bin/"
cp -RP "$tree/usr/lib/$triple/." "$out/lib/"
chmod -R u+w "$out"
[ -e "$out/lib/$loader" ] || cp -RP "$tree/usr/lib/$loader" "$out/lib/$loader"
# Debian's Nix is one program; libraries have modules for programs that are not here.
find "$out/lib" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
loader_path=$(readlink -f "$out/lib/$loader")
export loader_path
. "$relocate"
relocate "$out/bin" "$out/lib"
"$out/bin/nix" --version
