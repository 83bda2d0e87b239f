# How a CUDA unit is taken apart: one pass for each target, one for the host.
_:
let
  inherit (builtins)
    any
    concatStringsSep
    elemAt
    filter
    foldl'
    elem
    head
    match
    sort
    ;

  unique = foldl' (done: item: if elem item done then done else done ++ [ item ]) [ ];

  # Flags whose meaning does not reach beyond one pass. What is not in this list might make
  # passes depend on each other (relocatable device code does), so the unit stays whole.
  separable = [
    "-[DIU].*"
    "-O[0-3s]"
    "-g"
    "--?lineinfo"
    "-lineinfo"
    "--?use_fast_math"
    "--?(ftz|fmad|prec-div|prec-sqrt)=.*"
    "--?maxrregcount=.*"
    "--?(expt-relaxed-constexpr|expt-extended-lambda|extended-lambda|extra-device-vectorization)"
    "--?(diag-suppress|diag-warn|Werror)[= ].*"
    "--?(Xptxas|ptxas-options|Xcompiler|compiler-options|Xcudafe)=.*"
    "-(f|W|m|std=).*"
    "-w"
  ];
  isSeparable = flag: any (pattern: match pattern flag != null) separable;

  parse =
    target:
    let
      parts = match "([0-9]+)[.]([0-9]+)([af]?)([+]PTX)?" target;
      number = "${elemAt parts 0}${elemAt parts 1}";
    in
    {
      name = "${number}${elemAt parts 2}";
      # As the preprocessor has it in __CUDA_ARCH__.
      macro = "${number}0";
      ptx = elemAt parts 3 != null;
    };

  self = {
    /**
      The passes of a unit. `archList` is what `__CUDA_ARCH_LIST__` is in all of them: the
      list of targets where the kernel's own code can tell (it uses CCCL, which puts the list
      into the names of symbols, or names the macro), else the first target alone, so that
      a change of the list leaves the passes of other targets as they are.

      # Type

      ```
      planDevice :: { targets :: [String]; reached :: Reached; flags :: [String]; }
        -> { passes :: [{ name; macro; ptx; }]; archList :: String; whole :: String | Null; }
      ```
    */
    planDevice =
      {
        targets,
        reached,
        flags,
      }:
      let
        passes = map parse targets;
        odd = filter (flag: !isSeparable flag) flags;
        list = unique (map (pass: pass.macro) passes);
        number = macro: builtins.fromJSON macro;
      in
      {
        inherit passes;
        archList =
          if reached.seesTargets then
            concatStringsSep "," (sort (a: b: number a < number b) list)
          else
            head list;
        # Why all passes are made in one go, or null.
        whole = if odd == [ ] then null else "the meaning of ${concatStringsSep " " odd} spans passes";
      };
  };
in
self
