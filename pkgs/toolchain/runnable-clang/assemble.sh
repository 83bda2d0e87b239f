# Puts the programs and their libraries into $out/lib, with $out/bin as a link to the programs.
# The compiler finds its own headers in a folder beside that of its program.
llvm=$(echo "$tree"/usr/lib/llvm-*)
own=$out/lib/${llvm##*/}
mkdir -p "$own/bin" "$own/lib"
cp -dR "$tree/usr/lib/$triple" "$out/lib/$triple"
cp -dR "$llvm"/lib/*.so* "$own/lib/"
cp -RL "$llvm/lib/clang" "$own/lib/clang"
for tool in clang lld; do cp -L "$llvm/bin/$tool" "$own/bin/$tool"; done
chmod -R u+w "$out/lib"
[ -e "$out/lib/$triple/$loader" ] || cp -L "$tree/usr/lib/$loader" "$out/lib/$triple/$loader"
export loader_path=$out/lib/$triple/$loader
# LLVM's libraries look for others relative to themselves, in this folder.
ln -s "$triple" "$out/lib/lib"
. "$relocate"
relocate "$own/bin" "$out/lib/$triple:$own/lib"
# The program's name chooses C++, and the linker of macOS.
ln -s clang "$own/bin/clang++"
ln -s lld "$own/bin/ld64.lld"
ln -s "lib/${llvm##*/}/bin" "$out/bin"
"$out/bin/clang++" --version
