# The files of a kernel on the Hub at one commit, pinned by their hash.
#
# The Hub's library downloads them. It takes the address of a mirror from HF_ENDPOINT of whoever runs the build, and no token:
# what is private cannot be fetched.
{
  system,
  lib,
  hostAccess,
  proxyVariables,
  pythonWith,
}:
let
  python = pythonWith {
    name = "hub-python";
    packages = [ "huggingface-hub" ];
  };
in
/**
  # Type

  ```
  fetchKernel :: { repository, commit, hash :: String; } -> Derivation
  ```
*/
{
  repository,
  commit,
  hash,
}:
derivation (
  hostAccess
  // {
    name = lib.values.storeName.sanitize (builtins.replaceStrings [ "/" ] [ "-" ] repository);
    inherit system repository commit;
    sourceKind = "kernel";
    builder = "${python}/bin/python3";
    args = [ (lib.values.paths.alone ./download.py) ];
    PATH = "${python}/bin";
    outputHashMode = "recursive";
    outputHashAlgo = "sha256";
    outputHash = hash;
    preferLocalBuild = true;
    impureEnvVars = [ "HF_ENDPOINT" ] ++ proxyVariables;
  }
)
