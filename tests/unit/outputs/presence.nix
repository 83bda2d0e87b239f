{ outputs, ... }:
let
  inherit (outputs) presence;
in
{
  script.asksForEachBackend = [
    (builtins.match ".*\n  rocm\\) \\[ -e /dev/kfd ] ;;\n.*" presence.script != null)
    true
  ];
}
