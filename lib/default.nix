# The library: from build.toml to a plan, and from a plan and a package set to the outputs of a
# kernel's flake. Its folders are stages, in the order in which data flows, and each stage is a
# namespace: `lib.config.dependencies.of`, `lib.plan.unit.planUnit`.
#
# A module is a function of the namespaces. It receives only the modules that modules.json lists in records above its
# own, so modules cannot depend on each other in a cycle. Modules in one record are independent of each other.
# All stages but the last are pure; modules of `outputs` receive a package set.
let
  inherit (builtins) foldl' fromJSON mapAttrs readFile;

  addModules =
    library:
    { stage, modules }:
    library
    // {
      ${stage} = library.${stage} or { } // mapAttrs (_: file: import (./. + "/${file}") library) modules;
    };
in
foldl' addModules { } (fromJSON (readFile ./modules.json))
