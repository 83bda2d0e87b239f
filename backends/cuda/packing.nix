# Options that pack the code of all targets into the fat binary of a unit. One step gathers the passes and packs them,
# so an option about packing belongs to no pass, and is no reason to compile all targets of a unit together.
releases:
let
  inherit (builtins) filter;

  # The arguments of `fatbinary` for each option of nvcc.
  argumentsOf = {
    "--no-compress" = _: [ "--compress=false" ];
    "--concat" = _: [ "--concat" ];
    "--compress-mode" = map (mode: "--compress-mode=${mode}");
    "--fatbin-options" = words: words;
  };
  isForm = option: option == "--concat";
  isMode = option: builtins.match "--?compress-mode=.*" option != null;
in
/**
  The arguments of `fatbinary` for options of nvcc (options.nix). `options` are the arguments for the author's options,
  or the toolkit's default; `unknown` are options that the `fatbinary` of this release does not have.

  Type: choosePacking :: { toolkit :: String; options :: [Option]; } -> { options :: [String]; unknown :: [String]; }
*/
{ toolkit, options }:
let
  inherit (releases.${toolkit}) compression;
  given = builtins.concatMap (option: argumentsOf.${option.option} option.values) (
    filter (option: option.effect == "packing") options
  );
  isUnknown =
    option:
    isMode option && !compression.hasModes
    || isForm option && !(compression.hasConcat or false);
  known = filter (option: !isUnknown option) given;
in
{
  unknown = filter isUnknown given;
  # `--concat` chooses what is packed together, so the default compression stays beside it.
  options = (if filter isForm known == known then [ compression.default ] else [ ]) ++ known;
}
