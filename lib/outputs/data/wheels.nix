# The names, tags and requirements of a variant's wheel, which pip installs.
{ values, platforms, backends, config, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    filter
    groupBy
    head
    listToAttrs
    mapAttrs
    match
    replaceStrings
    ;
  inherit (values) versions;
  inherit (values.lists) optionals unique;
  inherit (platforms.systems) isDarwin;
  inherit (config) dependencies;

  # The platform tag of a wheel.
  platformOf =
    { backend, system, ... }:
    if isDarwin system then
      "macosx_${replaceStrings [ "." ] [ "_" ] backends.all.${backend}.checks.macos}_arm64"
    else
      "manylinux_2_28_${head (match "([^-]*)-.*" system)}";

  # The variant's name without the C++ ABI, and without the system, which the wheel's tags state.
  labelOf =
    { name, system, ... }:
    let
      withSystem = match "(.*)-${system}" name;
      short = if withSystem == null then name else head withSystem;
    in
    replaceStrings [ "-cxx11" "-" ] [ "" "." ] short;

  # Providers find out which variant wheels a machine can use (the draft PEP 850). Each backend has at most one.
  providers = listToAttrs (
    map (backend: {
      name = backend.wheelProvider.namespace;
      value = { inherit (backend.wheelProvider) requires plugin-api; };
    }) (filter (backend: backend.wheelProvider != null) (attrValues backends.all))
  );

  # A label and properties of machines that can use the variant, which distinguish it from others for the same Torch.
  # Null if no provider knows its backend. Every machine can use the label "null" (PEP 825).
  selectionOf =
    variant:
    let
      inherit (backends.all.${variant.backend}) isEverywhere wheelProvider;
    in
    if !variant.compiled then
      null
    else if isEverywhere then
      {
        label = "null";
        properties = { };
      }
    else if wheelProvider == null then
      null
    else
      {
        label = variant.compute;
        properties.${wheelProvider.namespace} = wheelProvider.propertiesOf variant;
      };

  # `variant.json` of a wheel, and `…-variants.json` of an index, which has the selections of all wheels of a version.
  metadataOf = selections: {
    "$schema" = "https://variants-schema.wheelnext.dev/peps/850/v0.2.0.json";
    # The same in all wheels of a version, as the drafts ask for it.
    default-priorities.namespace = attrNames providers;
    inherit providers;
    variants = listToAttrs (
      map (selection: {
        name = selection.label;
        value = selection.properties;
      }) selections
    );
  };
in
{
  /**
    `version` ends in a local label with the Torch and the compute platform. `folder` is the local label alone, by which
    an index groups wheels. A wheel requires the minor release of Torch that it was compiled for. On the stable ABI, it
    requires the version of the ABI or a newer one.

    With `asVariant`, it is a variant wheel if installers can select it: all of these are in the folder ".", the local
    label has only the Torch, and `selection` is the rest, with the metadata that the wheel contains. Otherwise
    `selection` is null.

    # Example

    ```nix
    describeWheel { config = …; variant = …; }
    => { distribution = "relu"; version = "1+torch213.cu130"; label = "torch213.cu130"; folder = "torch213.cu130";
         tag = "cp39-abi3-manylinux_2_28_x86_64"; requires = [ "torch==2.13.*" ]; package = "relu"; selection = null; }
    ```

    Type: describeWheel :: { config :: Config; variant :: Variant; asVariant :: Bool ? false; } -> {
      distribution, version, label, folder, tag, package :: String; license :: String | Null; requires :: [String];
      selection :: { label :: String; properties, metadata :: AttrSet; } | Null; }
  */
  describeWheel =
    {
      config,
      variant,
      asVariant ? false,
    }:
    let
      inherit (config) general framework;
      label = labelOf variant;
      selection = if asVariant then selectionOf variant else null;
      local = if selection == null then label else head (match "(.*)[.]${variant.compute}" label);
      torch =
        if !variant.compiled then
          [ "torch" ]
        else if variant.stableAbi != null then
          [ "torch>=${variant.stableAbi}" ]
        else
          [ "torch==${versions.majorMinor variant.torch}.*" ];
      dependsOnKernels = (dependencies.of config variant.backend).kernel-depends != [ ];
    in
    {
      inherit label;
      folder = if selection == null then label else ".";
      selection = if selection == null then null else selection // { metadata = metadataOf [ selection ]; };
      inherit (general) license;
      distribution = general.python-name;
      package = general.python-name;
      version = "${toString general.version}+${local}";
      tag =
        if !variant.compiled then
          "py3-none-any"
        else
          "${if framework.module.name == "torch" then "cp39-abi3" else "py3-none"}-${platformOf variant}";
      requires = unique (
        optionals (!variant.compiled || framework.isOfTorch) torch
        ++ dependencies.listProjects config variant.backend
        ++ optionals dependsOnKernels [ "kernels" ]
      );
    };

  /**
    The files beside variant wheels in an index, from the results of `describeWheel`: one for each version, with the
    variants of all its wheels.

    Type: describeVariants :: [Described] -> { ${file} :: AttrSet; }
  */
  describeVariants =
    described:
    mapAttrs (_: wheels: metadataOf (map (wheel: wheel.selection) wheels)) (
      groupBy (wheel: "${wheel.distribution}-${wheel.version}-variants.json") (
        filter (wheel: wheel.selection != null) described
      )
    );
}
