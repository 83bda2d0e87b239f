# Intel's library and SYCL's runtime go into $out/lib, SYCL's headers into $dev, and programs that compile with them into $out/bin.
mkdir -p "$out/bin" "$out/lib" "$dev"
for wheel in $sources; do
  mkdir wheel
  unzip -q "$wheel" -d wheel
  cp -R wheel/*.data/data/. .
  rm -rf wheel
done
for file in lib/libhwloc.so* lib/libimf.so lib/libintlc.so* lib/libirng.so lib/libsvml.so lib/libsycl-jit.so lib/libsycl.so* lib/libumf.so* \
  lib/libur_adapter_opencl.so* lib/libur_loader.so* lib/libsycl-fallback-*.spv; do
  case $file in *'*'* | *-gdb.py) ;; *) mv "$file" "$out/lib/" ;; esac
done
mv lib/clang "$out/lib/clang"
mv include "$dev/include"
# Other compilers would read this header in place of their own, and only Intel's can.
rm -f "$dev/include/complex"
ln -s "$dev/include" "$out/include"

. "$relocate"
mkdir "$out/libexec"
PATH=$toolchain/bin:$PATH g++ -std=c++17 -O1 -Wall -Werror "-DSYCL_LIB=\"$out/lib\"" "$devicePass" -o "$out/libexec/sycl-device-pass" -ldl
relocate "$out/libexec" "$out/lib:$runtime/lib"

set -- "$out"/lib/libsycl.so.*
runtime_version=${1##*/libsycl.so.}
# Later releases link all of Intel's device libraries, which these do not bring.
libraries=
[ "${runtime_version%%.*}" != 8 ] || libraries=-fno-sycl-device-lib=all
options="--sysroot=$toolchain --gcc-install-dir=$toolchain/usr/lib/gcc/$triple/$gcc_version"
# sycl-device-pass FOLDER FILE FLAGS…
cat >"$out/bin/sycl-device-pass" <<END
#!$busybox/bin/sh
export LD_LIBRARY_PATH=$out/lib:$runtime/lib
folder=\$1 file=\$2
shift 2
exec $out/libexec/sycl-device-pass "\$folder" ${runtime_version%%.*} "\$file" --intel $libraries $options "\$@" -isystem $dev/include
END
# sycl-host-pass FLAGS…
{
  printf '#!%s/bin/sh\nprogram=%s\noptions="%s"\n' "$busybox" "$clang/bin/clang++" "$options"
  cat "$hostPass"
} >"$out/bin/sycl-host-pass"
# Links extensions, which have no more code for a GPU to link.
{
  printf '#!%s/bin/sh\nlinker=%s\n' "$busybox" "$toolchain/bin/g++"
  cat "$link"
} >"$out/bin/icpx"
chmod +x "$out"/bin/*

if [ -n "$bfloat16" ]; then
  for library in fallback native; do
    SYCL_BITCODE=$out/lib/libsycl-$library-bfloat16.bc "$out/bin/sycl-device-pass" . "$bfloat16"
  done
fi

printf '#include <sycl/sycl.hpp>\nvoid run(sycl::queue &queue) { queue.single_task([] {}); }\n' >own.cpp
mkdir own
"$out/bin/sycl-device-pass" own own.cpp -Xclang -fsycl-int-header=own/header.h -Xclang -fsycl-int-footer=own/footer.h
[ -s own/0.spv ]
"$out/bin/sycl-host-pass" -include own/header.h -isystem "$dev/include" -c own.cpp -o own.o
