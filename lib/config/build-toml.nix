# A kernel's build.toml as a checked configuration, or everything that is wrong
# with it.
#
# Keys stay as build.toml writes them (`python-depends`); absent ones have their
# default, and absent framework sections are null.
{ values, messages, config, ... }:
let
  inherit (builtins)
    addErrorContext
    elem
    filter
    fromTOML
    mapAttrs
    match
    pathExists
    readDir
    readFile
    replaceStrings
    ;
  inherit (values) lists;
  inherit (messages.check) throwProblems;
  inherit (config) schema;
  inherit (config.dependencies) table;
  inherit (config.editions) upgradeToml;
  inherit (config.meaning) checkMeaning listMeaningWarnings;
  inherit (config.shape) checkShape fillConfig;
  inherit (config.sources) checkSources listSourceWarnings;

  # The name that Python knows the kernel by, which several modules would have to find out.
  withPythonName =
    config:
    let
      inherit (config.general) name;
      isName = name != null && match schema.sections.general.keys.name.pattern name != null;
    in
    config
    // {
      general = config.general // {
        python-name = if isName then replaceStrings [ "-" ] [ "_" ] name else null;
      };
    };

  # The folder `csrc`, if there is one, is the last on the include path of all sources without being
  # listed: published kernels rely on it.
  withSourceFolder =
    root: config:
    let
      add = section: section // { include = lists.unique (section.include ++ [ "csrc" ]); };
    in
    if (readDir root).csrc or null != "directory" || config.framework == null then
      config
    else
      config
      // {
        components = mapAttrs (_: add) config.components;
        section = if config.framework.isCompiled then add config.section else config.section;
      };

  # How the file is called in a headline. A flake's own folder has a hash instead
  # of a name in the store, so there the kernel's name stands in.
  headlineOf =
    root: name:
    let
      folder = baseNameOf (toString root);
      isHashed = match "[0-9a-z]{32}-.*" folder != null;
      shown = if isHashed then name else folder;
    in
    "${if shown == null then "" else "${shown}/"}build.toml cannot be built";

  unreadable = root: problems: {
    headline = headlineOf root null;
    inherit problems;
    warnings = [ ];
    config = null;
  };

  inspectToml =
    {
      root,
      upgraded,
      dependencies,
    }:
    let
      file = upgraded.toml;
      config = withPythonName (fillConfig file);
      complete = withSourceFolder root config;
      form = checkShape file;
      warnings =
        upgraded.warnings
        ++ listMeaningWarnings { inherit config; }
        ++ listSourceWarnings { config = complete; };
    in
    {
      headline = headlineOf root config.general.name;
      inherit warnings;
      # A value of the wrong form is absent in `config`: that it is absent is no second problem.
      problems =
        form
        ++ filter (problem: !elem problem.at (map (each: each.at) form)) (
          checkMeaning { inherit file config dependencies; } ++ checkSources { inherit root config; }
        );
      config = complete // {
        inherit warnings;
      };
    };

  self = {
    /**
      Read the build.toml of a kernel without failing: the configuration, and all
      that is wrong with it. `config` is of use only while `problems` is empty.
      `text` stands in for the file's content, as in an editor that has not saved.

      # Type

      ```
      inspectConfig :: { root :: Path; text :: String ? (the file's); dependencies :: Dependencies ? dependencies.table; }
        -> { headline :: String; problems :: [Problem]; warnings :: [Problem]; config :: Config | Null; }
      ```
    */
    inspectConfig =
      {
        root,
        text ? readFile (root + "/build.toml"),
        dependencies ? table,
      }@args:
      if !args ? text && !pathExists (root + "/build.toml") then
        unreadable root [
          {
            at = "build.toml";
            found = "no such file";
            want = "a file build.toml in the kernel's folder";
            fix = "create it (`kernel-builder init` writes one), or `git add -N build.toml` if git does not know it";
          }
        ]
      else if match "[ \t\r\n]*" text != null then
        unreadable root [
          {
            at = "build.toml";
            found = "an empty file";
            want = "a section [general] with name and backends, and a framework section";
            fix = "fill it; `kernel-builder init` writes a complete one";
          }
        ]
      else
        inspectToml {
          inherit root dependencies;
          # What is not TOML fails with Nix's own words: nothing can catch them, and a check
          # before them would be a second parser. The command line has one, and asks it first.
          upgraded = upgradeToml (
            addErrorContext "while reading ${toString (root + "/build.toml")}" (fromTOML text)
          );
        };

    /**
      Read the build.toml of a kernel, or throw all that is wrong with it.

      # Example

      ```nix
      (readConfig { root = ./flash-norm; }).general.python-name
      => "flash_norm"
      ```

      # Type

      ```
      readConfig :: { root :: Path; text :: String ? (the file's); dependencies :: Dependencies ? dependencies.table; } -> Config
      ```
    */
    readConfig =
      args:
      let
        result = self.inspectConfig args;
      in
      throwProblems result.headline result.problems result.config;
  };
in
self
