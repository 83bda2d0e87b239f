# Links the device code of all objects into $out. Each line is one word, which the shell must not split or expand.
set -f
IFS='
'
case $flags in
  *@spirv-extensions@*)
    # -spirv-ext replaces the compiler's list of extensions. Without this list, code can be wrong and no tool reports it.
    echo 'int main() { return 0; }' >probe.cpp
    "$program" -fsycl -fsycl-targets=spir64_gen '-###' probe.cpp >commands 2>&1 || {
      cat commands >&2
      exit 1
    }
    extensions=$(sed -n 's/.*-spirv-ext=\(-all,\)\{0,1\}\(+[^" ]*\).*/\2/p' commands | head -n 1)
    if [ -z "$extensions" ]; then
      cat commands >&2
      echo "$program -### gives no -spirv-ext to its translator, so its own extensions are unknown" >&2
      exit 1
    fi
    flags=$(printf '%s\n' "$flags" | sed "s/@spirv-extensions@/$extensions/")
    ;;
esac
# shellcheck disable=SC2086
exec "$program" $flags -o "$out" "@$objectsPath"
