mkdir -p "$out/bin"
printf '#!%s/bin/sh\nexec %s/bin/kernel-builder %s "$@"\n' "$busybox" "$kernelBuilder" "$command" >"$out/bin/$command"
chmod +x "$out/bin/$command"
