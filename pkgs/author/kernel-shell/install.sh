# The files of a shell: `activate` is sourced, `bin/enter` starts it, `local` holds the variant
# as the public client looks for it.
mkdir -p "$out/bin" "$out/local" "$out/settings"
if [ -n "$built" ]; then
  ln -s "$built" "$out/local/$variant"
fi
printf '%s\n' "$variables" >"$out/variables"
{
  printf 'kernel_builder_files=%s\n' "$out"
  set -- built "$built" label "$label" environment "$environment" make_venv "$makeVenv" tools "$toolPath" \
    local_kernels "$localKernels" notice "$notice" repository "$repository"
  # Values are data of the shell, and no part of its text.
  while [ $# != 0 ]; do
    printf '%s\n' "$2" >"$out/settings/$1"
    # shellcheck disable=SC2016  # the shell reads it
    printf 'kernel_builder_%s=$(<%s/settings/%s)\n' "$1" "$out" "$1"
    shift 2
  done
  cat "$activate"
} >"$out/activate"
sed -e "s|@bash@|$bash/bin/bash|" -e "s|@files@|$out|" "$enter" >"$out/bin/enter"
chmod +x "$out/bin/enter"
sed -e "s|@files@|$out|" "$rc" >"$out/rc"
