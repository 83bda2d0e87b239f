# The lists of sources in build.toml: `src` and `include` of the framework's section and of each
# component, with the backends that compile them.
{ values, messages, config, ... }:
let
  inherit (builtins)
    any
    attrNames
    elem
    elemAt
    filter
    genList
    length
    ;
  inherit (values) attributes;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey;
  inherit (config) endings;
  inherit (config) schema;

  inherit (schema.sections."kernel.NAME") keys;

  # The framework's section has only some of these keys. The others get their defaults.
  valuesOf = section: attributes.generate self.sourceKeys (name: section.${name} or keys.${name}.default);

  # Backends with Python kernels only have no units.
  compilingBackends = filter (backend: endings.units.${backend} != [ ]) schema.backends;

  entriesOf =
    at: wanted: list:
    genList (index: {
      inherit wanted;
      at = "${at}[${toString index}]";
      written = elemAt list index;
    }) (length list);

  self = {
    /** The keys of a section that change how its sources are compiled, except for targets. */
    sourceKeys = filter (key: keys.${key}.perSource) (attrNames keys);

    /**
      The sections of a configuration that list sources. Every variant compiles the sources of the
      framework's section (`isBinding`). `backends` is empty if the section names an unknown backend.

      Type: listSourceSections :: Config -> [{ at :: String; src, include, backends :: [String]; values :: AttrSet;
        isBinding :: Bool; }]
    */
    listSourceSections =
      config:
      let
        known = filter (backend: elem backend config.general.backends) schema.backends;
      in
      optionals (config.framework != null && config.framework.isCompiled) [
        {
          at = config.framework.name;
          inherit (config.section) src include;
          values = valuesOf config.section;
          isBinding = true;
          backends =
            if known == [ ] then
              compilingBackends
            else
              filter (backend: elem backend compilingBackends) known;
        }
      ]
      ++ map (name: {
        at = appendKey "kernel" name;
        inherit (config.components.${name}) src include;
        values = valuesOf config.components.${name};
        isBinding = false;
        backends = filter (backend: backend == config.components.${name}.backend) compilingBackends;
      }) (attrNames config.components);

    /**
      The entries of a section's `src`, each with its place.

      Type: listSourceEntries :: Section -> [{ at, written, wanted :: String; section :: Section; }]
    */
    listSourceEntries =
      section:
      map (entry: entry // { inherit section; }) (entriesOf "${section.at}.src" "regular" section.src);

    /**
      The entries of a section's `include`, each with its place.

      Type: listFolderEntries :: Section -> [{ at, written, wanted :: String; }]
    */
    listFolderEntries = section: entriesOf "${section.at}.include" "directory" section.include;

    /**
      Whether a section lists a source that one of its backends compiles.

      Type: hasUnit :: Section -> Bool
    */
    hasUnit = section: any (endings.isUnit { inherit (section) backends; }) section.src;
  };
in
self
