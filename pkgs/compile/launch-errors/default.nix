# The archive of the functions that replace a backend's launch functions in a link, compiled with the headers of one
# toolkit. All kernels share the archive, because the link supplies the texts about a variant.
{
  lib,
  runStep,
  toolchain,
}:
let
  inherit (lib.values) paths;
  # The folder is one store path, because each variant of a kernel evaluates this package again.
  shared = paths.alone ./archive;
in
/**
  `headers` is the toolkit's package with the folder `include`.

  # Type

  ```
  launchErrors :: { name :: String; source :: Path; headers :: Derivation; } -> Derivation
  ```
*/
{
  name,
  source,
  headers,
}:
runStep {
  name = "${name}-launch-errors";
  script = "${shared}/compile.sh";
  tools = [ toolchain ];
  env = {
    inherit headers shared toolchain;
    source = paths.alone source;
  };
}
