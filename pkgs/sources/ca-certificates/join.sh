cat "$tree"/usr/share/ca-certificates/mozilla/*.crt >"$out"
