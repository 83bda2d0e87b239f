# The builds of a kernel's variants on one system.
{ values, config, plan, outputs, ... }:
let
  inherit (values) attributes;
  inherit (config) dependencies;
  inherit (plan.imports) isImported;
  inherit (plan.licences) listBrought listLicences;
  inherit (plan.pythonFiles) selectPythonFiles;
  inherit (outputs.localKernels) writeLocalKernels;
  inherit (outputs.metadata) makeMetadata;
in
{
  /**
    The builds by name. The build of a variant that cannot be built throws the reason. `here` is the record of
    `makeKernelOutputs`.

    Type: buildVariants :: AttrSet -> { ${name} :: Derivation; }
  */
  buildVariants =
    here:
    let
      inherit (here) kernel options packageSet provenance available fileOf;
      inherit (kernel) config graph;
      inherit (config) general;
      pythonFiles = selectPythonFiles { root = options.path; inherit config; };
      usesTriton = isImported {
        root = options.path;
        folders = [ config.pythonFolder ];
        module = "triton";
      };
      listTexts = listLicences options.path;
      publishedFiles = values.paths.filesBelow options.path config.pythonFolder;
      # Units share most headers. `groupBy` calls one function for each, and `unique` three.
      filesOf =
        { plan, ... }:
        builtins.attrNames (
          builtins.groupBy (file: file) (builtins.concatMap (unit: [ unit.source ] ++ unit.headers) plan.units)
        );
      licencesOf =
        files:
        attributes.generate (listTexts (publishedFiles ++ files)) (
          file: values.paths.alone (options.path + "/${file}")
        );

      # The import check tells names that another backend's sources define from typing errors.
      definingFiles = builtins.filter (file: graph.${file}.mayDefineOperators) (builtins.attrNames graph);

      # A list of sources has the kernel's own files by name, and everything else by its hash.
      sourcesOf =
        variant: files: licences: derivations:
        packageSet.listSources {
          variant = variant.name;
          inherit derivations provenance;
          component = { inherit (general) name version license upstream; };
          files =
            attributes.generate files fileOf
            // licences
            // { ${config.pythonFolder} = pythonFiles; };
        };

      buildVariant =
        variant:
        let
          files = filesOf variant;
          licences = licencesOf files;
        in
        (packageSet.forPlan variant.plan).buildVariant {
          inherit (variant) plan;
          inherit licences;
          brought = listBrought variant.plan;
          inherit options provenance fileOf pythonFiles definingFiles usesTriton;
          metadata = makeMetadata { inherit config variant; };
          projects = dependencies.listProjects config variant.backend;
          isImported = options.doGetKernelCheck && available.importObstacle variant == null;
          localKernels = writeLocalKernels here variant;
          sourcesOf = sourcesOf variant files licences;
        };
    in
    attributes.byName (
      variant:
      if available.isBuildable variant then
        buildVariant variant
      else
        throw "${variant.name} cannot be built: ${available.obstacle variant}"
    ) here.local;
}
