# Packs $variant as the package $package, with its list of sources, into a wheel in $out.
mkdir -p "$out" "tree/$information/sboms"
cp -R "$variant" "tree/$package"
chmod -R u+w tree
# This folder is for clients that import a variant by its path.
rm -rf "tree/$package/$package"
# Installers know the texts of licences by this folder and these lines.
: >texts
if [ -d "tree/$package/licenses" ]; then
  cp -R "tree/$package/licenses" "tree/$information/licenses"
  (cd "tree/$information/licenses" && find . -type f | sort) | sed 's|^\./|License-File: |' >texts
fi
{
  printf '%s\n' "$metadata" | sed -n 1p
  cat texts
  printf '%s\n' "$metadata" | sed 1d
} >"tree/$information/METADATA"
printf '%s\n' "$wheel" >"tree/$information/WHEEL"
cp "$sources" "tree/$information/sboms/kernel.cdx.json"
find tree -type f -exec chmod 644 {} +
# The oldest time that a wheel can have.
SOURCE_DATE_EPOCH=315532800 python3 -m wheel pack tree --dest-dir "$out"
