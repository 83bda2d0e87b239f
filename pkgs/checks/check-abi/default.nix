# Checks that the binaries of a variant load on every machine that is not older than
# manylinux_2_28, under every Python from 3.9, and prints what they ask for.
{
  lib,
  runCheck,
  toolchain,
  platformSymbols,
  listSymbols,
  listTorchSymbols,
}:
/**
  `objects` maps the source of a unit to its object: an error names the function that wants
  a symbol. `packages` are those whose libraries the variant is linked with; `torch` is null for
  one that is not of Torch.

  # Type

  ```
  checkAbi :: {
    name, variant, system :: String; torch :: Package | Null; objects :: { ${source} :: Derivation; }; packages :: [Package];
  } -> Derivation -> Derivation
  ```
*/
{
  name,
  variant,
  system,
  torch,
  objects,
  packages ? [ ],
}:
let
  inherit (builtins) concatMap;
  # A library for macOS says of each symbol itself where it is.
  isForLinux = !lib.platforms.systems.isDarwin system;
  compared = if isForLinux then lists else [ ];
  sources = if isForLinux then builtins.attrNames objects else [ ];
  lists = [
    platformSymbols
  ]
  ++ (if torch == null then [ ] else [ (listTorchSymbols torch) ])
  ++ map (
    package:
    listSymbols {
      inherit (package) name;
      libraries = [ "${package}/lib" ];
    }
  ) packages;
in
runCheck {
  name = lib.values.storeName.sanitize "${name}-abi-check";
  package = ./abi_check;
  # `c++filt` names functions as their authors do.
  tools = [ toolchain ];
  arguments = [
    "--variant"
    variant
  ]
  ++ concatMap (list: [
    "--symbols"
    "${list}"
  ]) compared
  ++ concatMap (source: [
    "--object"
    source
    "${objects.${source}}"
  ]) sources;
}
