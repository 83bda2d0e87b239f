# The context of a kernel's variants on one system, evaluated once for all of them.
{ values, plan, ... }:
let
  inherit (builtins)
    attrNames
    filter
    pathExists
    ;
  inherit (values) paths;
in
{
  /**
    The arguments of `makeKernelOutputs`, with facts about the kernel's files. docs/data.md describes a Context.

    Type: makeContext :: { kernel :: Kernel; options :: Options; system, buildSystem :: String;
      packageSet :: PackageSet; provenance :: AttrSet; } -> Context
  */
  makeContext =
    {
      kernel,
      options,
      ...
    }@arguments:
    let
      root = options.path;
      inherit (kernel) config graph;
      importsTriton =
        folders:
        plan.imports.isImported {
          inherit root folders;
          module = "triton";
        };
    in
    arguments
    // {
      # Each file is its own store path. Only files that a unit reaches are copied to the store.
      fileOf = file: graph.${file}.inStore;
      folderOf =
        folder: if pathExists (root + "/${folder}") then paths.alone (root + "/${folder}") else null;
      pythonFiles = plan.pythonFiles.selectPythonFiles { inherit root config; };
      publishedFiles = paths.filesBelow root config.pythonFolder;
      # The import check tells names that another backend's sources define from typing errors.
      definingFiles = filter (file: graph.${file}.mayDefineOperators) (attrNames graph);
      usesTriton = importsTriton [ config.pythonFolder ];
      authorsUseTriton = importsTriton [
        config.pythonFolder
        "tests"
        "benchmarks"
      ];
      # Partially applied, because it reads the kernel's folder once.
      listTexts = plan.licences.listLicences root;
    };
}
