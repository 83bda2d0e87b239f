# How the code for all targets is packed into a unit's fat binary. That happens where passes are
# gathered, so an option about it belongs to no pass and is no reason to keep a unit whole.
toolkits:
let
  inherit (builtins) concatMap filter match;

  # The words for `fatbinary`, which packs, that nvcc makes of each of its options.
  optionsOf = {
    "--no-compress" = _: [ "--compress=false" ];
    "--compress-mode" = map (mode: "--compress-mode=${mode}");
    "--fatbin-options" = words: words;
  };
  isMode = option: match "--?compress-mode=.*" option != null;
in
/**
  What `options` of nvcc (see options.nix) say of packing. `options` are what `fatbinary` is told: what the
  author says, or the toolkit's own choice; `unknown` are those that it does not know.

  # Type

  ```
  packingOf :: { toolkit :: String; options :: [Option]; } -> { options :: [String]; unknown :: [String]; }
  ```
*/
{ toolkit, options }:
let
  inherit (toolkits.${toolkit}) compression;
  said = concatMap (option: optionsOf.${option.option} option.values) (
    filter (option: option.effect == "packing") options
  );
  isUnknown = option: isMode option && !compression.hasModes;
  known = filter (option: !isUnknown option) said;
in
{
  unknown = filter isUnknown said;
  options = if known == [ ] then [ compression.default ] else known;
}
