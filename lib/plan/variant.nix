# The plan of one variant: which units, with which compiler, flags and headers, and how
# they are linked. Data only; derivations, CMake files and reports are readings of it,
# so that nobody computes a flag twice.
{ values, backends, platforms, config, matrix, plan, ... }:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatLists
    concatMap
    elem
    elemAt
    filter
    genList
    groupBy
    head
    isList
    length
    listToAttrs
    mapAttrs
    sort
    ;
  inherit (values) attributes lists paths;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (platforms) systems;
  inherit (config) schema;
  inherit (matrix.names) nameTorchBuild;
  inherit (matrix.variants) listVariantTargets;
  inherit (plan.precompiledHeaders) choosePrecompiledHeaders;
  inherit (plan.includeGraph) describeReachedFiles selectFolders;
  inherit (plan.link) planLink;
  inherit (plan.unit) generatedFolder planUnit;
  inherit (lists) unique;

  # What each component's files reach, as it sees them: nothing of it is a variant's own.
  seeing =
    graph: component:
    let
      seen = selectFolders (map (paths.join "") component.include) graph;
    in
    component // { reached = mapAttrs (file: _: describeReachedFiles seen file) seen; };

  # The framework's section counts as one more component, which depends on its library and has no
  # keys of a backend of its own.
  readComponents =
    { config, graph }:
    let
      inherit (schema.sections."kernel.NAME") keys;
      binding = mapAttrs (_: key: key.default) keys // {
        inherit (config.framework) name;
        inherit (config.section) src include cxx-flags;
        depends = config.framework.bindingDepends;
      };
    in
    {
      binding = seeing graph binding;
      named = mapAttrs (name: component: seeing graph (component // { inherit name; })) config.components;
    };

  # The binding has the targets of all components together, where it has none of its own.
  targetsOf =
    variant: component:
    variant.targets.${component.name} or (listVariantTargets variant);
  # Those that it has where it is built for all of its targets.
  listedOf = variant: targetsOf (variant // { targets = variant.listed or variant.targets; });
  # What `depends` may name that is linked, too.
  inherit (config.dependencies.table) depends;
  librariesOfDepends = listToAttrs (
    map (name: {
      inherit name;
      value = {
        inherit (depends.${name}) libraries;
        alone = depends.${name}.libraries;
      };
    }) (filter (name: depends.${name} ? libraries) (attrNames depends))
  );

  inOrder =
    backend: targets: if backend.targets == null then targets else backend.targets.inOrder targets;

  # Several components as the one by which a source is compiled that they all list: lists are joined in
  # the order of the components, and any other value is the first one's, with a warning (config/sources).
  together =
    graph: owners:
    let
      inherit (schema.sections."kernel.NAME") keys;
      component = head owners;
      valueOf = key: owner: owner.${key} or keys.${key}.default;
      all = key: unique (map (valueOf key) owners);
      joinedKeys = filter (key: keys.${key}.perSource && isList (valueOf key component)) (attrNames keys);
    in
    if length owners == 1 then
      component
    else
      seeing graph (
        component
        // attributes.generate joinedKeys (key: concatLists (all key))
        // attributes.generate [ "depends" "include" ] (key: unique (concatLists (all key)))
      );

  # Where each source is listed, in the order of first mention: what several components list is
  # compiled once, for all that they are compiled for.
  listingsOf =
    backend: components:
    let
      isUnit = file: backend.languages ? ${paths.ending file};
      listings = concatMap (
        component:
        map (file: {
          inherit component;
          source = paths.join "" file;
        }) (filter isUnit component.src)
      ) components;
      numbered = genList (number: elemAt listings number // { inherit number; }) (length listings);
    in
    sort (a: b: (head a).number < (head b).number) (
      attrValues (groupBy (listing: listing.source) numbered)
    );
in
{
  /**
    The plan of each variant of a kernel; what is the same in all of them is made once, when it
    has the first argument. `precompiled` is the one of `precompiled.choose`.

    # Type

    ```
    planVariant :: { config :: Config; graph :: Graph; precompiled :: Bool | Null; } -> Variant -> Plan
    ```
  */
  planVariant =
    {
      config,
      graph,
      precompiled ? null,
    }:
    let
      components = readComponents { inherit config graph; };
    in
    variant:
    let
      backend =
        backends.all.${variant.backend}
        // optionalAttrs (systems.isDarwin variant.system) backends.all.${variant.backend}.onDarwin;
      linkable = backend.packages // librariesOfDepends;
      seen = unique (concatMap (unit: unit.packages) units);
      packages = filter (package: elem package seen) (attrNames linkable);
      units = choosePrecompiledHeaders precompiled (map (
        listings:
        let
          inherit (head listings) source;
          owners = map (listing: listing.component) listings;
          component = together graph owners;
          ofOwners =
            of:
            let
              targets = unique (concatMap (of variant) owners);
            in
            if length owners == 1 then targets else inOrder backend targets;
        in
        planUnit {
          inherit backend variant component;
          inherit (config) framework;
          kernel = config.general.name;
          reached = component.reached.${source};
          targets = ofOwners targetsOf;
          listed = ofOwners listedOf;
          wantedHeaders = if config.torch == null then null else config.torch.headers;
          inherit embeddable;
        } source
      ) listed);
      embeddable = filter (source: backend.languages.${paths.ending source}.isEmbedded) (
        map (listings: (head listings).source) listed
      );
      listed = listingsOf backend (
        optionals variant.compiled ([ components.binding ] ++ map (name: components.named.${name}) variant.components)
      );
    in
    {
      kernel = config.general.name;
      pythonName = config.general.python-name;
      variant = variant.name;
      framework = config.framework.name;
      pythonFolder = "${config.framework.folder}/${config.general.python-name}";
      inherit (variant)
        backend
        compiled
        compute
        ptxas
        system
        toolkit
        torch
        ;
      inherit units;
      inherit (config.framework) isOfTorch;
      inherit (backend) runtime;
      torchIsAlone = systems.isDarwin variant.system || backend.isEverywhere;
      inherit generatedFolder;
      # What the name of the extension begins with; a hash of all that is built ends it.
      extensionPrefix = "_${config.general.python-name}_${variant.backend}_";
      torchBuild = nameTorchBuild variant;
      # Null for a variant without compiled code, and for a backend that compiles none.
      link =
        if !variant.compiled || backend.linker == null then
          null
        else
          planLink {
            inherit
              backend
              packages
              seen
              linkable
              ;
            inherit (config) framework;
            inherit (variant) system;
            # The module's entry point is part of what the link names.
            module = any (unit: unit.extensionName == "late" && unit.registersModule) units;
          };
    };
}
