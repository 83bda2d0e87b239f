# Debian's pyconfig.h only includes the processor's own file, which replaces it here.
mkdir -p "$out"
cp -a "$tree/usr/include/python$pythonVersion" "$out/include"
chmod -R u+w "$out/include"
cp "$tree/usr/include/$triple/python$pythonVersion/pyconfig.h" "$out/include/pyconfig.h"
