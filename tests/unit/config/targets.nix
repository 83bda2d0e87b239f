{ config, ... }:
{
  # tests/eval-fail has the whole lists.
  listTargets.inOrder = [ (builtins.head (config.targets.listTargets "cuda")) "5.0" ];
}
