mkdir -p "$out/bin" "$out/lib/python3.11/site-packages"
cp -a "$tree"/usr/lib/"$triple"/libffi.so* "$out/lib/"
cp "$tree/usr/bin/shellcheck" "$out/bin/shellcheck"
chmod u+w "$out/bin/shellcheck"
patchelf --set-interpreter "$loader_path" --force-rpath --set-rpath "$out/lib:$runtime/lib" "$out/bin/shellcheck"
"$out/bin/shellcheck" --version
