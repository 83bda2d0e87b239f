# The warnings of the steps of several variants, each problem once.
{ commandLineFiles, runPython }:
/**
  `variants` has the results of `collectFindings`.

  Type: mergeFindings :: { kernel :: String; variants :: { ${name} :: Derivation; }; } -> Derivation
*/
{ kernel, variants }:
runPython {
  name = "${kernel}-all-findings";
  script = ../collect-findings/collect.py;
  env = {
    inherit (commandLineFiles) problem;
    variants = builtins.toJSON variants;
    passAsFile = [ "variants" ];
    preferLocalBuild = true;
  };
}
