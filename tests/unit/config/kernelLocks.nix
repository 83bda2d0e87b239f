{ config, ... }:
let
  inherit (config) kernelLocks;
  lock = {
    dependency = { repo-id = "me/dep"; version = 1; };
    lock = {
      commit = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
      hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    };
  };
in
{
  readKernelLocks.none = [ (kernelLocks.readKernelLocks ../kernels/relu) [ ] ];
  listUnlockedDependencies = {
    ofOneVersion = [
      (map (dependency: kernelLocks.listUnlockedDependencies [ lock ] [ dependency ] == [ ]) [
        lock.dependency
        (lock.dependency // { version = 2; })
      ])
      [ true false ]
    ];
  };
}
