# Makes $out/bin, with all programs of $real. Those of $programs say how they were called before they run.
mkdir "$out"
ln -s "$real"/* "$out/"
rm "$out/bin"
mkdir "$out/bin"
ln -s "$real"/bin/* "$out/bin/"
for program in $programs; do
  [ -e "$real/bin/$program" ] || continue
  rm "$out/bin/$program"
  cat >"$out/bin/$program" <<END
#!$busybox/bin/sh
{
  printf 'called %s %s\n' $program \$#
  printf '%s\n' "\$@"
} >&2
exec $real/bin/$program "\$@"
END
  chmod +x "$out/bin/$program"
done
