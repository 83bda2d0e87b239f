# The names, tags and requirements of a variant's wheel, which pip installs.
{ values, platforms, backends, config, ... }:
let
  inherit (builtins) replaceStrings;
  inherit (values.lists) optionals unique;
  inherit (platforms) systems;
  inherit (config) dependencies;

  # The platform tag of a wheel.
  platformOf =
    { backend, system, ... }:
    let
      inherit (systems.table.${system}) machine;
    in
    if systems.isDarwin system then
      "macosx_${replaceStrings [ "." ] [ "_" ] backends.all.${backend}.checks.macos}_${machine}"
    else
      "manylinux_2_28_${machine}";

  # The variant's name without the C++ ABI, and without the system, which the wheel's tags state.
  labelOf = { name, system, ... }: replaceStrings [ "-${system}" "-cxx11" "-" ] [ "" "" "." ] name;
in
{
  /**
    `version` ends in the local `label` with the Torch and the compute platform, by which an index groups wheels. A wheel requires the minor release of Torch that it was compiled for. On the stable ABI, it
    requires the version of the ABI or a newer one.

    # Example

    ```nix
    describeWheel { config = …; variant = …; }
    => { distribution = "relu"; version = "1+torch213.cu130"; label = "torch213.cu130";
         tag = "cp39-abi3-manylinux_2_28_x86_64"; requires = [ "torch==2.13.*" ]; package = "relu"; }
    ```

    Type: describeWheel :: { config :: Config; variant :: Variant; } -> {
      distribution, version, label, tag, package :: String; license :: String | Null; requires :: [String]; }
  */
  describeWheel =
    { config, variant }:
    let
      inherit (config) general framework;
      label = labelOf variant;
      torch =
        if !variant.compiled then
          [ "torch" ]
        else if variant.stableAbi != null then
          [ "torch>=${variant.stableAbi}" ]
        else
          [ "torch==${values.versions.majorMinor variant.torch}.*" ];
      dependsOnKernels = (dependencies.of config variant.backend).kernel-depends != [ ];
    in
    {
      inherit label;
      inherit (general) license;
      distribution = general.python-name;
      package = general.python-name;
      version = "${toString general.version}+${label}";
      tag =
        if !variant.compiled then
          "py3-none-any"
        else
          "${if framework.isOfTorch then "cp39-abi3" else "py3-none"}-${platformOf variant}";
      requires = unique (
        optionals (!variant.compiled || framework.isOfTorch) torch
        ++ dependencies.listProjects config variant.backend
        ++ optionals dependsOnKernels [ "kernels" ]
      );
    };
}
