# The sections of build.toml that list sources: the section of a compiled framework, and each [kernel.NAME]. Later
# stages read only this form of them: resolved paths, `csrc` on the include path, and defaults for absent keys.
{ values, messages, backends, config, ... }:
let
  inherit (builtins) any attrNames elem filter readDir;
  inherit (values) attributes paths;
  inherit (values.lists) optionals unique;
  inherit (messages.check) appendKey checkElements;
  inherit (config) endings schema;
  inherit (schema.sections."kernel.NAME") keys;

  # Backends with Python kernels only have no units.
  compilingBackends = filter (backend: endings.units.${backend} != [ ]) schema.backends;

  # The elements of a list as a check sees them.
  entriesOf =
    wanted: at:
    checkElements at (at: written: [ { inherit at wanted written; path = paths.join "" written; } ]);

  self = {
    /** The keys of a section with flags. */
    flagsKeys = filter (key: keys.${key}.type == "flags") (attrNames keys);

    /**
      The sections of a filled build.toml that list sources, with what only the checks of build.toml need: `entries` are
      the elements of `src` and `include` with their places, and `backends` are those that compile the section. There are
      none if it names an unknown backend.

      Type: listSections :: { root :: Path; config :: AttrSet; } -> [Section // { entries :: { src, include :: [Entry]; };
        backends :: [String]; }]
    */
    listSections =
      { root, config }:
      let
        # Published kernels rely on the folder `csrc`.
        sourceFolder = optionals ((readDir root).csrc or null == "directory") [ "csrc" ];
        known = filter (backend: elem backend config.general.backends) schema.backends;
        makeSection =
          { name, at, table, isCompiledFor }:
          let
            inherit (table) backend depends;
            base = backends.all.${toString backend} or { };
            valueOf = key: table.${toString key} or null;
            entries = {
              src = entriesOf "regular" "${at}.src" table.src;
              include = entriesOf "directory" "${at}.include" table.include;
            };
          in
          {
            inherit name at backend depends entries;
            backends = filter isCompiledFor compilingBackends;
            src = map (entry: entry.path) entries.src;
            include = unique (map (entry: entry.path) entries.include ++ sourceFolder);
            flags = attributes.generate self.flagsKeys (key: table.${key} or [ ]);
            targets = valueOf (base.targets.key or null);
            minver = valueOf (base.toolkit.minverKey or null);
          };
      in
      optionals (config.framework != null && config.framework.isCompiled) [
        (makeSection {
          inherit (config.framework) name;
          at = config.framework.name;
          table = config.section // { backend = null; depends = config.framework.sectionDepends; };
          isCompiledFor = backend: known == [ ] || elem backend known;
        })
      ]
      ++ map (
        name:
        makeSection {
          inherit name;
          at = appendKey "kernel" name;
          table = config.components.${name};
          isCompiledFor = backend: backend == config.components.${name}.backend;
        }
      ) (attrNames config.components);

    /**
      The sections that variants of a backend compile. Those for all backends are compiled alone only if the framework
      permits it.

      Type: selectSections :: Config -> String -> [Section]
    */
    selectSections =
      { framework, sections, ... }:
      backend:
      optionals (framework.isCompiledAlone || any (section: section.backend == backend) sections) (
        filter (section: section.backend == null || section.backend == backend) sections
      );
  };
in
self
