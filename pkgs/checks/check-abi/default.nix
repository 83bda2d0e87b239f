# Checks that the binaries of a variant load on every machine that is not older than manylinux_2_28, with every Python
# from 3.9 on, and prints a table of what they require.
{ lib, runCheck, toolchain, platformSymbols, listSymbols, listTorchSymbols }:
/**
  `objects` maps the source of a unit to its object, so that an error names the units that refer to a symbol.
  `packages` have the libraries that the variant is linked with. `torch` is null if the framework is not Torch.

  Type: checkAbi :: { name, variant, backend, system :: String; torch :: Package | Null; objects :: {
    ${source} :: Derivation; }; packages :: [Package]; } -> Derivation -> Derivation
*/
{ name, variant, backend, system, torch, objects, packages ? [ ] }:
let
  inherit (builtins) concatMap;
  lists = [ platformSymbols ]
  ++ (if torch == null then [ ] else [ (listTorchSymbols torch) ])
  ++ map (
    package:
    listSymbols { inherit (package) name; libraries = [ "${package}/lib" ]; }
  ) packages;
in
runCheck {
  name = "${name}-abi-check";
  package = ./abi_check;
  backends = [ backend ];
  # The check demangles names with `c++filt`.
  tools = [ toolchain ];
  arguments = [ "--variant" variant ]
  # A library for macOS names the library of each symbol itself.
  ++ lib.values.lists.optionals (!lib.platforms.systems.isDarwin system) (
    concatMap (list: [
      "--symbols"
      "${list}"
    ]) lists
    ++ concatMap (source: [
      "--object"
      source
      "${objects.${source}}"
    ]) (builtins.attrNames objects)
  );
}
