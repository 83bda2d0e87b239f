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
  inherit (builtins)
    attrNames
    elemAt
    filter
    head
    match
    ;
  inherit (lib.platforms.systems) isDarwin;
  inherit (lib.values) versions;
  inherit (lib.values.lists) optional optionals;
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
  named = lib.matrix.names.readVariantName name;
  ownSystem = named.system or null;
  # A library for macOS names the library of each symbol itself, and a Mac has no lists for Linux.
  isForLinux = !isDarwin system && (ownSystem == null || !isDarwin ownSystem);
  isStable = named.label == "torch-stable-abi";
  # A build of Torch is "2.13.0+cu130".
  suits =
    build:
    let
      parts = match "([0-9.]+)[+](.*)" build;
      version = elemAt parts 0;
    in
    hasTorch build
    && elemAt parts 1 == named.compute
    && (
      if isStable then
        versions.atLeast named.release version
      else
        versions.flat version == versions.flat named.release
    );
  isOfTorch = ownSystem != null && (isStable || named.label == "torch");
  builds = optionals isOfTorch (filter suits (attrNames torchPins));
in
{
  platform = optional isForLinux platformSymbols;
  framework = optionals isForLinux (
    optional (ownSystem != null && named.label == "tvm-ffi") (listSymbols {
      inherit (tvmFfi) name;
      libraries = [ "${tvmFfi}/lib" ];
    })
    ++ optional (builds != [ ]) (listTorchSymbols (torchWheel (head (versions.ascending builds))))
  );
}
