# Puts the program together. Files lie in a folder of the kernel's name for it: helpers beside
# tests are imported by that name.
mkdir -p "$out/bin" "$out/share/local" "$out/settings"
# As the public client looks for it.
ln -s "$built" "$out/share/local/$variant"
local_kernels=$localKernels
if [ -n "$repository" ]; then
  local_kernels=${local_kernels:+$local_kernels:}$repository=$out/share/local
fi
if [ -n "$files" ]; then
  cp -r "$files" "$out/share/$folder"
fi
{
  printf '#!%s\nset -eu\n' "$shell"
  set -- program "$program" folder "$folder" variant "$variant" share "$out/share" path "$path" \
    local_kernels "$local_kernels" runner "$runner" findings "$findings"
  # Values are data of the program, and no part of its text.
  while [ $# != 0 ]; do
    printf '%s\n' "$2" >"$out/settings/$1"
    printf 'IFS= read -r %s <%s/settings/%s\n' "$1" "$out" "$1"
    shift 2
  done
  cat "$text"
} >"$out/bin/$program"
chmod +x "$out/bin/$program"
