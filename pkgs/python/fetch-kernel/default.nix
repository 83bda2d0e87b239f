# The files of a kernel on the Hub at one commit, pinned by their hash.
#
# The Hub's library downloads them. It takes the address of a mirror from HF_ENDPOINT of whoever runs the build. It
# takes no token, so it cannot fetch private kernels.
{ fetchWithPython, pythonWith }:
let
  python = pythonWith { name = "hub-python"; packages = [ "huggingface-hub" ]; };
in
/** Type: fetchKernel :: { repository, commit, hash :: String; } -> Derivation */
{ repository, commit, hash }:
fetchWithPython {
  name = builtins.replaceStrings [ "/" ] [ "-" ] repository;
  coordinates = { sourceKind = "kernel"; inherit repository commit; };
  mode = "recursive";
  inherit hash python;
  program = ./download.py;
  callers = [ "HF_ENDPOINT" ];
}
