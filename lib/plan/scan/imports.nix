# Imports in a kernel's Python files, found while evaluating, so that packages such as Triton are
# inputs only of kernels that import them.
{ values, config, ... }:
let
  inherit (builtins) any concatMap elem elemAt filter fromJSON genList head isList isString pathExists readFile;
  inherit (builtins) replaceStrings split stringLength;
  inherit (values) paths;
  inherit (values.attributes) generate;
  inherit (values.lists) follow optionals;
  inherit (values.texts) hasPrefix mentions;
  inherit (config) dependencies;

  # The parts of a match of `statement`: the module or package that it names, null outside of the kernel, and its names.
  resolve =
    file: groups:
    let
      up = builtins.concatStringsSep "" (genList (_: "../") (stringLength (elemAt groups 2) - 1));
      module = replaceStrings [ "." ] [ "/" ] "${elemAt groups 3}${elemAt groups 4}";
    in
    {
      isRelative = elemAt groups 2 != "";
      first = elemAt groups 3;
      inherit module;
      place = paths.join (paths.parent file) "${up}${module}";
      names = filter (name: isString name && name != "") (split "[^A-Za-z_0-9]+" (toString (elemAt groups 6)));
    };

  self = {
    /**
      An import at the beginning of a line, as a pattern. Its groups are the statement, the keyword, the dots, the first
      part of the module, its other parts, and the names with and without `import`.
    */
    inherit (fromJSON (readFile ./imports.json)) statement;

    /**
      Tests of a match of `statement` in a file: whether it names the kernel's `own` package, and whether it is `lacking` a
      module, because neither the kernel nor Python, Torch or a dependency has it. `mayLack` says whether a file may have
      such an import. Only files that an import of the kernel reads count: not by imports in functions and conditions.

      Type: testImports :: { root :: Path; config :: Config; files :: [String]; } -> { own, lacking :: String -> [String]
        -> Bool; mayLack :: String -> Bool; }
    */
    testImports =
      { root, config, files }:
      let
        inherit (config) general framework pythonFolder;
        declared = concatMap (backend: (dependencies.of config backend).python-depends) general.backends;
        entries = map (name: dependencies.table.python-depends.${name}) (declared ++ framework.pythonDepends);
        brought = concatMap (entry: [ entry.import ] ++ entry.brings or [ ]) entries;
        known = generate (dependencies.provided ++ brought ++ [ general.python-name ]) (_: true);

        read = file: readFile (root + "/${file}");
        has = file: any (ending: pathExists (root + "/${file}${ending}")) [ "" ".py" ".so" ];
        importsOf = generate files (
          file: map builtins.tail (filter isList (split "\n(${self.statement})" "\n${read file}"))
        );
        filesOf =
          { place, names, ... }:
          filter (file: importsOf ? ${file}) (
            concatMap (module: [ "${module}.py" "${module}/__init__.py" ]) (
              optionals (place != null) ([ place ] ++ map (name: "${place}/${name}") names)
            )
          );
        importedBy = file: concatMap filesOf (filter (import: import.isRelative) (map (resolve file) (importsOf.${file} or [ ])));
        imported = generate (follow importedBy [ "${pythonFolder}/__init__.py" ]) (_: true);
        # Whether `from . import NAME` finds a module or another name of the package.
        binds =
          place: name:
          has "${place}/${name}"
          || has "${place}/__init__.py"
          && mentions [ name ] (replaceStrings [ "from . import ${name}" "${name}." ] [ "" "" ] (read "${place}/__init__.py"));
        isThere =
          file: groups:
          let
            inherit (resolve file groups) first isRelative module names place;
          in
          if !isRelative then
            known ? ${first} || hasPrefix "_" first
          else if place == null || names == [ ] || elem "_ops" [ (head names) module ] then
            true
          else
            has place && (module != "" || binds place (head names));
      in
      {
        own = file: groups: elemAt groups 3 == general.python-name && elemAt groups 2 == "";
        lacking = file: groups: imported ? ${file} && !isThere file groups;
        mayLack = file: imported ? ${file} && !builtins.all (isThere file) importsOf.${file};
      };

    /**
      Whether a text seems to import `module`. A comment may look like an import; then the kernel gets a package that it
      does not need.

      Type: hasImport :: String -> String -> Bool
    */
    hasImport =
      module:
      mentions [
        "import ${module}"
        "from ${module}"
        ", ${module}"
        "\"${module}\""
        "'${module}'"
      ];

    /**
      Whether a Python file in one of the kernel's `folders` imports `module`.

      Type: isImported :: { root :: Path; folders :: [String]; module :: String; } -> Bool
    */
    isImported =
      { root, folders, module }:
      let
        exists = name: pathExists (root + "/${name}");
        files = filter (file: paths.ending file == "py" && exists file) (
          concatMap (paths.filesBelow root) (filter exists folders)
        );
      in
      any (file: self.hasImport module (readFile (root + "/${file}"))) files;
  };
in
self
