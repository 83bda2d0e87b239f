# Puts only the headers of a library into $out.
. "$unpack"
unpack_rpms toolkit
mkdir -p "$out/lib"
mv toolkit/include "$out/include"
