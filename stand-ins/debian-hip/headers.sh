# The headers of $tree, without libraries.
mkdir -p "$out/lib"
cp -a "$tree/usr/include" "$out/include"
