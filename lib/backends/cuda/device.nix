# How a CUDA unit is taken apart: one pass for each target, one for the host.
library: toolkits:
let
  inherit (builtins)
    any
    concatStringsSep
    elemAt
    foldl'
    fromJSON
    head
    match
    sort
    ;
  inherit (library.lists) unique;
  inherit (library.versions) majorMinor;
  inherit (import ./packing.nix toolkits) packingOf;

  # Flags whose meaning does not reach beyond one pass. What is not in this list might make
  # passes depend on each other (relocatable device code does), so the unit stays whole.
  separable = [
    "-[DIU].+"
    "-O[0-3s]"
    "-g[0-3]?"
    "--?(lineinfo|generate-line-info)"
    "--?use_fast_math"
    "--?(ftz|fmad|prec-div|prec-sqrt|default-stream|diag-suppress|diag-warn|diag-error)=.*"
    "--?(maxrregcount|threads|split-compile)=.*"
    "--?(expt-relaxed-constexpr|expt-extended-lambda|extended-lambda|extra-device-vectorization)"
    "--?(Xptxas|ptxas-options|Xcompiler|compiler-options|Xcudafe)=.*"
    "--?(allow-unsupported-compiler|forward-unknown-to-host-compiler|restrict)"
    "-(f|W|m|std=).*"
    "-w"
  ];
  # These may also be written as two words.
  pairs = "--?(D|I|U|Xptxas|ptxas-options|Xcompiler|compiler-options|Xcudafe|maxrregcount|diag-suppress|isystem|include)";

  # The flags that are neither in the list nor what such a flag takes.
  inseparable =
    flags:
    (foldl'
      (
        done: flag:
        if done.takesValue then
          done // { takesValue = false; }
        else if match pairs flag != null then
          done // { takesValue = true; }
        else if any (pattern: match pattern flag != null) separable then
          done
        else
          done // { odd = done.odd ++ [ flag ]; }
      )
      {
        odd = [ ];
        takesValue = false;
      }
      flags
    ).odd;

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
  takeApart :: { targets :: [String]; listed :: [String]; toolkit :: String; seesTargets :: Bool; seesPass :: Bool; flags :: [String]; }
    -> { device :: Device; flags :: [String]; }
  ```

  `flags` are those of the passes: what is said of packing is not among them.
*/
{
  targets,
  listed ? targets,
  toolkit,
  seesTargets,
  seesPass,
  flags,
}:
let
  passes = map parse targets;
  packing = packingOf {
    toolkit = majorMinor toolkit;
    inherit flags;
  };
  odd = inseparable packing.rest;
  list = unique (map (target: (parse target).macro) (if odd == [ ] then listed else targets));
in
{
  flags = packing.rest;
  device = {
    inherit passes;
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
          # The passes that may tell it which kernels there are: the first, if all have the same.
          listedBy = map (pass: pass.name) (if seesTargets || seesPass then passes else [ (head passes) ]);
        };
    archList =
      if seesTargets || odd != [ ] then
        concatStringsSep "," (sort (a: b: fromJSON a < fromJSON b) list)
      else
        oldest toolkit;
    # Why all passes are made in one go, or null.
    whole =
      if odd == [ ] then
        null
      else
        "not known to concern one pass only: ${concatStringsSep " " odd}";
  };
}
