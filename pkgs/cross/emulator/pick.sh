# The package has a program for every processor; only one is unpacked.
mkdir -p "$out/bin"
ar -p "$archive" data.tar.xz | tar -xJ "./usr/bin/qemu-$machine-static"
mv "usr/bin/qemu-$machine-static" "$out/bin/emulate"
"$out/bin/emulate" --version | head -n 1
