{ config, ... }:
{
  readKernelLocks.none = [ (config.kernelLocks.readKernelLocks ../kernels/relu) [ ] ];
}
