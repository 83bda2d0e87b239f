# A Debian package. Without `kernel-builder prefetch` it comes from Debian's snapshot archive, which keeps every file
# and names it by its SHA-1.
{ fetchPinned }:
/** Type: fetchDeb :: { package, version, architecture, suite, file, sha1, sha256 :: String; } -> Derivation */
{ package, version, architecture, suite, file, sha1, sha256 }:
fetchPinned {
  name = file;
  inherit sha256;
  url = "https://snapshot.debian.org/file/${sha1}";
  coordinates = { sourceKind = "deb"; inherit package version architecture suite; };
}
