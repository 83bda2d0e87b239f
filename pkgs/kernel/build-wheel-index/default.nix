# A folder of wheels with pages that pip and uv read: a folder for each Torch and compute platform, as on Torch's own
# server.
{ runStep }:
/**
  `wheels` has `label`, by which wheels are grouped, and `wheel`, a derivation of `buildWheel`.

  # Type

  ```
  buildWheelIndex :: { kernel, distribution :: String; wheels :: [{ label :: String; wheel :: Derivation; }]; } -> Derivation
  ```
*/
{
  kernel,
  distribution,
  wheels,
}:
runStep {
  name = "${kernel}-wheels";
  script = ./collect.sh;
  env = {
    # Indexes spell names of projects with hyphens.
    project = builtins.replaceStrings [ "_" ] [ "-" ] distribution;
    wheels = builtins.concatStringsSep "\n" (map ({ label, wheel }: "${wheel} ${label}") wheels);
    preferLocalBuild = true;
  };
}
