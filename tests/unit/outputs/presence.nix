{ outputs, ... }:
let
  inherit (outputs) presence;
in
{
  script.asksForEachBackend = {
    expr = builtins.match ".*\n  rocm\\) \\[ -e /dev/kfd ] ;;\n.*" presence.script != null;
    expected = true;
  };
}
