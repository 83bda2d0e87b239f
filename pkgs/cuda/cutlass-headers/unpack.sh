# Headers of CUTLASS in $out/include.
mkdir parts
case $source in
  *.whl) unzip -q "$source" 'cutlass_library/source/*' '*LICENSE*' -d parts ;;
  *.tar.gz) tar -xzf "$source" -C parts ;;
  *) tar -xJf "$source" -C parts ;;
esac
mkdir -p "$out/include"
for folder in parts/* parts/cutlass_library/source; do
  for part in include tools/util/include; do
    if [ -d "$folder/$part/cutlass" ]; then
      cp -a "$folder/$part/." "$out/include/"
    fi
  done
done
find parts -name 'LICENSE*' -maxdepth 2 -exec cp {} "$out/" ';'
chmod -R u+w "$out"
test -e "$out/include/cutlass/cutlass.h"
