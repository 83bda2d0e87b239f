# The headers of $tree, and of libraries none.
mkdir -p "$out/lib"
cp -a "$tree/usr/include" "$out/include"
