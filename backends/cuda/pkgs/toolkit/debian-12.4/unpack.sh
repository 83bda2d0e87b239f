# unpack_toolkit FOLDER: as in ../unpack.sh, but begins with the programs of Debian's package $programs, where NVIDIA's own toolkit has
# them. Debian's /usr/bin/nvcc is a script that calls the real one.
. "$unpackAlone"
mkdir -p debian toolkit/bin toolkit/lib toolkit/nvvm/bin
ar -p "$programs" data.tar.xz | tar -xJ -C debian
rm debian/usr/bin/nvcc
cp -a debian/usr/bin/. toolkit/bin/
cd debian/usr/lib/nvidia-cuda-toolkit
cp -a bin/nvcc bin/crt "$OLDPWD/toolkit/bin/"
cp bin/cicc "$OLDPWD/toolkit/nvvm/bin/"
cp -a libdevice "$OLDPWD/toolkit/nvvm/"
cd "$OLDPWD"
cp "$profile" toolkit/bin/nvcc.profile
# The linker wants this library for relocatable device code, and takes something from it for kernels that start kernels. No registry has
# the real one.
printf '!<arch>\n' >toolkit/lib/libcudadevrt.a
rm -rf debian
