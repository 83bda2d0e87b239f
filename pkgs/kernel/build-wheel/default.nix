# A variant as a wheel.
{ joinLines, pythonWith, runStep }:
/**
  `described` is the result of `describeWheel`. The wheel is a file in the derivation's output.

  Type: buildWheel :: { variant :: Derivation; described :: AttrSet; } -> Derivation
*/
{ variant, described }:
runStep {
  name = "${described.distribution}-${described.label}-wheel";
  script = ./build.sh;
  tools = [
    (pythonWith { name = "wheel-python"; packages = [ "wheel" ]; })
  ];
  env = {
    inherit variant;
    inherit (variant) sources;
    # A license that is null is an empty variable.
    inherit (described) distribution label license package tag version;
    requires = joinLines described.requires;
    preferLocalBuild = true;
  };
}
