# The passes of a CUDA unit: one for each target, one for the host.
values: releases:
let
  inherit (builtins) concatStringsSep filter;
  inherit (values.lists) unique;
  inherit (values.versions) majorMinor;
  parse = import ./capability.nix;
  readOptions = import ./options.nix;
  isLacking = import ./lacking.nix values;
  choosePacking = import ./packing.nix releases;

  # The value of __CUDA_ARCH__ in the pass.
  archOf = target: "${(parse target).digits}0";
in
/**
  The passes of a unit. The language's table has their flags.

  `archList` is the value of `__CUDA_ARCH_LIST__` in all passes:

  | the unit | value | why |
  |---|---|---|
  | is compiled whole | `targets` | as nvcc sets it |
  | can see the macro (`seesTargets`) | `listed`, even if `targets` lacks some | CCCL chooses code by it, and puts it into the names of symbols |
  | else | the oldest target of the toolkit | a new target compiles no pass of another one again |

  Type: takeApart :: { identity :: String; targets :: [String]; listed :: [String]; toolkit :: String;
    seesTargets :: Bool; seesPass :: Bool; flags :: [String]; } -> Passes

  The result's `flags` lack options about packing, linking and threads, and options that the toolkit lacks. `identity`
  is 16 hexadecimal digits that no other unit has.
*/
{ identity, targets, listed ? targets, toolkit, seesTargets, seesPass, flags }:
let
  passes = map (
    target:
    let
      capability = parse target;
    in
    { name = capability.digits + capability.suffix; ptx = capability.hasPtx; }
  ) targets;
  options = filter (option: !isLacking (majorMinor toolkit) option) (readOptions flags);
  wordsOf = builtins.concatMap (option: option.words);
  keepingWhole = filter (option: option.effect == "whole") options;
  isWhole = keepingWhole != [ ];
  archs = unique (map archOf (if isWhole then targets else listed));
in
{
  inherit passes;
  flags = wordsOf (filter (option: option.effect == "pass" || option.effect == "whole") options);
  # Without this option, nvcc derives the name from a file's path and text.
  moduleId = "_${builtins.substring 0 8 identity}_${identity}";
  packing =
    (choosePacking { toolkit = majorMinor toolkit; inherit options; }).options;
  # A variant without targets cannot be built, but has a plan.
  host =
    if passes == [ ] then
      null
    else
      {
        inherit (builtins.head passes) name;
        # The passes that can list the unit's kernels for the host: the first, if all passes have the same kernels.
        listedBy = map (pass: pass.name) (if seesTargets || seesPass then passes else [ (builtins.head passes) ]);
      };
  archList =
    if seesTargets || isWhole then
      concatStringsSep "," (builtins.sort (a: b: builtins.fromJSON a < builtins.fromJSON b) archs)
    else
      archOf (builtins.head releases.${majorMinor toolkit}.supported);
  linkFlags = if isWhole then wordsOf (filter (option: option.option == "--dlink-time-opt") options) else null;
  whole =
    if isWhole then
      concatStringsSep ", " (
        map (option: "${concatStringsSep " " option.words} (${option.why})") keepingWhole
      )
    else
      null;
}
