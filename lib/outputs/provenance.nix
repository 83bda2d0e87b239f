# The commits of the kernel and of kernel-builder, which a build records.
{ values, ... }:
let
  inherit (builtins) head match;
  inherit (values.attributes) optionalAttrs;

  # The commit of a flake; empty if it is not known, as for a folder without git.
  commitOf =
    flake:
    if flake ? rev then
      {
        commit = flake.rev;
        dirty = false;
      }
    else
      optionalAttrs (flake ? dirtyRev) {
        commit = head (match "([0-9a-f]+).*" flake.dirtyRev);
        dirty = true;
      };
in
{
  /**
    The provenance of builds from the flake `kernel`. `builder` is this kernel-builder.

    Type: describeProvenance :: { kernel :: AttrSet; builder :: { version :: String; source :: AttrSet; }; } -> AttrSet
  */
  describeProvenance =
    { kernel, builder }:
    let
      commit = commitOf kernel;
    in
    {
      kernel-builder = {
        inherit (builder) version;
      }
      // commitOf builder.source;
    }
    // optionalAttrs (commit != { }) { kernel = commit; };
}
