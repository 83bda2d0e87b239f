# The build of a variant, and its wheel.
{
  values,
  config,
  plan,
  outputs,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    groupBy
    ;
  inherit (values.attributes) generate;
  inherit (config) dependencies;
  inherit (plan.licences) listBrought;

  # Units share most headers. `groupBy` calls one function for each, and `unique` three.
  listFiles =
    plan:
    attrNames (
      groupBy (file: file) (concatMap (unit: [ unit.source ] ++ unit.headers) plan.units)
    );
in
{
  /**
    `build` and `builtWheel` of a variant that cannot be built throw the reason. `wheelNames` is the result of
    `describeWheel`, and `localKernels` the value of LOCAL_KERNELS.

    Type: buildOutput :: Context -> Output -> { build, builtWheel :: Derivation; wheelNames :: AttrSet;
      localKernels :: String; }
  */
  buildOutput =
    context: output:
    let
      inherit (context)
        kernel
        options
        packageSet
        provenance
        fileOf
        pythonFiles
        ;
      inherit (kernel) config;
      inherit (config) general;
      files = listFiles output.plan;
      licences = generate (context.listTexts (context.publishedFiles ++ files)) (
        file: values.paths.alone (options.path + "/${file}")
      );
    in
    {
      localKernels = outputs.localKernels.writeLocalKernels context output;

      build =
        if output.cannotBuild != null then
          throw "${output.name} cannot be built: ${output.cannotBuild}"
        else
          output.set.buildVariant {
            inherit (output) plan localKernels;
            inherit (context) definingFiles usesTriton;
            inherit
              options
              provenance
              fileOf
              pythonFiles
              licences
              ;
            brought = listBrought output.plan;
            metadata = outputs.metadata.makeMetadata {
              inherit config;
              variant = output;
            };
            projects = dependencies.listProjects config output.backend;
            isImported = options.doGetKernelCheck && output.cannotImport == null;
            # A list of sources has the kernel's own files by name, and everything else by its hash.
            sourcesOf =
              derivations:
              packageSet.listSources {
                variant = output.name;
                inherit derivations provenance;
                component = {
                  inherit (general)
                    name
                    version
                    license
                    upstream
                    ;
                };
                files = generate files fileOf // licences // { ${config.pythonFolder} = pythonFiles; };
              };
          };

      wheelNames = outputs.wheels.describeWheel {
        inherit config;
        variant = output;
      };
      builtWheel = packageSet.buildWheel {
        described = output.wheelNames;
        variant = output.build;
      };
    };
}
