# A bundle: variants of one kernel in one folder, and the files published with them.
{ joinLines, runStep }:
/**
  `variants` maps a variant's name to its build; `extras` maps a name to a store path.

  Type: buildBundle :: { kernel :: String; variants :: { ${name} :: Derivation; }; extras :: { ${name} :: StorePath; };
    } -> Derivation
*/
{ kernel, variants, extras }:
let
  parts = variants // extras;
in
runStep {
  name = kernel;
  script = ./collect.sh;
  env = {
    parts = joinLines (
      map (name: "${parts.${name}} ${name}") (builtins.attrNames parts)
    );
    # Sending the bundle to another machine takes longer than building it.
    preferLocalBuild = true;
  };
}
