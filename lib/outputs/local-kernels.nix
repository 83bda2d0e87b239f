# Local builds of the kernels that one depends on, as the public client takes them for their
# repositories: there is no Hub where kernels are built and tested.
{ values, messages, ... }:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    filter
    head
    toJSON
    ;
  inherit (values) versions;
  inherit (messages.check) throwProblem;
in
{
  /**
    What the variable LOCAL_KERNELS has to be for a variant; empty if there are no such kernels. `flakes`
    are those of the kernels, by their repositories; they are built on `buildSystem`.

    # Example

    ```nix
    writeLocalKernels { flakes."me/dep" = dep; system = "x86_64-linux"; buildSystem = "x86_64-linux"; } variant
    => "me/dep=/nix/store/…-dep-torch213-cxx11-cpu-x86_64-linux"
    ```

    # Type

    ```
    writeLocalKernels :: { flakes :: { ${repository} :: Flake; }; system, buildSystem :: String; } -> Variant -> String
    ```

    # Errors

    A flake has no variant that such a Torch can load.
  */
  writeLocalKernels =
    {
      flakes,
      system,
      buildSystem,
    }:
    variant:
    let
      # A variant for the same Torch and toolkit, one without code, or on Torch's stable ABI.
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
          there = flakes.${repository}.legacyPackages.${buildSystem} or { };
          outputs = if system == buildSystem then there else there.cross.${system} or { };
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
      map (repository: "${repository}=${buildOf repository}") (attrNames flakes)
    );
}
