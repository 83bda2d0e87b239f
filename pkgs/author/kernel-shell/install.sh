# The files of a shell: `activate` is sourced, `bin/enter` starts it, `local` holds the variant
# as the public client looks for it.
. "$writeSettings"
mkdir -p "$out/bin" "$out/local"
if [ -n "$built" ]; then
  ln -s "$built" "$out/local/$variant"
fi
printf '%s\n' "$variables" >"$out/variables"
{
  printf 'kernel_builder_files=%s\n' "$out"
  # shellcheck disable=SC2016  # the shell reads it
  write_settings 'kernel_builder_%s=$(<%s)' built "$built" label "$label" environment "$environment" \
    make_venv "$makeVenv" tools "$toolPath" local_kernels "$localKernels" notice "$notice" repository "$repository"
  cat "$activate"
} >"$out/activate"
sed -e "s|@bash@|$bash/bin/bash|" -e "s|@files@|$out|" "$enter" >"$out/bin/enter"
chmod +x "$out/bin/enter"
sed -e "s|@files@|$out|" "$rc" >"$out/rc"
