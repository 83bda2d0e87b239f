# The targets (CUDA capabilities, ROCm architectures) that build.toml may list.
{ values, backends, ... }:
let
  inherit (builtins) attrValues concatMap;
  inherit (values) lists versions;
in
{
  /**
    All targets of a backend that any release of its toolkit supports.

    Type: listTargets :: String -> [String]
  */
  listTargets =
    backend:
    let
      inherit (backends.all.${backend}) targets toolkit;
      supported = concatMap (release: release.supported) (attrValues toolkit.releases);
    in
    targets.inOrder (versions.ascending (lists.unique supported));
}
