# A variant as a wheel.
{ pythonWith, runStep }:
/**
  `described` is the result of `describeWheel`. The wheel is a file in the derivation's output.

  Type: buildWheel :: { variant :: Derivation; described :: AttrSet; } -> Derivation
*/
{ variant, described }:
let
  inherit (builtins) concatStringsSep;
  inherit (described) distribution version;
in
runStep {
  name = "${distribution}-${described.label}-wheel";
  script = ./build.sh;
  tools = [
    (pythonWith { name = "wheel-python"; packages = [ "wheel" ]; })
  ];
  env = {
    inherit variant;
    inherit (variant) sources;
    inherit (described) package;
    information = "${distribution}-${version}.dist-info";
    metadata = concatStringsSep "\n" (
      [
        "Metadata-Version: 2.4"
        "Name: ${distribution}"
        "Version: ${version}"
        "Summary: The kernel ${distribution} for ${described.label}"
      ]
      ++ (if described.license == null then [ ] else [ "License: ${described.license}" ])
      ++ [ "Requires-Python: >=3.10" "Description-Content-Type: text/markdown" ]
      ++ map (requirement: "Requires-Dist: ${requirement}") described.requires
      ++ [
        ""
        "The kernel `${distribution}` of version ${described.version}, built by kernel-builder."
      ]
    );
    wheel = concatStringsSep "\n" [
      "Wheel-Version: 1.0"
      "Generator: kernel-builder"
      "Root-Is-Purelib: ${if described.tag == "py3-none-any" then "true" else "false"}"
      "Tag: ${described.tag}"
    ];
    preferLocalBuild = true;
  };
}
