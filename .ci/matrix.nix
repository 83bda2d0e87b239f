# The jobs of a CI, from what `kernel-builder build --dry-run --json` prints of the kernels in `folders`.
{ file, folders }:
let
  inherit (builtins) any filter fromJSON readFile replaceStrings;
  found = fromJSON (readFile file);
  # A single kernel is printed without a list.
  kernels = found.kernels or [ (found // { folder = folders; }) ];
  isBuilt =
    kernel: any (variant: variant.state != "left out") (kernel.variants or [ { state = "failed"; } ]);
in
map (kernel: {
  kernel = kernel.folder;
  # For names that may have no slash, such as those of artifacts.
  name = replaceStrings [ "/" ] [ "-" ] kernel.folder;
}) (filter isBuilt kernels)
