# Writes the symbols that each of $libraries defines, and the libraries that it needs, to a file of the library's name in $out.
set -o pipefail
mkdir "$out"
for entry in $libraries; do
  find -H "$entry" -name '*.so*' | sort | while IFS= read -r library; do
    [ "$(head -c 4 "$library" 2>/dev/null | tail -c 3)" = ELF ] || continue
    readelf -d "$library" >dynamic
    name=$(sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p' dynamic)
    {
      sed -n 's/.*(NEEDED).*\[\(.*\)\]/NEEDED \1/p' dynamic
      # Two signs mark the version that a program gets which names none; here all are alike.
      nm -D --defined-only --format=just-symbols "$library" | sed 's/@@/@/' | sort -u
    } >"$out/${name:-${library##*/}}"
  done
done
