# A source: a fixed-output derivation with the coordinates of a file in its environment.
#
# `kernel-builder prefetch` reads the coordinates and puts the file into the store through the machine's own
# pip or apt. Without a prefetch, Nix fetches the file from `url` with its built-in downloader, which needs no other
# package. The store path depends only on name and hash, so both ways give the same path.
{ lib, proxyVariables }:
/** Type: fetchPinned :: { name :: String; url :: String; sha256 :: String; coordinates :: AttrSet; } -> Derivation */
{ name, url, sha256, coordinates }:
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
    impureEnvVars = proxyVariables;
  }
)
