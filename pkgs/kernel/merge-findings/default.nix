# The warnings of the steps of several variants, each problem once.
{ lib, runPython }:
/**
  `variants` has the results of `collectFindings`.

  Type: mergeFindings :: { kernel :: String; variants :: { ${name} :: Derivation; }; } -> Derivation
*/
{ kernel, variants }:
runPython {
  name = "${kernel}-all-findings";
  script = ../collect-findings/collect.py;
  env = {
    problem = lib.values.paths.alone ../../../python/src/kernel_builder/messages/problem.py;
    variants = builtins.toJSON variants;
    passAsFile = [ "variants" ];
    preferLocalBuild = true;
  };
}
