# `versionCheck`: the imports of a variant with other releases of Torch and Triton than the one that its build has.
# `bin/version-check` shows what they found.
{ busybox, collectFindings, lib, runPython }:
/**
  `trials` are the attributes `trial` of import checks. The result has `findings.json`, as the findings of a variant.

  Type: versionCheck :: { kernel, variant :: String; trials :: [Derivation]; } -> Derivation
*/
{ kernel, variant, trials }:
let
  name = lib.values.storeName.sanitize "${kernel}-${variant}-version-check";
in
runPython {
  inherit name;
  script = ./write_program.py;
  env = {
    inherit trials variant;
    findings = collectFindings {
      inherit name;
      id = null;
      steps = map (trial: { inherit (trial) name; path = "${trial}"; }) trials;
    };
    shell = "${busybox}/bin/sh";
    cat = "${busybox}/bin/cat";
  };
}
// { inherit trials; meta.mainProgram = "version-check"; }
