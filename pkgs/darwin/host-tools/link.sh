# Links each program that builders call. `time` is our own script.
mkdir -p "$out/bin"
for tool in awk basename bash cat chmod cmp cp cut date dirname env find grep head id install ln ls mkdir mktemp mv od \
  plutil printf readlink rm sed sort sw_vers tail tar touch tr uname uniq unzip wc xargs xcode-select xcrun; do
  for folder in /bin /usr/bin; do
    if [ -x "$folder/$tool" ]; then
      ln -s "$folder/$tool" "$out/bin/$tool"
      break
    fi
  done
done
# `sh` of macOS is bash, where `time` is a keyword.
ln -s /bin/dash "$out/bin/sh"
cp "$time" "$out/bin/time"
chmod +x "$out/bin/time"
