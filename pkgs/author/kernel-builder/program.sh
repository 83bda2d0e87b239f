mkdir -p "$out/bin"
ln -s "$environment/bin/kernel-builder" "$out/bin/kernel-builder"
