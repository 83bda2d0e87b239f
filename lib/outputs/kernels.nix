# The outputs of a flake with several kernels.
#
# The names of the outputs come from the names of folders, so that reading one kernel evaluates no other.
{ values, messages, platforms, ... }:
let
  inherit (builtins) attrNames concatMap elem filter;
  inherit (values) attributes paths;
  inherit (values.lists) optionals;
  inherit (messages.check) checkKeys throwProblem throwProblems;
  inherit (platforms) systems;

  problems = messages.catalogue.readCatalogue ./kernels.json;

  # The path of a folder relative to the flake's folder; only its name if it is not below that.
  placeOf =
    self: folder:
    let
      root = "${toString self}/";
      place = toString folder;
      isBelow = self != null && values.texts.hasPrefix root place;
    in
    if isBelow then builtins.substring (builtins.stringLength root) (-1) place else baseNameOf place;

  # The folders in `path` that have a build.toml, sorted. Links are not followed.
  listKernels =
    path:
    let
      entries = builtins.readDir path;
      kernels = filter (
        name: entries.${name} == "directory" && builtins.pathExists (path + "/${name}/build.toml")
      ) (attrNames entries);
    in
    if kernels != [ ] then
      kernels
    else
      throwProblem "there are no kernels in ${baseNameOf path}" (problems.no-kernel { });

  checkNames =
    reserved: names:
    throwProblems "the kernels cannot be built" (
      map (name: problems.name-of-output { at = name; inherit name reserved; }) (
        filter (name: elem name reserved) names
      )
    ) names;
in
{
  /**
    All outputs of a flake whose kernels are the folders in `path`, by the names of these folders.

    `kernelArguments` adds arguments of `genKernelFlakeOutputs` for single kernels. All other
    arguments are passed to `genKernelFlakeOutputs` for every kernel.

    `legacyPackages.SYSTEM.KERNEL` is the kernel's bundle and has all outputs of the kernel, such as
    `KERNEL.ci-test`; `devShells.SYSTEM.KERNEL` is its shell. `legacyPackages.SYSTEM.ciMatrix` lists
    the jobs of a CI: one for each kernel and each system that it can be built on; `legacyPackages.SYSTEM.kernelFolders`
    has the place of each kernel.

    # Example

    ```nix
    outputs = { self, kernel-builder }:
      kernel-builder.lib.genKernelsFlakeOutputs { inherit self; path = ./kernels; };
    ```

    Type: makeKernelsOutputs :: (AttrSet -> FlakeOutputs) -> { path :: Path; kernelArguments :: { ${kernel} :: AttrSet;
      }; self :: Flake | Null; ... } -> { legacyPackages; devShells; }

    # Errors

    There are no kernels, a folder is called like an output, or `kernelArguments` names a kernel that does not exist.
  */
  makeKernelsOutputs =
    genKernelFlakeOutputs:
    { path, kernelArguments ? { }, self ? null, ... }@arguments:
    let
      # Outputs beside the kernels, whose names no kernel can have.
      otherOutputs = {
        inherit ciMatrix;
        # The command line finds the kernel of a folder by its place. Reading places evaluates no kernel.
        kernelFolders = attributes.generate names (name: paths.placeOf (path + "/${name}"));
      };
      names = checkNames (attrNames otherOutputs) (listKernels path);
      common = removeAttrs arguments [ "kernelArguments" ];
      checked = throwProblems "the kernels cannot be built" (checkKeys {
        at = "kernelArguments";
        known = names;
      } kernelArguments) kernelArguments;
      kernels = attributes.generate names (
        name: genKernelFlakeOutputs (common // { path = path + "/${name}"; } // checked.${name} or { })
      );
      # Every system has the same list, because a single job of a CI reads it to start all others.
      ciMatrix = concatMap (
        name:
        concatMap (
          system:
          let
            inherit (kernels.${name}.legacyPackages.${system}) archVariants backendBundle;
          in
          optionals (archVariants != [ ]) [
            {
              inherit name system;
              kernel = placeOf self (path + "/${name}");
              backends = attrNames backendBundle;
            }
          ]
        ) systems.all
      ) names;
    in
    {
      legacyPackages = attributes.generate systems.all (
        system:
        attributes.generate names (
          name:
          let
            outputs = kernels.${name}.legacyPackages.${system};
          in
          outputs.bundle // outputs
        )
        // otherOutputs
      );
      devShells = attributes.generate systems.all (
        system:
        let
          shellsOf = name: kernels.${name}.devShells.${system};
          # A kernel without variants for the system has no shell. A kernel that throws keeps its name, so that its
          # shell shows the error.
          hasShell =
            name:
            let
              shell = builtins.tryEval (shellsOf name ? default);
            in
            shell.value || !shell.success;
        in
        attributes.generate (filter hasShell names) (name: (shellsOf name).default)
      );
    };
}
