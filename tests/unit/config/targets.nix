{ config, ... }:
let
  inherit (builtins) elem;
  inherit (config.targets) listTargets;
in
{
  listTargets = {
    inOrder = {
      expr = builtins.head (listTargets { backend = "cuda"; });
      expected = "5.0";
    };
    old = {
      expr = elem "7.0" (listTargets { backend = "cuda"; });
      expected = true;
    };
    rocm = {
      expr = elem "gfx950" (listTargets { backend = "rocm"; });
      expected = true;
    };
    once = {
      expr = builtins.length (builtins.filter (name: name == "8.0") (listTargets { backend = "cuda"; }));
      expected = 1;
    };
  };
}
