# The outputs of a kernel of others: the library of a trusted kernel-builder, applied to the kernel's files. No Nix code
# of the kernel is evaluated.
{ builder, kernel, system }:
let
  fetch =
    { path, narHash, ... }:
    builtins.fetchTree { type = "path"; inherit path narHash; };
  # The facts that Nix gives a flake about its own commit.
  sourceOf = tree: if tree.commit == "" then { } else { rev = tree.commit; };
  project = (import "${fetch builder}").forSource (sourceOf builder);
in
(project.lib.genKernelFlakeOutputs {
  self = sourceOf kernel;
  path = /. + builtins.unsafeDiscardStringContext "${fetch kernel}";
}).legacyPackages.${system}
