# The passes of a CUDA unit: one for each target, one for the host.
values: releases:
let
  inherit (builtins)
    concatMap
    concatStringsSep
    elem
    filter
    fromJSON
    head
    sort
    substring
    ;
  inherit (values.lists) unique;
  inherit (values.versions) majorMinor;
  readOptions = import ./options.nix;
  isLacking = import ./lacking.nix values;
  choosePacking = import ./packing.nix releases;

  describe = option: "${concatStringsSep " " option.words} (${option.why})";

  makeFlags = name: code: [
    "-gencode"
    "arch=compute_${name},code=${code}"
  ];

  parse = import ./capability.nix;

  makePass =
    target:
    let
      capability = parse target;
      name = capability.digits + capability.suffix;
    in
    {
      inherit name;
      ptx = capability.hasPtx;
      flags = makeFlags name (if capability.hasPtx then "[sm_${name},compute_${name}]" else "sm_${name}");
    };
  # The value of __CUDA_ARCH__ in the pass.
  archOf = target: "${(parse target).digits}0";
in
/**
  The passes of a unit, and the flags of its parts.

  `archList` is the value of `__CUDA_ARCH_LIST__` in all passes:

  | the unit | value | why |
  |---|---|---|
  | is compiled whole | `targets` | as nvcc sets it |
  | can see the macro (`seesTargets`) | `listed`, even if `targets` lacks some | CCCL chooses code by it, and puts it into the names of symbols |
  | else | the oldest target of the toolkit | a new target compiles no pass of another one again |

  Type: takeApart :: { identity :: String; targets :: [String]; listed :: [String]; toolkit :: String;
    seesTargets :: Bool; seesPass :: Bool; flags :: [String]; } -> { device :: Device; flags :: [String];
    buildFlags :: [String]; }

  `flags` are the flags of the passes: options about packing, linking and threads are left out, and options that the
  toolkit lacks. `identity` is 16
  hexadecimal digits that no other unit has.
*/
{
  identity,
  targets,
  listed ? targets,
  toolkit,
  seesTargets,
  seesPass,
  flags,
}:
let
  passes = map makePass targets;
  isLackingHere = isLacking (majorMinor toolkit);
  options = filter (option: !isLackingHere option) (readOptions flags);
  packing = choosePacking {
    toolkit = majorMinor toolkit;
    inherit options;
  };
  keepingWhole = filter (option: option.effect == "whole") options;
  targetFlags = concatMap (pass: pass.flags) passes ++ map (option: "-Xfatbin=${option}") packing.options;
  optimisedLink = concatMap (option: option.words) (
    filter (option: option.option == "--dlink-time-opt") options
  );
  archs = unique (map archOf (if keepingWhole == [ ] then listed else targets));
in
{
  flags = concatMap (option: option.words) (
    filter (
      option:
      elem option.effect [
        "pass"
        "whole"
      ]
    ) options
  );
  buildFlags = [ ];
  device = {
    inherit passes;
    # Without this option, nvcc derives the name from a file's path and text.
    moduleId = "_${substring 0 8 identity}_${identity}";
    packing = packing.options;
    # The host pass is the same for every target, but nvcc requires a target. A variant without targets cannot be built,
    # but has a plan.
    host =
      let
        inherit (head passes) name;
      in
      if passes == [ ] then
        null
      else
        {
          inherit name;
          flags = makeFlags name "sm_${name}";
          # The passes that can list the unit's kernels for the host: the first, if all passes have the same kernels.
          listedBy = map (pass: pass.name) (if seesTargets || seesPass then passes else [ (head passes) ]);
        };
    archList =
      if seesTargets || keepingWhole != [ ] then
        concatStringsSep "," (sort (a: b: fromJSON a < fromJSON b) archs)
      else
        archOf (head releases.${majorMinor toolkit}.supported);
    wholeFlags = targetFlags;
    # Flags of the link of relocatable device code beside the language's, for a unit that is compiled whole.
    wholeLinkFlags = if keepingWhole == [ ] then null else optimisedLink ++ targetFlags;
    # The options that keep all passes in one derivation, each with its reason; or null.
    whole =
      if keepingWhole == [ ] then
        null
      else
        concatStringsSep ", " (map describe keepingWhole);
  };
}
