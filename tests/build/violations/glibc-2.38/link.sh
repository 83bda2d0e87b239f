# Links $object with a C library that claims to be newer than there is one.
mkdir "$out"
echo 'GLIBC_2.38 { local: memory_copy; };' >libc.map
gcc -shared -nostdlib -Wl,-soname,libc.so.6 -Wl,--version-script=libc.map -o libc.so.6 "$libc"
echo '{ global: PyInit_*; local: *; };' >exports.map
exec gcc -shared -nostdlib -Wl,--version-script=exports.map -Wl,--build-id=none \
  -o "$out/_tiny_cpu_0.abi3.so" "$object" ./libc.so.6
