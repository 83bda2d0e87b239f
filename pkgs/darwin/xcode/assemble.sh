# Each of $programs is call.sh by another name.
mkdir -p "$out/bin" "$out/lib"
{
  printf 'least=%s\n' "$least"
  cat "$find"
} >"$out/lib/find.sh"
for program in $programs; do
  cp "$call" "$out/bin/$program"
  chmod +x "$out/bin/$program"
done
