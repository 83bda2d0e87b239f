{ config, ... }:
let
  inherit (config) kernelLocks;
  lock = {
    dependency = {
      repo-id = "me/dep";
      version = 1;
    };
    lock = {
      commit = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
      hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    };
  };
in
{
  readKernelLocks.none = {
    expr = kernelLocks.readKernelLocks ../kernels/relu;
    expected = [ ];
  };
  listUnlockedDependencies = {
    ofOneVersion = {
      expr = map (dependency: kernelLocks.listUnlockedDependencies [ lock ] [ dependency ] == [ ]) [
        lock.dependency
        (lock.dependency // { version = 2; })
      ];
      expected = [
        true
        false
      ];
    };
  };
}
