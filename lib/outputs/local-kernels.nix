# Local builds and locked files of the kernels in `kernel-depends`, in the form that the `kernels` client reads.
# Builds and tests of kernels cannot reach the Hub.
{ values, messages, config, ... }:
let
  inherit (builtins) concatStringsSep;

  problems = messages.catalogue.readCatalogue ./local-kernels.json;

  # A build fits a variant if it has no compiled code, or is for the same toolkit and for the same Torch or an older
  # stable ABI.
  suits =
    variant: build:
    build.backend == variant.backend
    && build.unavailable == null
    && (
      !build.compiled
      || (
        build.compute == variant.compute
        && (
          if build.stableAbi == null then
            build.torch == variant.torch
          else
            values.versions.atLeast build.stableAbi variant.torch
        )
      )
    );
in
{
  /**
    The value of the variable LOCAL_KERNELS for a variant; empty if there are neither flakes nor locks. If a kernel has
    both, its flake in the option `localKernels` is used.

    # Example

    ```nix
    writeLocalKernels context variant
    => "me/dep=/nix/store/…-dep-torch213-cxx11-cpu-x86_64-linux"
    ```

    Type: writeLocalKernels :: Context -> Variant -> String

    # Errors

    A flake has no variant that the Torch of `variant` can load.
  */
  writeLocalKernels =
    { kernel, options, packageSet, system, buildSystem, ... }:
    variant:
    let
      flakes = options.localKernels;
      depends = (config.dependencies.of kernel.config variant.backend).kernel-depends;
      sorted = builtins.partition (lock: builtins.elem lock.dependency depends) kernel.locks;
      # Backends may load different versions of a kernel. The first lock of a kernel counts.
      locked = builtins.listToAttrs (
        map (
          { dependency, lock }:
          {
            name = dependency.repo-id;
            value = packageSet.fetchKernel {
              repository = dependency.repo-id;
              inherit (lock) commit hash;
            };
          }
        ) (sorted.right ++ sorted.wrong)
      );
      buildOf =
        repository:
        let
          ofMachine = flakes.${repository}.legacyPackages.${buildSystem} or { };
          outputs = if system == buildSystem then ofMachine else ofMachine.cross.${system} or { };
          builds = outputs.variantDetails or [ ];
          fitting = builtins.filter (suits variant) builds;
        in
        if fitting == [ ] then
          messages.check.throwProblem "no variant of ${repository} fits ${variant.name}" (
            (if builds == [ ] then problems.no-outputs else problems.none-fits) {
              at = "localKernels.${builtins.toJSON repository} in flake.nix";
              inherit system;
              inherit (variant) torch compute backend;
              variants = map (build: build.name) builds;
            }
          )
        else
          outputs.redistributable.${(builtins.head fitting).name};
    in
    concatStringsSep ":" (
      map (repository: "${repository}=${if flakes ? ${repository} then buildOf repository else locked.${repository}}") (
        builtins.attrNames (locked // flakes)
      )
    );
}
