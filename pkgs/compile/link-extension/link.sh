# Links $objects to $out/$extension.abi3.so. Only the entry point that Python calls is
# visible outside: whatever else two kernels have in common stays apart.
mkdir "$out"
cp "$nameSource" name.c
gcc -O2 -fPIC -DPy_LIMITED_API=0x03090000 -DEXTENSION_NAME="$extension" ${module:+-DEXTENSION_MODULE} \
  -isystem "$pythonHeaders/include" -c name.c -o name.o
cat >exports.map <<END
{ global: PyInit_$extension; local: *; };
END
# libstdc++ comes before Torch, whose libraries happen to have some of its functions too:
# which ones differs from one Torch to the next.
# shellcheck disable=SC2086
exec g++ -shared -o "$out/$extension.abi3.so" $objects name.o \
  -L"$glibcStubs/lib" -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic $libraryFolders -Wl,--as-needed $libraries -lgomp \
  -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,--version-script=exports.map \
  -Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,-O1 -Wl,--build-id=none
