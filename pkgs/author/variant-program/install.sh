# Puts the program together. Files lie in a folder of the kernel's name for it: helpers beside
# tests are imported by that name.
. "$writeSettings"
mkdir -p "$out/bin" "$out/share/local"
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
  write_settings 'IFS= read -r %s <%s' program "$program" folder "$folder" variant "$variant" share "$out/share" \
    path "$path" local_kernels "$local_kernels" runner "$runner" findings "$findings"
  cat "$text"
} >"$out/bin/$program"
chmod +x "$out/bin/$program"
