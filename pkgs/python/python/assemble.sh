# Puts Python into bin/ and lib/, and makes it run with the libraries of this package set.
program=python$pythonVersion
mkdir -p "$out/bin" "$out/lib"
cp -a "$tree/usr/lib/$program" "$out/lib/$program"
cp -a "$tree/usr/lib/$triple/." "$out/lib/"
cp -a "$tree/usr/bin/$program" "$out/bin/$program"
chmod -R u+w "$out"
ln -s "$program" "$out/bin/python3"
ln -s "$program" "$out/bin/python"
# Remove links into /etc: without a sandbox they would lead to files of the machine.
find "$out/lib" -type l | while read -r link; do
  case $(readlink "$link") in
    /*) rm "$link" ;;
    *) [ -e "$link" ] || rm "$link" ;;
  esac
done

patchelf --set-interpreter "$loader_path" --force-rpath --set-rpath "$out/lib:$runtime/lib" "$out/bin/$program"
for library in $preloaded; do
  patchelf --add-needed "$library" "$out/bin/$program"
done

# A setup.py would use headers and libraries of the machine from there.
sed -i -E "s#'/usr/(include|lib)#'$out/\1#" "$out/lib/$program"/_sysconfigdata_*.py

cp "$siteCustomisation" "$out/lib/$program/sitecustomize.py"

# Tests are a third of the standard library.
rm -rf "$out/lib/$program/test" "$out/lib/$program/__pycache__"
# Bytecode is checked by content, not by time. -B keeps the compiling Python from adding its own.
"$out/bin/python3" -I -B -m compileall -q -f --invalidation-mode unchecked-hash "$out/lib/$program"
"$out/bin/python3" -I -B -c 'import bz2, ctypes, lzma, sqlite3, ssl, uuid, zlib'
