{ config, ... }:
let
  inherit (builtins) elem;
  inherit (config.targets) listTargets;
in
{
  listTargets = {
    inOrder = [ (builtins.head (listTargets { backend = "cuda"; })) "5.0" ];
    old = [ (elem "7.0" (listTargets { backend = "cuda"; })) true ];
    rocm = [ (elem "gfx950" (listTargets { backend = "rocm"; })) true ];
    once = [ (builtins.length (builtins.filter (name: name == "8.0") (listTargets { backend = "cuda"; }))) 1 ];
  };
}
