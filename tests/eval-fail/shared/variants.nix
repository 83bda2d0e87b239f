# The variants of a build.toml on one system, with the sources of tests/unit/kernels/relu. Throws their problems.
text:
let
  library = import ../../../lib;
  config = import ./relu.nix text;
  variants = library.matrix.variants.listVariants {
    inherit config;
    matrix = builtins.filter (row: row.systems != [ "aarch64-linux" ]) (
      map (row: row // { systems = [ (builtins.head row.systems) ]; }) library.matrix.torchBuilds.default
    );
  };
  problems =
    library.matrix.bounds.checkBounds { inherit config variants; }
    ++ builtins.concatMap (variant: variant.problems) variants;
in
library.messages.check.throwProblems "${config.general.name} has variants that cannot be built" problems variants
