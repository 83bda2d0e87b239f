# Debian's pyconfig.h only includes the processor's own file, which replaces it here.
mkdir -p "$out"
cp -a "$tree/usr/include/python3.11" "$out/include"
chmod -R u+w "$out/include"
cp "$tree/usr/include/$triple/python3.11/pyconfig.h" "$out/include/pyconfig.h"
