# Semantic validation of build.toml, for rules that types cannot express: one framework, components
# that fit the backends, bounds that admit a version, known names.
#
# It works on a configuration with defaults, so it can also check a file with keys of wrong types.
{ values, messages, backends, frameworks, config, ... }:
let
  inherit (builtins) all attrNames concatMap concatStringsSep elem elemAt filter head isAttrs isString length match;
  inherit (builtins) replaceStrings toJSON;
  inherit (values) versions;
  inherit (values.lists) optionals unique;
  inherit (messages.check) appendKey checkElements checkKeys listChoices;
  inherit (config.targets) listTargets;
  inherit (config) schema;
  inherit (config.dependencies) checkDependencies;

  # The keywords of Python; the modules of its standard library from 3.9 to 3.14 (`sys.stdlib_module_names`), with the
  # dash of a kernel's name for `_`; those that Torch and the client need, and those of tests. `init` refuses all of them.
  pythonNames = builtins.fromJSON (builtins.readFile ./python-names.json);

  sectionsText = concatStringsSep ", " (map (name: "[${name}]") schema.frameworks);

  when = condition: problem: optionals condition [ problem ];

  frameworkProblems =
    file:
    let
      present = filter (name: file ? ${name}) schema.frameworks;
    in
    when (present == [ ]) {
      at = "torch";
      found = "no framework section";
      want = "one of ${sectionsText}";
      fix = "add [torch] with src, or [torch-noarch] for a kernel without compiled code";
    }
    ++ when (length present > 1) {
      at = elemAt present 1;
      found = "a second framework section, beside [${elemAt present 0}]";
      want = "exactly one of ${sectionsText}";
      fix = "delete one of them";
    }
    ++ when (present != [ ] && !frameworks.all.${head present}.isCompiled && (file.kernel or { }) != { }) {
      at = "kernel";
      found = "components beside [${head present}]";
      want = "no compiled code in such a kernel";
      fix = "use [torch] instead, or delete the components";
    };

  boundsProblems =
    at:
    { minver ? null, maxver ? null, ... }:
    when (minver != null && maxver != null && !versions.atMost maxver minver) {
      at = "${at}.minver";
      found = toJSON minver;
      want = "a version that is not newer than maxver = ${toJSON maxver}";
      fix = "swap the two versions";
    };

  editionProblems =
    edition:
    when (edition < 1 || edition > schema.edition) {
      at = "general.edition";
      found = toString edition;
      want = "an edition from 1 to ${toString schema.edition}";
      fix =
        if edition < 1 then "write ${toString schema.edition}" else "use a newer version of kernel-builder";
    };

  refuseName =
    { names, found, want }:
    name:
    when (elem name names) {
      at = "general.name";
      found = "${toJSON name}, ${found}";
      inherit want;
      fix = "choose another name, such as ${toJSON "${name}-kernel"}";
    };
  keywordProblems = refuseName {
    names = pythonNames.keywords;
    found = "a keyword of Python";
    want = "a name that Python can import";
  };
  warnOfModules =
    names: owner:
    refuseName {
      names = map (replaceStrings [ "_" ] [ "-" ]) names;
      found = "${owner}, which the kernel hides where its folder is on the path";
      want = "a name of its own";
    };
  moduleWarnings =
    name:
    warnOfModules pythonNames.modules "a module of Python's standard library" name
    ++ warnOfModules (
      pythonNames.provided ++ pythonNames.tested
    ) "a module that Torch, the client or the kernel's tests import" name;

  # Nix silently reads a larger number as 2^63 - 1.
  versionProblems =
    version:
    when (version < 0 || version > 2147483647) {
      at = "general.version";
      found = toString version;
      want = "a number from 0 to 2147483647";
      fix = "write the major version, such as 1";
    };

  backendsProblems =
    file: backends:
    # shape.nix reports an absent list.
    when (isAttrs (file.general or null) && (file.general.backends or null) == [ ]) {
      at = "general.backends";
      found = "no backend";
      want = listChoices schema.backends;
      fix = "list the backends that the kernel supports";
    }
    ++ when (unique backends != backends) {
      at = "general.backends";
      found = "${toJSON backends}, where one is listed twice";
      want = "every entry once";
      fix = "delete one of the two";
    };

  isKnown =
    backend: target:
    elem (backends.all.${backend}.targets.compiledAs target) (listTargets { inherit backend; });

  # If only some toolkits lack a target, their variants leave it out with a warning. This problem is for a
  # list of targets that no toolkit supports.
  targetsProblems =
    at: component:
    let
      inherit (backends.all.${component.backend}) targets toolkit;
      requested = component.${targets.key};
      isWritten = target: match targets.pattern target != null;
      isUnknown = target: isWritten target && !isKnown component.backend target;
    in
    when (targets != null && requested != null && requested != [ ] && all isUnknown requested) {
      at = appendKey at targets.key;
      found = "only targets that no known version of ${toolkit.name} compiles for: ${toJSON requested}";
      want = "at least ${listChoices (listTargets { inherit (component) backend; })}";
      fix = "correct them, or delete the key: then the default list is compiled for";
    };

  # Only this check looks at targets of kernels without compiled code: no toolkit compiles for them.
  targetsWarnings =
    noarch: backend:
    let
      inherit (backends.all.${backend}) targets toolkit;
      requested = noarch.${targets.key};
    in
    optionals (targets != null && requested != null) (
      checkElements { at = "torch-noarch.${targets.key}"; } (
        at: target:
        when (!isKnown backend target) {
          inherit at;
          found = "${toJSON target}, which no known version of ${toolkit.name} compiles for";
          want = listChoices (listTargets { inherit backend; });
          fix = "correct it, or take it out of the list";
        }
      ) requested
    );

  componentProblems =
    config: name:
    let
      at = appendKey "kernel" name;
      component = config.components.${name};
      inherit (component) backend;
      supported = config.general.backends;
      isBackend = elem backend schema.backends;
    in
    when (isBackend && supported != [ ] && !elem backend supported) {
      at = "${at}.backend";
      found = "${toJSON backend}, which general.backends does not list";
      want = listChoices supported;
      fix = "add ${toJSON backend} to general.backends";
    }
    ++ optionals isBackend (targetsProblems at component);

  # The first Torch with TORCH_TARGET_VERSION, which limits code to the stable ABI of a version.
  oldestStableAbi = "2.9";

  stableAbiProblems =
    at: version:
    when (version != null && !versions.atLeast oldestStableAbi version) {
      inherit at;
      found = toJSON version;
      want = "a version of Torch with a stable ABI: ${toJSON oldestStableAbi} or newer";
      fix = "write a version such as \"2.10\", with both of its digits";
    };

  torchProblems =
    torch:
    optionals (torch != null) (
      boundsProblems "torch" torch
      ++ optionals (isAttrs torch.stable-abi) (
        checkKeys { at = "torch.stable-abi"; known = schema.backends; } torch.stable-abi
        ++ concatMap (backend: stableAbiProblems "torch.stable-abi.${backend}" torch.stable-abi.${backend}) (
          attrNames torch.stable-abi
        )
      )
      ++ optionals (isString torch.stable-abi) (stableAbiProblems "torch.stable-abi" torch.stable-abi)
    );
in
{
  /**
    Problems of the meaning of a build.toml. `file` is the result of fromTOML, and `config` is the file
    with defaults.

    Type: checkMeaning :: { file :: AttrSet; config :: Config; dependencies :: Dependencies; } -> [Problem]
  */
  checkMeaning =
    { file, config, dependencies }:
    frameworkProblems file
    ++ keywordProblems config.general.name
    ++ editionProblems config.general.edition
    ++ versionProblems config.general.version
    ++ backendsProblems file config.general.backends
    ++ concatMap (backend: boundsProblems "general.${backend}" config.general.${backend}) schema.backends
    ++ torchProblems config.torch
    ++ concatMap (componentProblems config) (attrNames config.components)
    ++ checkDependencies { inherit config dependencies; };

  /**
    Warnings about settings that are allowed but may be mistakes.

    Type: listMeaningWarnings :: { config :: Config; } -> [Problem]
  */
  listMeaningWarnings =
    { config }:
    let
      built = map (name: config.components.${name}.backend) (attrNames config.components);
      uncompiled = filter (backend: !elem backend built) config.general.backends;
    in
    moduleWarnings config.general.name
    ++ (
      if config.torch-noarch != null then
        concatMap (targetsWarnings config.torch-noarch) schema.backends
      else if config.framework == null then
        [ ]
      else
        # A kernel without components is intended if its framework's section is compiled on its own.
        when (uncompiled != [ ] && (built != [ ] || !config.framework.isCompiledAlone)) {
          at = "general.backends";
          found = "${concatStringsSep ", " (map toJSON uncompiled)}, for which there is no component: ${
            if config.framework.isCompiledAlone then
              "only the sources of [${config.framework.name}] are compiled there"
            else
              "the sources of [${config.framework.name}] are not compiled there either"
          }";
          want = "a section [kernel.NAME] for each";
          fix = "add one, or take the backend out of the list, unless its variant is meant to be ${
            if config.framework.isCompiledAlone then "the binding" else "Python code"
          } alone";
        }
    );
}
