# Writes the symbols that each of $libraries defines to a file of the library's name in $out.
set -o pipefail
mkdir "$out"
for entry in $libraries; do
  find -H "$entry" -name '*.so*' | sort | while IFS= read -r library; do
    [ "$(head -c 4 "$library" 2>/dev/null | tail -c 3)" = ELF ] || continue
    # Two signs mark the version that a program gets which names none; here all are alike.
    nm -D --defined-only --format=just-symbols "$library" | sed 's/@@/@/' | sort -u >"$out/${library##*/}"
  done
done
