# Unpacks $source into site-packages, and moves the parts of its `.data` folder to their places.
site=$out/$sitePackages
mkdir -p "$site"
cd "$site"
unzip -q "$source"
for data in *.data; do
  [ -d "$data" ] || continue
  for part in "$data"/*; do
    case ${part##*/} in
      purelib | platlib) cp -a "$part/." . ;;
      scripts) mkdir -p "$out/bin" && cp -a "$part/." "$out/bin/" && chmod -R +x "$out/bin" ;;
      data) cp -a "$part/." "$out/" ;;
    esac
  done
  rm -rf "$data"
done
. "$relocate"
relocate "$out" "$runtime/lib"
