# Headers and stubs of macOS in $out/sdk, and programs with the names of Apple's in $out/bin.
mkdir -p "$out/bin" "$out/sdk/usr/lib" "$out/sdk/usr/include/c++"

unzip -q "$wheel" 'ziglang/lib/libc/include/any-darwin-any/*' 'ziglang/lib/libc/darwin/libSystem.tbd' \
  'ziglang/lib/libcxx/include/*' 'ziglang/lib/libcxxabi/include/*'
from=ziglang/lib
include=$out/sdk/usr/include
cp -R "$from/libc/include/any-darwin-any/." "$include/"
cp -R "$from/libcxx/include" "$include/c++/v1"
cp -R "$from/libcxxabi/include/." "$include/c++/v1/"
# Zig gives the settings of libc++ as options.
cp "$configSite" "$include/c++/v1/__config_site"
grep -rl '^/\* zig patch: instead of including __config_site' "$include/c++/v1" >changed
[ -s changed ]
xargs sed -i 's|^/\* zig patch: instead of including __config_site.*|#include <__config_site>|' <changed

cp "$libcxx" "$out/sdk/usr/lib/libc++.tbd"
# The linker does not know these processors.
sed -E 's/arm64e\.x1-mac[a-z]*,? ?//g; s/, *$/,/' "$from/libc/darwin/libSystem.tbd" >"$out/sdk/usr/lib/libSystem.tbd"

# -mlinker-version: without it, the compiler writes the options of an old linker of Apple's, which lld does not know.
options="--target=arm64-apple-macosx -isysroot $out/sdk --ld-path=$clang/bin/ld64.lld -mlinker-version=820 -Wno-unused-command-line-argument"
for tool in clang clang++; do
  {
    printf '#!%s/bin/sh\nprogram=%s\noptions="%s"\n' "$busybox" "$clang/bin/$tool" "$options"
    cat "$call"
  } >"$out/bin/$tool"
  chmod +x "$out/bin/$tool"
done
ln -s "$cxxfilt" "$out/bin/c++filt"

printf '#include <string>\nstd::string name() { return std::to_string(1); }\n' >own.cpp
"$out/bin/clang++" -mmacosx-version-min=15.0 -dynamiclib own.cpp -o own.dylib
