# The plan of one variant: which units, with which compiler, flags and headers, and how
# they are linked. Data only; derivations, CMake files and reports are readings of it,
# so that nobody computes a flag twice.
{
  backends,
  includes,
  lists,
  paths,
  schema,
  unit,
  ...
}:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatLists
    concatMap
    elem
    filter
    mapAttrs
    ;
  inherit (lists) unique;

  # The framework section counts as one more component, which depends on Torch and has no keys
  # of a backend of its own.
  componentsOf =
    { config, variant }:
    let
      inherit (schema.sections."kernel.NAME") keys;
      framework = mapAttrs (_: key: key.default) keys // {
        name = "torch";
        inherit (config.torch) src include cxx-flags;
        depends = [ "torch" ];
      };
    in
    (if config.torch == null then [ ] else [ framework ])
    ++ map (name: config.components.${name} // { inherit name; }) variant.components;

  # The binding has no targets of its own: those of all components together.
  targetsOf =
    variant: component:
    variant.targets.${component.name} or (unique (concatLists (attrValues variant.targets)));
in
{
  /**
    The plan of `variant`.

    # Type

    ```
    planVariant :: { config :: Config; variant :: Variant; graph :: Graph; } -> Plan
    ```
  */
  planVariant =
    {
      config,
      variant,
      graph,
    }:
    let
      backend = backends.${variant.backend};
      packages = filter (package: any (unit: elem package unit.packages) units) (
        attrNames backend.packages
      );
      units = concatMap (
        component:
        map (unit.planUnit {
          inherit
            backend
            variant
            component
            ;
          graph = includes.within (map (paths.join "") component.include) graph;
          targets = targetsOf variant component;
          wantedHeaders = if config.torch == null then null else config.torch.headers;
        }) (filter (file: backend.languages ? ${paths.extension file}) component.src)
      ) (componentsOf { inherit config variant; });
    in
    {
      kernel = config.general.name;
      variant = variant.name;
      inherit (variant)
        backend
        compute
        system
        toolkit
        torch
        ;
      inherit units;
      inherit (unit) generatedFolder;
      link = {
        inherit (backend) linker;
        inherit packages;
        # The linker leaves out those that no object needs.
        libraries =
          backend.libraries
          ++ concatMap (package: backend.packages.${package}.libraries) packages;
        # The module's entry point is part of what the link names.
        module = any (unit: unit.extensionName == "late" && unit.registersModule) units;
      };
    };

  /**
    The names under which a build of `content` registers itself: the same content
    always gives the same ones, any other content others.

    # Type

    ```
    namesOf :: { config :: Config; variant :: Variant; content :: String; } -> { uid :: String; extension :: String; }
    ```
  */
  namesOf =
    {
      config,
      variant,
      content,
    }:
    let
      uid = builtins.substring 0 16 (builtins.hashString "sha256" content);
    in
    {
      inherit uid;
      extension = "_${config.general.python-name}_${variant.backend}_${uid}";
    };
}
