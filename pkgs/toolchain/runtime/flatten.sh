# Gathers the libraries of $tree in one folder and tries the loader on it.
mkdir -p "$out/lib"
cp -a "$tree/usr/lib/$triple/." "$out/lib/"
chmod -R u+w "$out/lib"
rm -rf "$out/lib/gconv" "$out/lib/audit"
# Some packages keep the loader elsewhere and put a link of its own here.
[ -e "$out/lib/$loader" ] || cp -a "$tree/usr/lib/$loader" "$out/lib/$loader"
"$out/lib/$loader" --library-path "$out/lib" --list "$out/lib/libstdc++.so.6" >/dev/null
