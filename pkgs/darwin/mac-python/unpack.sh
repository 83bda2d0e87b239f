# The archive has one folder, `python`.
tar -xzf "$source"
mv python "$out"
mkdir -p "$dev"
cp -R "$out/include/python3.11" "$dev/include"
