# A file from a vendor's own server, fetched by Nix itself.
{ fetchPinned }:
/**
  # Type

  ```
  fetchVendor :: { name :: String ? the file's in `url`; url :: String; sha256 :: String; } -> Derivation
  ```
*/
{
  name ? baseNameOf url,
  url,
  sha256,
}:
fetchPinned {
  inherit name url sha256;
  coordinates.sourceKind = "vendor";
}
