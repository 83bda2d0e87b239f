# Reads a kernel's build.toml into a checked configuration, or reports all of its problems.
#
# Keys keep their spelling in build.toml (`python-depends`). Absent keys have their default, and absent framework
# sections are null. sections.nix has the form of the sections that list sources.
{ values, messages, frameworks, config, ... }:
let
  inherit (builtins) addErrorContext attrValues concatMap elem filter fromTOML mapAttrs match pathExists readFile;
  inherit (builtins) replaceStrings;
  inherit (values.texts) removeSpaces;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) throwProblems;
  inherit (config.editions) rewriteToml upgradeToml;
  inherit (config.leftOutFiles) listLeftOutFiles;
  inherit (config.meaning) checkMeaning listMeaningWarnings;
  inherit (config.flags) checkFlags listFlagWarnings;
  inherit (config.sections) flagsKeys listSections;
  inherit (config.shape) checkShape fillConfig;
  inherit (config.sources) checkSources listSourceWarnings;

  unreadable = readCatalogue ./build-toml.json;

  # The configuration that later stages read: it has all sources, paths and flags in `sections` alone.
  finishConfig =
    { config, sections, warnings }:
    let
      finish = section: if section == null then null else removeAttrs section sourceKeys;
      sourceKeys = [ "src" "include" "pyext" ] ++ flagsKeys;
    in
    removeAttrs config [ "components" "section" ]
    // mapAttrs (name: _: finish config.${name}) frameworks.all
    // {
      inherit warnings;
      inherit (config.section) pyext;
      pythonFolder = "${config.framework.folder}/${config.general.python-name}";
      sections = map (section: removeAttrs section [ "backends" "entries" ]) sections;
    };

  # The headline of a report, with the name of the kernel's folder. Nix copies a flake to a store path,
  # whose name begins with a hash. The headline then has the kernel's name instead.
  headlineOf =
    root: name:
    let
      folder = baseNameOf (toString root);
      isHashed = match "[0-9a-z]{32}-.*" folder != null;
      shown = if isHashed then name else folder;
    in
    "${if shown == null then "" else "${shown}/"}build.toml cannot be built";

  reportUnreadable = root: problem: {
    headline = headlineOf root null;
    problems = [ problem ];
    warnings = [ ];
    config = null;
  };

  inspectToml =
    { root, upgraded, brought }:
    let
      file = upgraded.toml;
      config = fillConfig file;
      sections = listSections { inherit root config; };
      shapeProblems = checkShape file;
      warnings =
        upgraded.warnings
        ++ listMeaningWarnings { inherit config; }
        ++ listSourceWarnings sections
        ++ listFlagWarnings sections
        ++ listLeftOutFiles { inherit root config; };
    in
    {
      headline = headlineOf root config.general.name;
      inherit warnings;
      # `config` has defaults in place of values of a wrong type. A second problem at such a key would only
      # repeat the first.
      problems =
        shapeProblems
        ++ filter (problem: !elem problem.at (map (other: other.at) shapeProblems)) (
          checkMeaning { inherit file config brought; }
          ++ checkSources { inherit root config sections; }
          ++ checkFlags sections
        );
      config = finishConfig { inherit config sections warnings; };
    };

  self = {
    /**
      The configuration of a kernel and all of its problems, without throwing. Use `config` and `warnings` only if
      `problems` is empty. `text` replaces the file's content, for editors with unsaved changes. `brought` are names for
      `depends` that the kernel's flake adds.

      Type: inspectConfig :: { root :: Path; text :: String ? (the file's); brought :: [String] ? [ ]; } -> {
        headline :: String; problems :: [Problem]; warnings :: [Problem]; config :: Config | Null; }
    */
    inspectConfig =
      { root, text ? readFile (root + "/build.toml"), brought ? [ ] }@args:
      if !args ? text && !pathExists (root + "/build.toml") then
        reportUnreadable root (unreadable.missing { })
      else if removeSpaces (replaceStrings [ "\n" ] [ "" ] text) == "" then
        reportUnreadable root (unreadable.empty { })
      else
        inspectToml {
          inherit root brought;
          # Text that is not TOML fails with Nix's own message, which nothing can catch. The command
          # line parses the file first and reports a better one.
          upgraded = upgradeToml (
            addErrorContext "while reading ${toString (root + "/build.toml")}" (fromTOML text)
          );
        };

    /**
      The configuration of a kernel.

      # Example

      ```nix
      (readConfig { root = ./flash-norm; }).general.python-name
      => "flash_norm"
      ```

      Type: readConfig :: { root :: Path; text :: String ? (the file's); brought :: [String] ? [ ]; } -> Config

      # Errors

      All problems of build.toml at once.
    */
    readConfig =
      args:
      let
        result = self.inspectConfig args;
      in
      throwProblems result.headline result.problems result.config;

    /**
      The edits that bring a file to the newest edition, for `kernel-builder update-build`, with the edited file, a note
      with the reason for each edit, and the problems that remain. Text that is not TOML fails with Nix's own message.

      Only shape and meaning are checked: an edition does not change sources. `depends` may have any name, because the
      kernel's flake may add it.

      Type: planUpdate :: String -> { edits :: [Edit]; toml :: AttrSet; notes :: [Problem]; problems :: [Problem]; }
    */
    planUpdate =
      text:
      let
        rewritten = rewriteToml (fromTOML text);
        file = rewritten.toml;
        config = fillConfig file;
        brought = concatMap (component: component.depends) (attrValues config.components);
      in
      {
        inherit (rewritten) edits toml;
        notes = rewritten.warnings;
        problems = checkShape file ++ checkMeaning { inherit file config brought; };
      };
  };
in
self
