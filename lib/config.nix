# A kernel's build.toml as a checked configuration, or everything that is wrong
# with it.
#
# Keys stay as build.toml writes them (`python-depends`); absent ones have their
# default, absent sections are null, and paths are normalised.
{
  capabilities,
  check,
  editions,
  schema,
  shape,
  sources,
  toml,
  versions,
  ...
}:
let
  inherit (builtins)
    all
    attrNames
    concatMap
    elem
    filter
    fromJSON
    isAttrs
    isString
    length
    listToAttrs
    mapAttrs
    match
    pathExists
    readFile
    replaceStrings
    toJSON
    ;

  defaultDependencies = fromJSON (readFile ./dependencies.json);

  strings = filter isString;
  when = condition: problem: if condition then [ problem ] else [ ];

  frameworkProblems =
    file:
    let
      present = filter (name: file ? ${name}) schema.frameworks;
    in
    when (present == [ ]) {
      at = "torch";
      found = "no framework section";
      want = "one of [torch], [torch-noarch]";
      fix = "add [torch] with src, or [torch-noarch] for a kernel without compiled code";
    }
    ++ when (length present > 1) {
      at = builtins.elemAt present 1;
      found = "a second framework section beside [${builtins.head present}]";
      want = "exactly one of [torch], [torch-noarch]";
      fix = "delete one of them";
    }
    ++ when (file ? tvm-ffi) {
      at = "tvm-ffi";
      found = "a TVM FFI extension";
      want = "[torch] or [torch-noarch]";
      fix = "this version cannot build TVM FFI extensions yet; use Torch's stable ABI, or build with another tool";
    }
    ++ when (file ? torch-noarch && file ? kernel && file.kernel != { }) {
      at = "kernel";
      found = "components beside [torch-noarch]";
      want = "no compiled code in a noarch kernel";
      fix = "use [torch] instead, or delete the components";
    };

  generalProblems =
    { general, ... }:
    let
      inherit (general) backends edition cuda;
    in
    when (backends == [ ]) {
      at = "general.backends";
      found = "no backend";
      want = "at least ${check.oneOfText schema.backends}";
      fix = "name the backends that the kernel supports";
    }
    ++ check.noRepeats { at = "general.backends"; } backends
    ++ when (edition < 1 || edition > schema.edition) {
      at = "general.edition";
      found = toString edition;
      want = "an edition from 1 to ${toString schema.edition}";
      fix = if edition < 1 then "write ${toString schema.edition}" else "use a newer kernel-builder";
    }
    ++ boundsProblems "general.cuda" cuda;

  boundsProblems =
    at:
    { minver, maxver, ... }:
    when (minver != null && maxver != null && !versions.atMost maxver minver) {
      at = "${at}.minver";
      found = toJSON minver;
      want = "a version that is not newer than maxver = ${toJSON maxver}";
      fix = "exchange the two";
    };

  # Lists of targets: is there any compiler that knows them?
  targetProblems =
    at: backend: targets:
    check.each { inherit at; } (
      at: target:
      check.oneOf {
        inherit at;
        allowed = capabilities.known { inherit backend; };
      } (replaceStrings [ "+PTX" ] [ "" ] target)
    ) (filter (isWellFormed backend) (if targets == null then [ ] else targets));

  isWellFormed =
    backend: target:
    let
      inherit (schema.sections."kernel.NAME") keys;
      key = if backend == "cuda" then "cuda-capabilities" else "rocm-archs";
    in
    match keys.${key}.pattern target != null;

  stableAbiProblems =
    { torch, ... }:
    if torch == null || !isAttrs torch.stable-abi then
      [ ]
    else
      check.noUnknown {
        at = "torch.stable-abi";
        known = schema.backends;
      } torch.stable-abi;

  dependsProblems =
    {
      at,
      table,
      backends,
    }:
    check.each { inherit at; } (
      at: name:
      let
        known = attrNames table;
        allowed = table.${name}.backends;
      in
      if !table ? ${name} then
        check.oneOf {
          inherit at;
          allowed = known;
        } name
      else
        when (allowed != null && !builtins.any (backend: elem backend allowed) backends) {
          inherit at;
          found = "${toJSON name}, which is for ${toString allowed}";
          want = "a dependency for ${toString backends}";
          fix = "delete it, or move it to where that backend is";
        }
    );

  componentProblems =
    dependencies: config: name:
    let
      at = check.under "kernel" name;
      component = config.kernel.${name};
      inherit (component) backend;
      isKnown = elem backend schema.backends;
    in
    when (isKnown && config.general.backends != [ ] && !elem backend config.general.backends) {
      at = "${at}.backend";
      found = "${toJSON backend}, which general.backends does not list";
      want = check.oneOfText config.general.backends;
      fix = "add ${toJSON backend} to general.backends";
    }
    ++ (
      if !isKnown then
        [ ]
      else
        dependsProblems {
          at = "${at}.depends";
          table = dependencies.depends;
          backends = [ backend ];
        } component.depends
    )
    ++ targetProblems "${at}.cuda-capabilities" "cuda" (component.cuda-capabilities or null)
    ++ targetProblems "${at}.rocm-archs" "rocm" (component.rocm-archs or null);

  pythonDependsProblems =
    dependencies:
    { general, ... }:
    dependsProblems {
      at = "general.python-depends";
      table = dependencies.python-depends;
      backends = filter (backend: elem backend schema.backends) general.backends;
    } general.python-depends
    ++ concatMap (
      backend:
      dependsProblems {
        at = "general.${backend}.python-depends";
        table = dependencies.python-depends;
        backends = [ backend ];
      } general.${backend}.python-depends
    ) schema.backends;

  meaningProblems =
    { dependencies, file, config }:
    frameworkProblems file
    ++ generalProblems config
    ++ pythonDependsProblems dependencies config
    ++ (if config.torch == null then [ ] else boundsProblems "torch" config.torch)
    ++ stableAbiProblems config
    ++ (
      if config.torch-noarch == null then
        [ ]
      else
        targetProblems "torch-noarch.cuda-capabilities" "cuda" config.torch-noarch.cuda-capabilities
        ++ targetProblems "torch-noarch.rocm-archs" "rocm" config.torch-noarch.rocm-archs
    )
    ++ concatMap (componentProblems dependencies config) (attrNames config.kernel);

  # A backend without a component is built without compiled code. That may be
  # meant (Triton beside CUDA) or forgotten, so it is said.
  bareBackendWarnings =
    config:
    let
      built = map (name: config.kernel.${name}.backend) (attrNames config.kernel);
      bare = filter (backend: !elem backend built) config.general.backends;
    in
    if config.torch == null then
      [ ]
    else
      map (backend: {
        at = "general.backends";
        found = "${toJSON backend}, for which there is no component";
        want = "a section [kernel.NAME] with backend = ${toJSON backend}";
        fix = "nothing, if the ${backend} variant is Python code only; else add the component";
      }) bare;

  normaliseSection =
    section:
    if section ? src then
      section
      // {
        src = map (path: toString (sources.normalise path)) section.src;
        include = map (path: toString (sources.normalise path)) section.include;
      }
    else
      section;

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

  # How the file is called in a headline. A flake's own folder has a hash and
  # no name of its own in the store, so there the kernel's name stands in.
  headlineOf =
    root: name:
    let
      folder = baseNameOf (toString root);
      hashed = match "[0-9a-z]{32}-.*" folder != null;
      shown = if hashed then name else folder;
    in
    "${if shown == null then "" else "${shown}/"}build.toml cannot be built";

  broken = root: problems: {
    inherit problems;
    headline = headlineOf root null;
    warnings = [ ];
    config = null;
  };

  inspectText =
    { root, text, dependencies }:
    let
      upgraded = editions.upgrade (builtins.fromTOML text);
      file = upgraded.toml;
      config = withPythonName (shape.fill file);
      warnings = upgraded.warnings ++ bareBackendWarnings config;
      finished = {
        inherit warnings;
        inherit (config) general;
        torch = if config.torch == null then null else normaliseSection config.torch;
        inherit (config) torch-noarch;
        kernel = mapAttrs (_: normaliseSection) config.kernel;
      };
    in
    {
      inherit warnings;
      headline = headlineOf root config.general.name;
      problems =
        shape.problems file
        ++ meaningProblems { inherit dependencies file config; }
        ++ sources.problems { inherit root config; };
      config = finished;
    };

  self = {
    /** Names that `depends` and `python-depends` may list, from dependencies.json. */
    dependencies = defaultDependencies;

    /**
      Read the build.toml of a kernel without failing: the configuration, and
      what is wrong with it. `config` is of use only when `problems` is empty.

      # Type

      ```
      inspectConfig :: { root :: Path; dependencies :: Dependencies ? (the table of this library); }
        -> { headline :: String; problems :: [Problem]; warnings :: [Problem]; config :: Config | Null; }
      ```
    */
    inspectConfig =
      {
        root,
        dependencies ? defaultDependencies,
      }:
      let
        text = readFile (root + "/build.toml");
        syntax = toml.problems text;
      in
      if !pathExists (root + "/build.toml") then
        broken root [
          {
            at = "build.toml";
            found = "no such file";
            want = "a file build.toml in the kernel's folder";
            fix = "create it, or `git add -N build.toml` if git does not know it; `kernel-builder init` writes one";
          }
        ]
      else if match "[ \t\r\n]*" text != null then
        broken root [
          {
            at = "build.toml";
            found = "an empty file";
            want = "a section [general] with name and backends";
            fix = "fill it; `kernel-builder init` writes a complete one";
          }
        ]
      else if syntax != [ ] then
        broken root syntax
      else
        inspectText { inherit root text dependencies; };

    /**
      Read the build.toml of a kernel, or throw all that is wrong with it.

      # Example

      ```nix
      (readConfig { root = ./relu; }).general.python-name
      => "relu"
      ```

      # Type

      ```
      readConfig :: { root :: Path; dependencies :: Dependencies ? (the table of this library); } -> Config
      ```
    */
    readConfig =
      args:
      let
        result = self.inspectConfig args;
      in
      check.orThrow result.headline result.problems result.config;
  };
in
self
