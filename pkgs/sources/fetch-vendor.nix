# A file from a vendor's server. Nix downloads it.
{ fetchPinned }:
/** Type: fetchVendor :: { name :: String ? the file's in `url`; url :: String; sha256 :: String; } -> Derivation */
{ name ? baseNameOf url, url, sha256 }:
fetchPinned { inherit name url sha256; coordinates.sourceKind = "vendor"; }
