# Unpacks $archives into $out, and leaves documentation behind.
mkdir "$out"
cd "$out"
for archive in $archives; do
  case $(ar -t "$archive") in
    *data.tar.xz*) ar -p "$archive" data.tar.xz | tar -xJ ;;
    *data.tar.gz*) ar -p "$archive" data.tar.gz | tar -xz ;;
    *) echo "$archive: neither data.tar.xz nor data.tar.gz in it" >&2; exit 1 ;;
  esac
done
rm -rf usr/share/doc usr/share/man usr/share/locale usr/share/lintian usr/share/bug
# Debian merges these into /usr when it installs.
for folder in bin sbin lib lib64; do
  if [ -d "$folder" ] && [ ! -L "$folder" ]; then
    mkdir -p "usr/$folder"
    cp -a "$folder/." "usr/$folder/"
    rm -rf "$folder"
  fi
done
