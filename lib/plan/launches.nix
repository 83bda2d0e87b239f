# Reports launches on a device that a variant has no code for. A compiled `kernel<<<...>>>` ignores the status of the
# launch, so the kernel would silently do nothing. With `ld --wrap`, the link replaces the backend's functions by
# functions of the package `launch-errors`, and it supplies the texts for their message. Objects stay the same.
{ values, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatStringsSep
    elem
    head
    length
    ;
  inherit (values.lists) unique;

  none = {
    flags = [ ];
    libraries = [ ];
    nameFlags = [ ];
    packages = [ ];
  };

  # "8.0, 9.0", or "hopper: 9.0a; portable: 8.0" if components differ.
  describeTargets =
    targets:
    let
      lists = unique (attrValues targets);
      join = concatStringsSep ", ";
    in
    if length lists == 1 then
      join (head lists)
    else
      concatStringsSep "; " (map (name: "${name}: ${join targets.${name}}") (attrNames targets));
in
{
  /**
    The additions to the link of a portable build that report failed launches, as `planLink` expects them: `flags` of
    the linker, `libraries` that precede all others, `packages`, and `nameFlags` for the file with the extension's name.
    `seen` are the packages that any unit sees.

    Type: planLaunches :: { backend :: Backend; kernel :: String; variant :: Variant; seen :: [String]; } -> {
      flags, libraries, nameFlags, packages :: [String]; }
  */
  planLaunches =
    {
      backend,
      kernel,
      variant,
      seen,
    }:
    let
      inherit (backend) launches targets;
    in
    if launches == null || !elem launches.package seen || variant.targets == { } then
      none
    else
      {
        flags = map (function: "-Wl,--wrap=${function}") launches.functions;
        libraries = [
          "-L@launch-errors@/lib"
          "-llaunch-errors"
        ];
        packages = [ "launch-errors" ];
        nameFlags = [
          "-DBUILT_KERNEL=\"${kernel}\""
          "-DBUILT_VARIANT=\"${variant.name}\""
          "-DBUILT_TARGETS=\"${describeTargets variant.targets}\""
          "-DTARGETS_KEY=\"${targets.key}\""
        ];
      };
}
