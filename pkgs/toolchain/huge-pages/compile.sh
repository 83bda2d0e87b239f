# Makes the library out of $source.
mkdir "$out"
gcc -O2 -fPIC -shared -s -o "$out/huge-pages.so" "$source"
