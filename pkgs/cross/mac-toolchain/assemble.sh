# Debian's clang and linker in $out/lib, headers and stubs of macOS in $out/sdk, and programs with the names of Apple's in $out/bin.
mkdir -p "$out/bin" "$out/lib" "$out/sdk/usr/lib" "$out/sdk/usr/include/c++"

# The compiler finds its own headers in a folder beside that of its program.
llvm=$(echo "$clang"/usr/lib/llvm-*)
own=$out/lib/${llvm##*/}
mkdir -p "$own/bin" "$own/lib"
cp -a "$clang/usr/lib/$triple" "$out/lib/$triple"
cp -a "$llvm"/lib/*.so* "$own/lib/"
cp -RL "$llvm/lib/clang" "$own/lib/clang"
for tool in clang lld; do cp -L "$llvm/bin/$tool" "$own/bin/$tool"; done
chmod -R u+w "$out/lib"
# These programs need a newer C library than that of the set, so they get Debian's own.
[ -e "$out/lib/$triple/$loader" ] || cp -L "$clang/usr/lib/$loader" "$out/lib/$triple/$loader"
export loader_path=$out/lib/$triple/$loader
# LLVM's libraries look for others relative to themselves, in this folder.
ln -s "$triple" "$out/lib/lib"
. "$relocate"
relocate "$own/bin" "$out/lib/$triple:$own/lib"
# The program's name chooses the linker of macOS, and C++.
ln -s lld "$own/bin/ld64.lld"
ln -s clang "$own/bin/clang++"

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
options="--target=arm64-apple-macosx -isysroot $out/sdk --ld-path=$own/bin/ld64.lld -mlinker-version=820 -Wno-unused-command-line-argument"
for tool in clang clang++; do
  {
    printf '#!%s/bin/sh\nprogram=%s\noptions="%s"\n' "$busybox" "$own/bin/$tool" "$options"
    cat "$call"
  } >"$out/bin/$tool"
  chmod +x "$out/bin/$tool"
done
ln -s "$cxxfilt" "$out/bin/c++filt"

printf '#include <string>\nstd::string name() { return std::to_string(1); }\n' >own.cpp
"$out/bin/clang++" -mmacosx-version-min=15.0 -dynamiclib own.cpp -o own.dylib
