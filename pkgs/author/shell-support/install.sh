mkdir -p "$out/lib/python3.11"
cp -r "$site" "$out/lib/python3.11/site-packages"
