# Warnings about the flags of a component with `.cu` files.
{ values, messages, releases, ... }:
let
  readOptions = import ./options.nix;
  choosePacking = import ./packing.nix releases;
  isLacking = import ./lacking.nix values;
  problems = messages.catalogue.readCatalogue ./warnings.json;

  ofFlags =
    toolkit: flags:
    let
      read = builtins.partition (isLacking toolkit) (readOptions flags);
      options = read.wrong;
      warnOf =
        problem:
        map (
          option:
          problem { inherit toolkit; inherit (option) why; written = builtins.concatStringsSep " " option.words; }
        );
      withEffect = effect: builtins.filter (option: option.effect == effect) options;
    in
    warnOf problems.lacking read.right
    ++ map (
      written: problems.unpacked { inherit written toolkit; instead = releases.${toolkit}.compression.default; }
    ) (choosePacking { inherit toolkit options; }).unknown
    ++ warnOf problems.link (withEffect "link")
    ++ warnOf problems.whole (withEffect "whole");
in
/**
  Warnings about flags that a release of the toolkit does not have, that are left out, or that keep units
  whole.

  Type: warningsOf :: String -> Section -> [Problem]
*/
toolkit: section:
values.lists.optionals (builtins.any (values.texts.hasSuffix ".cu") section.src) (
  ofFlags toolkit section.flags.cuda-flags
)
