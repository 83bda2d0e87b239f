cp "$textPath" "$out"
