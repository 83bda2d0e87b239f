# Each of $programs is a copy of call.sh.
mkdir -p "$out/bin" "$out/lib"
{
  printf 'least=%s\n' "$least"
  cat "$find"
} >"$out/lib/find.sh"
for program in $programs; do
  cp "$call" "$out/bin/$program"
  chmod +x "$out/bin/$program"
done
