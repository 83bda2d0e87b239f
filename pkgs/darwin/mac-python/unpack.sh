# The archive has one folder, `python`.
tar -xzf "$source"
mv python "$out"
mkdir -p "$dev"
cp -R "$out/include/python$pythonVersion" "$dev/include"
