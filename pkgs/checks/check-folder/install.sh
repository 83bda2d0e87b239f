mkdir -p "$out/bin" "$out/modules/kernel_builder/messages" "$out/symbols"
cp "$problem" "$out/modules/kernel_builder/messages/problem.py"
cp "$program" "$out/check_folder.py"
cp "$byName" "$out/by_name.py"
ln -s "$facts" "$out/facts.json"
ln -s "$programs" "$out/programs"
# The first list that has a library counts.
number=0
for list in $symbols; do
  number=$((number + 1))
  ln -s "$list" "$out/symbols/$number"
done
# -I keeps the current folder and the user's variables out of the check.
cat >"$out/bin/check-folder" <<END
#!$busybox/bin/sh
exec $python/bin/python3 -I -B -X utf8 $out/check_folder.py "\$@"
END
chmod +x "$out/bin/check-folder"
