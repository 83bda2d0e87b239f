# The passes of a HIP unit: one for each architecture, one for the host. The passes
# do not depend on each other: HIP's headers describe an architecture only in its own pass.
let
  inherit (builtins)
    any
    concatStringsSep
    filter
    match
    ;

  # Flags that choose the passes of a unit, or make them depend on each other.
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
  flagOf = target: "--offload-arch=${target}";
in
/**
  The passes of a unit. `identity` is 16 hexadecimal digits that no other unit has.

  Type: takeApart :: { identity :: String; targets :: [String]; flags :: [String]; … } -> { device :: Device;
    flags :: [String]; buildFlags :: [String]; }
*/
{
  identity,
  targets,
  flags,
  ...
}:
let
  keepingWhole = filter isTie flags;
  moduleId = "kernel_builder_${identity}";
in
{
  inherit flags;
  # Without this option, clang derives the name from a file's path and flags.
  buildFlags = [ "-cuid=${moduleId}" ];
  device = {
    inherit moduleId;
    passes = map (name: {
      inherit name;
      ptx = false;
      flags = [
        (flagOf name)
        "--offload-device-only"
        "--no-gpu-bundle-output"
      ];
    }) targets;
    packing = [ ];
    # The host pass has no target. It registers the kernels in its own text.
    host =
      if targets == [ ] then
        null
      else
        {
          name = "host";
          flags = [ "--offload-host-only" ];
          listedBy = [ ];
        };
    # No pass can see the list of targets.
    archList = "";
    wholeFlags = map flagOf targets;
    wholeLinkFlags = null;
    whole =
      if keepingWhole == [ ] then null else "not known to concern one pass only: ${concatStringsSep " " keepingWhole}";
  };
}
