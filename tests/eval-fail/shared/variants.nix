# The variants of a build.toml on one system, with the sources of tests/unit/kernels/relu. Throws their problems.
text:
let
  library = import ../../../lib;
  config = import ./relu.nix text;
  inherit
    (library.matrix.decisions.decideRows {
      inherit config;
      matrix = builtins.filter (row: row.system != "aarch64-linux") library.matrix.torchBuilds.knownRows;
    })
    variants
    ;
  problems =
    library.matrix.bounds.checkBounds { inherit config variants; }
    ++ builtins.concatMap (variant: variant.problems) variants;
in
library.messages.check.throwProblems "${config.general.name} has variants that cannot be built" problems variants
