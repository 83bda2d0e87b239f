# Warnings about the flags of a component with `.cu` files.
values: releases:
let
  readOptions = import ./options.nix;
  choosePacking = import ./packing.nix releases;
  isLacking = import ./lacking.nix values;

  ofFlags =
    toolkit: flags:
    let
      read = builtins.partition (isLacking toolkit) (readOptions flags);
      options = read.wrong;
      written = option: builtins.concatStringsSep " " option.words;
      withEffect = effect: builtins.filter (option: option.effect == effect) options;
    in
    map (option: {
      at = "cuda-flags";
      found = "${written option}, left out: nvcc of CUDA ${toolkit} does not have it";
      want = "options of all toolkits that the kernel is built for";
      fix = "nothing, if the kernel is right without it there; else raise cuda-minver of the component";
    }) read.right
    ++ map (option: {
      at = "cuda-flags";
      found = "${option}, left out: CUDA ${toolkit} cannot pack code in this way";
      want = "${releases.${toolkit}.compression.default}, which is what it does instead";
      fix = "nothing, if variants for it may be larger";
    }) (choosePacking { inherit toolkit options; }).unknown
    ++ map (option: {
      at = "cuda-flags";
      found = "${written option}, left out for nvcc: ${option.why}";
      want = "options of a compiler";
      fix = "nothing, if the kernel links without it; else name what it needs in `depends`";
    }) (withEffect "link")
    ++ map (option: {
      at = "cuda-flags";
      found = "${written option}, which keeps .cu files whole: ${option.why}";
      want = "options that each target can be compiled with alone";
      fix = "nothing, if a change of one target may compile all of them again (docs/guide/cuda.md)";
    }) (withEffect "whole");
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
