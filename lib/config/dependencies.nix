# The dependencies of a kernel, and the names that `depends` and `python-depends` may list.
{ values, backends, ... }:
let
  inherit (builtins)
    attrValues
    foldl'
    fromJSON
    mapAttrs
    readFile
    ;
  inherit (values) attributes lists;

  self = {
    /** The names that `depends` and `python-depends` may list, with their properties. */
    table = mapAttrs (
      section: ofAll:
      foldl' (
        entries: backend:
        entries
        // mapAttrs (_: entry: entry // { backends = [ backend.name ]; }) (
          backend.dependencies.${section} or { }
        )
      ) (mapAttrs (_: entry: entry // { backends = null; }) ofAll) (attrValues backends.all)
    ) (fromJSON (readFile ./dependencies.json));

    /**
      The table, with names for `depends` that the kernel's own flake adds.

      Type: addDependencies :: [String] -> Dependencies
    */
    addDependencies =
      names:
      self.table
      // {
        depends =
          attributes.generate names (_: {
            backends = null;
            headers = [ ];
            meaning = "brought by the kernel's flake";
            version = null;
          })
          // self.table.depends;
      };

    /**
      The dependencies of a kernel's variants for one backend: first the dependencies of the whole
      kernel, then those of the backend.

      Type: of :: Config -> String -> { python-depends :: [String]; kernel-depends :: [AttrSet]; }
    */
    of =
      { general, ... }:
      backend:
      let
        stated = key: general.${key} ++ general.${backend}.${key};
      in
      {
        python-depends = stated "python-depends";
        kernel-depends = stated "kernel-depends";
      };

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
