# A folder of wheels with pages that pip and uv read: a folder for each Torch and compute platform, as on Torch's own
# server.
{ joinLines, runStep }:
/**
  `wheels` has the results of `describeWheel` and the derivations of `buildWheel`.

  Type: buildWheelIndex :: { kernel, distribution :: String; wheels :: [{ described :: AttrSet; wheel :: Derivation;
    }]; } -> Derivation
*/
{ kernel, distribution, wheels }:
runStep {
  name = "${kernel}-wheels";
  script = ./collect.sh;
  env = {
    # Indexes spell names of projects with hyphens.
    project = builtins.replaceStrings [ "_" ] [ "-" ] distribution;
    wheels = joinLines (map ({ described, wheel }: "${wheel} ${described.label}") wheels);
    preferLocalBuild = true;
  };
}
