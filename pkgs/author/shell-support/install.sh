mkdir -p "$(dirname "$out/$sitePackages")"
cp -r "$site" "$out/$sitePackages"
