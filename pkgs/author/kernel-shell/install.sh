# The files of a shell: `activate` is sourced, `bin/enter` starts it, `local` holds the variant
# as the public client looks for it.
mkdir -p "$out/bin" "$out/local"
if [ -n "$built" ]; then
  ln -s "$built" "$out/local/$variant"
fi
{
  printf '%s\n' "$settings"
  printf "kernel_builder_files='%s'\nkernel_builder_built='%s'\n" "$out" "$built"
  cat "$activate"
} >"$out/activate"
sed -e "s|@bash@|$bash/bin/bash|" -e "s|@files@|$out|" "$enter" >"$out/bin/enter"
chmod +x "$out/bin/enter"
sed -e "s|@files@|$out|" "$rc" >"$out/rc"
