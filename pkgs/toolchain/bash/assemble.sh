mkdir -p "$out/bin" "$out/lib"
cp -a "$tree"/usr/lib/"$triple"/libtinfo.so* "$out/lib/"
cp "$tree/usr/bin/bash" "$out/bin/bash"
chmod u+w "$out/bin/bash"
patchelf --set-interpreter "$loader_path" --force-rpath --set-rpath "$out/lib:$runtime/lib" "$out/bin/bash"
"$out/bin/bash" --version | head -n 1
