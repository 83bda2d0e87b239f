# Puts the program together. Tests lie in a folder `tests`, as in the kernel: helpers beside
# them are imported by that name.
mkdir -p "$out/bin" "$out/share/local"
# As the public client looks for it.
ln -s "$built" "$out/share/local/$variant"
local_kernels=$localKernels
if [ -n "$repository" ]; then
  local_kernels=${local_kernels:+$local_kernels:}$repository=$out/share/local
fi
if [ -n "$tests" ]; then
  cp -r "$tests" "$out/share/tests"
fi
{
  printf '#!%s\nset -eu\n' "$shell"
  printf "%s='%s'\n" variant "$variant" tests "$out/share/tests" path "$path" local_kernels "$local_kernels" run_pytest "$runPytest"
  cat "$program"
} >"$out/bin/ci-test"
chmod +x "$out/bin/ci-test"
