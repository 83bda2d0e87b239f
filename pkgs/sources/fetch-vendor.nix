# A file from a vendor's own server, fetched by Nix itself.
{ fetchPinned }:
/**
  # Type

  ```
  fetchVendor :: { name :: String; url :: String; sha256 :: String; } -> Derivation
  ```
*/
{
  name,
  url,
  sha256,
}:
fetchPinned {
  inherit name url sha256;
  coordinates.sourceKind = "vendor";
}
