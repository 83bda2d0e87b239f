# The dependencies of a kernel, and the names that `depends` and `python-depends` may list.
{ values, messages, backends, ... }:
let
  inherit (builtins) any attrNames attrValues concatMap elem filter foldl' fromJSON head mapAttrs readFile;
  inherit (values) attributes lists;
  inherit (values.lists) optional;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) appendKey checkChoice checkElements showValue;

  problems = readCatalogue ./dependency-problems.json;
  backendNames = attrNames backends.all;
  pythonNames = fromJSON (readFile ./python-names.json);

  # A list of names for one of the backends in `users`; none is known if the list is empty.
  checkNames =
    { at, table, users, otherwise }:
    checkElements at (
      at: name:
      let
        only = table.${name}.backends;
      in
      if !table ? ${name} then
        checkChoice { inherit at otherwise; allowed = attrNames table; } name
      else
        optional (users != [ ] && only != null && !any (user: elem user only) users) (
          problems.of-other-backend { inherit at name only users; }
        )
    );

  # A variant loads a kernel in one version. A backend's list is added to that of all backends.
  checkKernels =
    general: at: before: list:
    checkElements at (
      at: entry:
      let
        first = head (filter (other: other.repo-id == entry.repo-id) (before ++ list));
        # An older version of the kernel is another build.
        isItself =
          entry.repo-id == general.hub.repo-id
          && (entry.version or null == general.version || entry.revision or null == "v${toString general.version}");
      in
      optional isItself (problems.itself { inherit at; entry = showValue entry; })
      ++ optional (first != entry) (
        problems.two-versions { inherit at; entry = showValue entry; first = showValue first; }
      )
    ) list;

  self = {
    /** The names that `depends` and `python-depends` may list, with their properties. */
    table = mapAttrs (
      section: ofAll:
      let
        only = backends: mapAttrs (_: entry: entry // { inherit backends; });
        addOf = entries: backend: entries // only [ backend.name ] (backend.dependencies.${section} or { });
      in
      foldl' addOf (only null ofAll) (attrValues backends.all)
    ) (fromJSON (readFile ./dependencies.json));

    /** Modules that there are wherever a kernel is loaded: those of Python, and what the client and Torch need. */
    provided = pythonNames.provided ++ map (builtins.replaceStrings [ "-" ] [ "_" ]) pythonNames.modules;

    /** Modules that the import check has beside those: Torch's arrays need them, and users may lack them. */
    inherit (pythonNames) assumed;

    /**
      Problems of the dependencies in a filled build.toml. `brought` are names for `depends` that the kernel's own flake
      adds.

      Type: checkDependencies :: { config :: AttrSet; brought :: [String]; } -> [Problem]
    */
    checkDependencies =
      { config, brought }:
      let
        inherit (config) components general;
        isKnown = backend: elem backend backendNames;
        checkGeneral =
          { at, users, section, before }:
          checkNames {
            at = "${at}.python-depends";
            table = self.table.python-depends;
            otherwise = "write one of them; import another package in functions alone: users then need it for these";
            inherit users;
          } section.python-depends
          ++ checkKernels general "${at}.kernel-depends" before section.kernel-depends;
        checkBackend =
          backend:
          checkGeneral {
            at = "general.${backend}";
            users = [ backend ];
            section = general.${backend};
            before = general.kernel-depends;
          };
        checkComponent =
          name:
          checkNames {
            at = "${appendKey "kernel" name}.depends";
            table = attributes.generate brought (_: { backends = null; }) // self.table.depends;
            otherwise = "write one of them; `include` names folders of the kernel, libraries of CUDA are there without a name,\nand `overlays` bring others (docs/guide/cuda.md)";
            users = filter isKnown [ components.${name}.backend ];
          } components.${name}.depends;
      in
      checkGeneral {
        at = "general";
        users = filter isKnown general.backends;
        section = general;
        before = [ ];
      }
      ++ concatMap checkBackend backendNames
      ++ concatMap checkComponent (attrNames components);

    /**
      The dependencies of a kernel's variants for one backend: first the dependencies of the whole
      kernel, then those of the backend.

      Type: of :: Config -> String -> { python-depends :: [String]; kernel-depends :: [AttrSet]; }
    */
    of =
      { general, ... }:
      backend:
      attributes.generate [ "python-depends" "kernel-depends" ] (
        key: general.${key} ++ general.${backend}.${key}
      );

    /**
      The Python projects that the variants of a backend import: first the dependencies of the
      framework, then those of the kernel.

      Type: listProjects :: Config -> String -> [String]
    */
    listProjects =
      config: backend:
      map (name: self.table.python-depends.${name}.project) (
        lists.unique (config.framework.pythonDepends ++ (self.of config backend).python-depends)
      );
  };
in
self
