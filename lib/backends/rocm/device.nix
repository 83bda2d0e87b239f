# How a HIP unit is taken apart: one pass for each architecture, one for the host. Neither knows of
# the others: what HIP's headers say of an architecture they say in its own pass.
let
  inherit (builtins)
    any
    concatStringsSep
    filter
    match
    ;

  # Flags that tie the passes of a unit to each other, or choose them.
  ties = [
    "-f(no-)?gpu-rdc"
    "-f(no-)?(offload-)?lto.*"
    "-f(no-)?offload.*"
    "--(no-)?offload-.*"
    "--cuda-.*"
    "--(no-)?gpu-bundle-output"
    "--hip-link"
    "-save-temps.*"
  ];
  isTie = flag: any (pattern: match pattern flag != null) ties;
in
/**
  The passes of a unit.

  # Type

  ```
  takeApart :: { targets :: [String]; toolkit :: String; seesTargets :: Bool; seesPass :: Bool; flags :: [String]; }
    -> { device :: Device; flags :: [String]; }
  ```
*/
{ targets, flags, ... }:
let
  odd = filter isTie flags;
in
{
  inherit flags;
  device = {
    passes = map (name: {
      inherit name;
      macro = "__${name}__";
      ptx = false;
      flags = [ "--offload-arch=${name}" ];
    }) targets;
    packing = [ ];
    # It has no target; the kernels that it registers are those of its own text.
    host =
      if targets == [ ] then
        null
      else
        {
          name = "host";
          flags = [ "--offload-host-only" ];
          listedBy = [ ];
        };
    # Nothing shows the list to a pass.
    archList = "";
    whole =
      if odd == [ ] then null else "not known to concern one pass only: ${concatStringsSep " " odd}";
  };
}
