# The passes of a HIP unit: one for each architecture, one for the host. The passes
# do not depend on each other: HIP's headers describe an architecture only in its own pass.
let
  # Flags that choose the passes of a unit, or make them depend on each other.
  ties = builtins.fromJSON (builtins.readFile ./ties.json);
  targetFlag = import ./target-flag.nix;
  isTie = flag: builtins.any (pattern: builtins.match pattern flag != null) ties;
in
/**
  The passes of a unit. `identity` is 16 hexadecimal digits that no other unit has.

  Type: takeApart :: { identity :: String; targets :: [String]; flags :: [String]; … } -> Passes
*/
{ identity, targets, ... }@arguments:
let
  # Options that name targets are read with the list of targets.
  flags = builtins.filter (flag: targetFlag flag == null) arguments.flags;
  keepingWhole = builtins.filter isTie flags;
in
{
  inherit flags;
  moduleId = "kernel_builder_${identity}";
  passes = map (name: { inherit name; ptx = false; }) targets;
  packing = [ ];
  # The host pass has no target. It registers the kernels in its own text.
  host =
    if targets == [ ] then
      null
    else
      { name = "host"; listedBy = [ ]; };
  # No pass can see the list of targets.
  archList = "";
  linkFlags = null;
  whole =
    if keepingWhole == [ ] then
      null
    else
      "not known to concern one pass only: ${builtins.concatStringsSep " " keepingWhole}";
}
