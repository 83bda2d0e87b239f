# Packs $variant as the package $package, with its list of sources, into a wheel in $out.
mkdir -p "$out" "tree/$information/sboms"
cp -R "$variant" "tree/$package"
chmod -R u+w tree
# This folder is for clients that import a variant by its path.
rm -rf "tree/$package/$package"
printf '%s\n' "$metadata" >"tree/$information/METADATA"
printf '%s\n' "$wheel" >"tree/$information/WHEEL"
cp "$sources" "tree/$information/sboms/kernel.cdx.json"
find tree -type f -exec chmod 644 {} +
# The oldest time that a wheel can have.
SOURCE_DATE_EPOCH=315532800 python3 -m wheel pack tree --dest-dir "$out"
