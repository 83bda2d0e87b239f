{ config, ... }:
let
  read = name: builtins.tryEval (config.kernelLocks.readKernelLocks (../kernels/locks + "/${name}"));
in
{
  readKernelLocks = {
    none = [ (config.kernelLocks.readKernelLocks ../kernels/relu) [ ] ];
    # A commit may be abbreviated for people, not for a pin.
    commits = [
      [ (map ({ lock, ... }: builtins.stringLength lock.commit) (read "whole").value) (read "abbreviated").success ]
      [ [ 40 ] false ]
    ];
  };
}
