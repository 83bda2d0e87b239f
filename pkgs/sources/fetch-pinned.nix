# What all sources have in common: a fixed-output derivation that carries its
# coordinates in its environment.
#
# `kernel-builder prefetch` reads the coordinates from the derivation and puts the file
# into the store through the machine's own pip or apt. Where that has not happened, Nix
# fetches it from `url` with its built-in downloader, which needs no other package.
# The store path follows from name and hash alone, so both ways give the same path.
{ lib }:
/**
  # Type

  ```
  fetchPinned :: { name :: String; url :: String; sha256 :: String; coordinates :: AttrSet; } -> Derivation
  ```
*/
{
  name,
  url,
  sha256,
  coordinates,
}:
derivation (
  coordinates
  // {
    inherit url;
    name = lib.values.storeName.sanitize name;
    builder = "builtin:fetchurl";
    system = "builtin";
    outputHashMode = "flat";
    outputHashAlgo = "sha256";
    outputHash = sha256;
    urls = [ url ];
    executable = false;
    unpack = false;
    preferLocalBuild = true;
    impureEnvVars = [
      "http_proxy"
      "https_proxy"
      "ftp_proxy"
      "all_proxy"
      "no_proxy"
    ];
  }
)
