# Local builds and locked files of the kernels in `kernel-depends`, in the form that the `kernels` client reads.
# Builds and tests of kernels cannot reach the Hub.
{ values, messages, ... }:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    filter
    head
    listToAttrs
    toJSON
    ;
  inherit (values) versions;
  inherit (messages.check) throwProblem;
in
{
  /**
    The value of the variable LOCAL_KERNELS for a variant; empty if there are neither flakes nor locks. `flakes` has
    the kernels' flakes by repository, and `buildSystem` is the system of the machine that builds them. `locks` are
    the locks in kernels.lock, and `fetchKernel` fetches their files. If a kernel has both, its flake is used.

    # Example

    ```nix
    writeLocalKernels {
      flakes."me/dep" = dep; locks = [ ]; system = "x86_64-linux"; buildSystem = "x86_64-linux";
    } variant
    => "me/dep=/nix/store/…-dep-torch213-cxx11-cpu-x86_64-linux"
    ```

    Type: writeLocalKernels :: { flakes :: { ${repository} :: Flake; }; locks :: [Lock]; fetchKernel :: Function;
      system, buildSystem :: String; } -> Variant -> String

    # Errors

    A flake has no variant that the Torch of `variant` can load.
  */
  writeLocalKernels =
    {
      flakes,
      locks ? [ ],
      fetchKernel ? null,
      system,
      buildSystem,
    }:
    variant:
    let
      locked = listToAttrs (
        map (
          { dependency, lock }:
          {
            name = dependency.repo-id;
            value = fetchKernel {
              repository = dependency.repo-id;
              inherit (lock) commit hash;
            };
          }
        ) locks
      );
      # A variant fits if it has no compiled code, or is for the same toolkit and for the same Torch
      # or an older stable ABI.
      suits =
        other:
        other.backend == variant.backend
        && other.unavailable == null
        && (
          !other.compiled
          || (
            other.compute == variant.compute
            && (
              if other.stableAbi == null then
                other.torch == variant.torch
              else
                versions.atLeast other.stableAbi variant.torch
            )
          )
        );
      buildOf =
        repository:
        let
          ofFlake = flakes.${repository}.legacyPackages.${buildSystem} or { };
          outputs = if system == buildSystem then ofFlake else ofFlake.cross.${system} or { };
          details = outputs.variantDetails or [ ];
          fitting = filter suits details;
        in
        if fitting == [ ] then
          throwProblem "no variant of ${repository} fits ${variant.name}" {
            at = "localKernels.${toJSON repository} in flake.nix";
            found =
              if details == [ ] then
                "no outputs of genKernelFlakeOutputs for ${system}"
              else
                concatStringsSep ", " (map (other: other.name) details);
            want = "a variant for Torch ${variant.torch} and ${variant.compute}, one on the stable ABI, or torch-${variant.backend}";
            fix = "let both kernels be built for the same Torch, or take it out of localKernels";
          }
        else
          outputs.redistributable.${(head fitting).name};
    in
    concatStringsSep ":" (
      map (repository: "${repository}=${if flakes ? ${repository} then buildOf repository else locked.${repository}}") (
        attrNames (locked // flakes)
      )
    );
}
