# How a CUDA unit is taken apart: one pass for each target, one for the host.
values: toolkits:
let
  inherit (builtins)
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    fromJSON
    head
    match
    sort
    substring
    ;
  inherit (values.lists) unique;
  inherit (values.versions) majorMinor;
  read = import ./options.nix;
  packingOf = import ./packing.nix toolkits;

  describe = option: "${concatStringsSep " " option.words} (${option.why})";

  flagsFor = name: code: [
    "-gencode"
    "arch=compute_${name},code=${code}"
  ];

  parse =
    target:
    let
      parts = match "([0-9]+)[.]([0-9]+)([af]?)([+]PTX)?" target;
      number = "${elemAt parts 0}${elemAt parts 1}";
      name = "${number}${elemAt parts 2}";
      ptx = elemAt parts 3 != null;
    in
    {
      inherit name ptx;
      flags = flagsFor name (if ptx then "[sm_${name},compute_${name}]" else "sm_${name}");
      # As the preprocessor has it in __CUDA_ARCH__.
      macro = "${number}0";
    };

  # What stands for the list of targets where nobody looks at it: the same for every list.
  oldest =
    toolkit: (parse (head toolkits.${majorMinor toolkit}.supported)).macro;
in
/**
  The passes of a unit. `archList` is what `__CUDA_ARCH_LIST__` is in all of them: the
  list of targets, also of those that are not compiled now (`listed`), where the unit may tell (`seesTargets`), as CCCL does, which chooses by
  it and puts it into the names of symbols; else the toolkit's oldest target, so that a
  change of the list leaves the passes of other targets as they are.

  # Type

  ```
  takeApart :: { identity :: String; targets :: [String]; listed :: [String]; toolkit :: String; seesTargets :: Bool; seesPass :: Bool; flags :: [String]; }
    -> { device :: Device; flags :: [String]; buildFlags :: [String]; }
  ```

  `flags` are those of the passes, without options about packing, and without those that no compile
  reads or that say with how many threads. `identity` is 16 hexadecimal digits that no other unit has.
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
  passes = map parse targets;
  options = read flags;
  packing = packingOf {
    toolkit = majorMinor toolkit;
    inherit options;
  };
  odd = filter (option: option.effect == "whole") options;
  targetFlags = concatMap (pass: pass.flags) passes ++ map (option: "-Xfatbin=${option}") packing.options;
  optimisedLink = concatMap (option: option.words) (
    filter (option: option.option == "--dlink-time-opt") options
  );
  list = unique (map (target: (parse target).macro) (if odd == [ ] then listed else targets));
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
  # Both spellings by which nvcc calls the folder of its own headers.
  buildFlags = [
    "-ffile-prefix-map=@tools/cuda@/bin/..=cuda"
    "-ffile-prefix-map=@tools/cuda@/bin/..//=cuda/"
  ];
  device = {
    inherit passes;
    # nvcc derives it from a file's place and text otherwise.
    moduleId = "_${substring 0 8 identity}_${identity}";
    packing = packing.options;
    # The host's part is the same for every target, and nvcc wants one. A variant that has none
    # left is shown all the same.
    host =
      let
        inherit (head passes) name;
      in
      if passes == [ ] then
        null
      else
        {
          inherit name;
          flags = flagsFor name "sm_${name}";
          # gcc collects garbage whenever the heap has grown by so many per cent, instead of
          # doubled: the same object, with a seventh less memory for a tenth more time.
          compileFlags = [ "--param=ggc-min-expand=30" ];
          # The passes that may tell it which kernels there are: the first, if all have the same.
          listedBy = map (pass: pass.name) (if seesTargets || seesPass then passes else [ (head passes) ]);
        };
    archList =
      if seesTargets || odd != [ ] then
        concatStringsSep "," (sort (a: b: fromJSON a < fromJSON b) list)
      else
        oldest toolkit;
    wholeFlags = targetFlags;
    # nvcc's flags to link relocatable device code, for a unit that is compiled whole.
    wholeLinkFlags =
      if odd == [ ] then
        null
      else
        [
          "-dlink"
          "-Xcompiler=-fPIC"
        ]
        ++ optimisedLink
        ++ targetFlags;
    # The flags that keep all passes in one derivation, with the reason; or null.
    whole =
      if odd == [ ] then
        null
      else
        concatStringsSep ", " (map describe odd);
  };
}
