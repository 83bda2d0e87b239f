# The symbols that a variant finds where it is loaded, for a variant of which only the name is known.
{
  lib,
  system,
  torchPins,
  hasTorch,
  torchWheel,
  tvmFfi,
  listSymbols,
  platformSymbols,
  listTorchSymbols,
}:
let
  inherit (builtins) elemAt match;
in
/**
  `platform` lists the C library and the like, `framework` the variant's Torch or TVM FFI. Both are empty
  for macOS, `framework` also where no such Torch is pinned. On Torch's stable ABI it is the oldest Torch
  that will do.

  # Example

  ```nix
  symbolListsOf "torch213-cxx11-cpu-x86_64-linux"
  => { platform = [ «derivation» ]; framework = [ «derivation» ]; }
  ```

  Type: symbolListsOf :: String -> { platform, framework :: [Derivation]; }
*/
name:
let
  # A library for macOS names the library of each symbol itself, and a Mac has no lists for Linux.
  macs = builtins.filter lib.platforms.systems.isDarwin lib.platforms.systems.all;
  isForLinux = !builtins.any (mac: mac == system || match ".*-${mac}" name != null) macs;
  parts = match "torch(-stable-abi)?([0-9])([0-9]+)(-cxx11)?-([a-z]+[0-9]*)-.*" name;
  isStable = elemAt parts 0 != null;
  release = "${elemAt parts 1}.${elemAt parts 2}";
  read = build: match "([0-9.]+)[+](.*)" build;
  suits =
    build:
    let
      version = elemAt (read build) 0;
    in
    hasTorch build
    && elemAt (read build) 1 == elemAt parts 4
    && (
      if isStable then
        lib.values.versions.atLeast release version
      else
        lib.values.versions.flat version == lib.values.versions.flat release
    );
  builds = if parts == null then [ ] else builtins.filter suits (builtins.attrNames torchPins);
  oldest = builtins.head (builtins.sort (a: b: builtins.compareVersions a b < 0) builds);
in
{
  platform = if isForLinux then [ platformSymbols ] else [ ];
  framework =
    if !isForLinux then
      [ ]
    else if match "tvm-ffi.*" name != null then
      [
        (listSymbols { inherit (tvmFfi) name; libraries = [ "${tvmFfi}/lib" ]; })
      ]
    else if builds == [ ] then
      [ ]
    else
      [ (listTorchSymbols (torchWheel oldest)) ];
}
