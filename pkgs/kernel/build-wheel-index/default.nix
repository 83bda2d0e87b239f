# A folder of wheels with pages that pip and uv read: a folder for each Torch and compute platform, as on Torch's own
# server.
{ runStep }:
/**
  `wheels` has the results of `describeWheel` and the derivations of `buildWheel`. `metadata` has the files beside
  variant wheels, which are in the folder ".".

  Type: buildWheelIndex :: { kernel, distribution :: String; wheels :: [{ described :: AttrSet; wheel :: Derivation; }];
    metadata :: { ${file} :: AttrSet; }; } -> Derivation
*/
{
  kernel,
  distribution,
  wheels,
  metadata,
}:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    replaceStrings
    toJSON
    ;
in
runStep {
  name = "${kernel}-wheels";
  script = ./collect.sh;
  env = {
    # Indexes spell names of projects with hyphens.
    project = replaceStrings [ "_" ] [ "-" ] distribution;
    wheels = concatStringsSep "\n" (map ({ described, wheel }: "${wheel} ${described.folder}") wheels);
    metadata = concatStringsSep "" (
      map (name: "${name} ${toJSON metadata.${name}}\n") (attrNames metadata)
    );
    preferLocalBuild = true;
  };
}
