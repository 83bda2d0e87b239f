# The headers of a library, and of libraries none.
. "$unpack"
unpack_rpms toolkit
mkdir -p "$out/lib"
mv toolkit/include "$out/include"
