{ config, ... }:
{
  # tests/eval-fail has the whole lists.
  listTargets.inOrder = [ (builtins.head (config.targets.listTargets { backend = "cuda"; })) "5.0" ];
}
