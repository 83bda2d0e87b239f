# relocate FOLDER LIBRARIES: makes every program under FOLDER run with $loader_path and
# find its libraries in LIBRARIES. Libraries stay as they are: a forced run path of the
# program holds for all that it loads.
relocate() {
  find "$1" -type f -perm -100 ! -name '*.so*' | while read -r file; do
    case $(head -c 4 "$file" | od -An -tx1) in
      ' 7f 45 4c 46') ;;
      *) continue ;;
    esac
    if patchelf --print-interpreter "$file" >/dev/null 2>&1; then
      patchelf --set-interpreter "$loader_path" --force-rpath --set-rpath "$2" "$file"
    fi
  done
}
