# Packs $variant as the package $package, with its list of sources, into a wheel in $out.
information=$distribution-$version.dist-info
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
  echo 'Metadata-Version: 2.4'
  cat texts
  printf 'Name: %s\nVersion: %s\nSummary: The kernel %s for %s\n' "$distribution" "$version" "$distribution" "$label"
  [ -z "$license" ] || printf 'License: %s\n' "$license"
  echo 'Requires-Python: >=3.10'
  echo 'Description-Content-Type: text/markdown'
  [ -z "$requires" ] || printf '%s\n' "$requires" | sed 's/^/Requires-Dist: /'
  # shellcheck disable=SC2016  # Markdown
  printf '\nThe kernel `%s` of version %s, built by kernel-builder.\n' "$distribution" "$version"
} >"tree/$information/METADATA"
pure=false
[ "$tag" != py3-none-any ] || pure=true
printf '%s\n' 'Wheel-Version: 1.0' 'Generator: kernel-builder' "Root-Is-Purelib: $pure" "Tag: $tag" \
  >"tree/$information/WHEEL"
cp "$sources" "tree/$information/sboms/kernel.cdx.json"
find tree -type f -exec chmod 644 {} +
# The oldest time that a wheel can have.
SOURCE_DATE_EPOCH=315532800 python3 -m wheel pack tree --dest-dir "$out"
