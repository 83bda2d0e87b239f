# Semantic validation of build.toml, for rules that types cannot express: one framework, components
# that fit the backends, bounds that admit a version, known names.
#
# It works on a configuration with defaults, so it can also check a file with keys of wrong types.
{ values, messages, backends, frameworks, config, ... }:
let
  inherit (builtins) all attrNames attrValues concatMap elem elemAt filter head isAttrs length match;
  inherit (builtins) replaceStrings toJSON;
  inherit (values) versions;
  inherit (values.lists) optional optionals unique;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) appendKey checkElements checkKeys listChoices;
  inherit (config.targets) listTargets;
  inherit (config) schema;
  inherit (config.dependencies) checkDependencies;

  # The keywords of Python; the modules of its standard library from 3.9 to 3.14 (`sys.stdlib_module_names`), with the
  # dash of a kernel's name for `_`; those that Torch and the client need, and those of tests. `init` refuses all of them.
  pythonNames = builtins.fromJSON (builtins.readFile ./python-names.json);

  problems = readCatalogue ./meaning.json;

  frameworkProblems =
    file:
    let
      sections = map (name: "[${name}]") schema.frameworks;
      present = filter (name: file ? ${name}) schema.frameworks;
      framework = head present;
    in
    optional (present == [ ]) (problems.no-framework { inherit sections; })
    ++ optional (length present > 1) (
      problems.second-framework {
        at = elemAt present 1;
        inherit framework sections;
      }
    )
    ++ optional (
      present != [ ] && !frameworks.all.${framework}.isCompiled && (file.kernel or { }) != { }
    ) (problems.components-without-code { inherit framework; });

  boundsProblems =
    place:
    { minver ? null, maxver ? null, ... }:
    optional (minver != null && maxver != null && !versions.atMost maxver minver) (
      problems.minver-newer-than-maxver { at = "${place}.minver"; inherit minver maxver; }
    );

  editionProblems =
    edition:
    let
      values = { inherit edition; newest = schema.edition; };
    in
    optional (edition < 1) (problems.edition-too-old values)
    ++ optional (edition > schema.edition) (problems.edition-too-new values);

  keywordProblems = name: optional (elem name pythonNames.keywords) (problems.keyword { inherit name; });
  moduleWarnings =
    name:
    let
      isIn = names: elem name (map (replaceStrings [ "_" ] [ "-" ]) names);
    in
    optional (isIn pythonNames.modules) (problems.standard-module { inherit name; })
    ++ optional (isIn (pythonNames.provided ++ pythonNames.tested)) (problems.imported-module { inherit name; });

  # Nix silently reads a larger number as 2^63 - 1.
  versionProblems =
    version: optional (version < 0 || version > 2147483647) (problems.version { inherit version; });

  backendsProblems =
    file: backends:
    # shape.nix reports an absent list.
    optional ((file.general.backends or null) == [ ]) (
      problems.no-backend { choices = listChoices schema.backends; }
    )
    ++ optional (unique backends != backends) (problems.backend-twice { backends = toJSON backends; });

  isKnown =
    backend: target:
    elem (backends.all.${backend}.targets.compiledAs target) (listTargets backend);

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
    optional (targets != null && requested != null && requested != [ ] && all isUnknown requested) (
      problems.only-unknown-targets {
        at = appendKey at targets.key;
        toolkit = toolkit.name;
        requested = toJSON requested;
        choices = listChoices (listTargets component.backend);
      }
    );

  # Only this check looks at targets of kernels without compiled code: no toolkit compiles for them.
  targetsWarnings =
    noarch: backend:
    let
      inherit (backends.all.${backend}) targets toolkit;
      requested = noarch.${targets.key};
    in
    optionals (targets != null && requested != null) (
      checkElements "torch-noarch.${targets.key}" (
        at: target:
        optional (!isKnown backend target) (
          problems.unknown-target {
            inherit at target;
            toolkit = toolkit.name;
            choices = listChoices (listTargets backend);
          }
        )
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
    optional (isBackend && supported != [ ] && !elem backend supported) (
      problems.unlisted-backend { at = "${at}.backend"; inherit backend; choices = listChoices supported; }
    )
    ++ optionals isBackend (targetsProblems at component);

  # The first Torch with TORCH_TARGET_VERSION, which limits code to the stable ABI of a version.
  oldestStableAbi = "2.9";

  stableAbiProblems =
    at: version:
    optional (version != null && !versions.atLeast oldestStableAbi version) (
      problems.no-stable-abi { inherit at version; oldest = oldestStableAbi; }
    );

  torchProblems =
    torch:
    optionals (torch != null) (
      boundsProblems "torch" torch
      ++ (
        if isAttrs torch.stable-abi then
          checkKeys { at = "torch.stable-abi"; known = schema.backends; } torch.stable-abi
          ++ concatMap (backend: stableAbiProblems "torch.stable-abi.${backend}" torch.stable-abi.${backend}) (
            attrNames torch.stable-abi
          )
        else
          stableAbiProblems "torch.stable-abi" torch.stable-abi
      )
    );
in
{
  /**
    Problems of the meaning of a build.toml. `file` is the result of fromTOML, `config` the file with defaults, and
    `brought` are names for `depends` that the kernel's flake adds.

    Type: checkMeaning :: { file :: AttrSet; config :: Config; brought :: [String]; } -> [Problem]
  */
  checkMeaning =
    { file, config, brought }:
    frameworkProblems file
    ++ keywordProblems config.general.name
    ++ editionProblems config.general.edition
    ++ versionProblems config.general.version
    ++ backendsProblems file config.general.backends
    ++ concatMap (backend: boundsProblems "general.${backend}" config.general.${backend}) schema.backends
    ++ torchProblems config.torch
    ++ concatMap (componentProblems config) (attrNames config.components)
    ++ checkDependencies { inherit config brought; };

  /**
    Warnings about settings that are allowed but may be mistakes.

    Type: listMeaningWarnings :: { config :: Config; } -> [Problem]
  */
  listMeaningWarnings =
    { config }:
    let
      built = map (component: component.backend) (attrValues config.components);
      uncompiled = filter (backend: !elem backend built) config.general.backends;
    in
    moduleWarnings config.general.name
    ++ (
      if config.torch-noarch != null then
        concatMap (targetsWarnings config.torch-noarch) schema.backends
      else
        # A kernel without components is intended if its framework's section is compiled on its own.
        optional (uncompiled != [ ] && (built != [ ] || !config.framework.isCompiledAlone)) (
          problems.${if config.framework.isCompiledAlone then "only-binding-compiled" else "nothing-compiled"} {
            inherit uncompiled;
            framework = config.framework.name;
          }
        )
    );
}
