#!/bin/sh
# Runs inside Debian 11: compiles Python 3.11, which it does not have, from Debian 12's source
# package and with Debian 11's own compiler.
set -eu

mirror=$(sed -n 's/^deb \([^ ]*\) .*/\1/p' /etc/apt/sources.list | head -n 1)
echo "deb-src $mirror bookworm main" >/etc/apt/sources.list.d/source.list
apt-get -qq update

mkdir -p /source/python
cd /source
apt-get -qq source --download-only python3.11
tar xf python3.11_*.orig.tar.* -C python --strip-components=1
cd python
./configure --quiet --disable-test-modules --without-ensurepip
make --quiet -j"$(nproc)"
make --quiet install
# The modules that Torch or pip import and that are left out silently where a library is missing.
python3.11 -c 'import bz2, ctypes, lzma, ssl, venv, zlib'
