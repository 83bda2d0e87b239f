# The options of a kernel: the arguments that its flake.nix passes to `genKernelFlakeOutputs`. They are checked and
# completed here, and pass down as one record.
{ values, messages, ... }:
let
  inherit (builtins) any attrNames elem filter fromJSON mapAttrs match readFile storeDir typeOf;
  inherit (values.attributes) setOrEmpty;
  inherit (values.lists) optional;
  inherit (messages.check) checkKeys listMissingKeys showValue throwProblems;

  problems = messages.catalogue.readCatalogue ./option-problems.json;

  # Nix copies a flake to the store, where its folder has a name that means nothing to an author.
  showFolder = path: values.texts.capture "that folder" "${storeDir}/[^/]+/(.+)" (toString path);

  # A value is valid by its type, or by an attribute that makes it one. Rows of `torchVersions` are checked as they
  # are read.
  isValid =
    option: value:
    !option ? types
    || elem (typeOf value) option.types
    || any (name: value ? ${name}) option.attributes or [ ];

  # Functions are no data.
  functions = {
    torchVersions.default = defaults: defaults;
    pythonCheckInputs.default = _: [ ];
    pythonNativeCheckInputs.default = _: [ ];
  };

  self = {
    /**
      The options by name. An option without `default` is required. If the default is null, null is a valid value.
      `options.json` describes them, for the command line, too: options with `isPlace` say only where a kernel is from.

      Type: options :: { ${name} :: { meaning, want :: String; types, attributes ? :: [String]; default ? :: a; }; }
    */
    options = mapAttrs (name: row: row // functions.${name} or { }) (fromJSON (readFile ./options.json));

    /**
      The arguments of `genKernelFlakeOutputs` with the defaults of absent ones.

      Type: readOptions :: AttrSet -> Options

      # Errors

      An argument is unknown, missing, or has a wrong type.
    */
    readOptions =
      given:
      let
        inherit (self) options;
        known = attrNames options;
        missing = listMissingKeys {
          inherit known;
          required = filter (name: !options.${name} ? default) known;
        } given;
        isWrong =
          name:
          if given ? ${name} then
            !(isValid options.${name} given.${name} || given.${name} == null && options.${name}.default or 0 == null)
          else
            elem name missing;
        wrong = map (
          name:
          problems.wrong {
            at = name;
            value = if given ? ${name} then showValue given.${name} else "nothing";
            inherit (options.${name}) want;
          }
        ) (filter isWrong known);
        # These names go into the colon-separated LOCAL_KERNELS, and into the scripts of shells.
        repositories = setOrEmpty (given.localKernels or null);
        misnamed = map (name: problems.misnamed { inherit name; }) (
          filter (name: match values.repository.pattern name == null) (attrNames repositories)
        );
        unknown = checkKeys { at = ""; inherit known; } given;
        written = builtins.unsafeGetAttrPos "path" given;
        # A text such as "." is no path, and Nix would end here.
        isPlaced = match "/.*" (toString given.path) != null && builtins.pathExists (given.path + "/build.toml");
        misplaced = optional (given ? path && wrong == [ ] && !isPlaced) (
          problems.misplaced {
            at = if written == null then "path" else "${baseNameOf written.file}:${toString written.line}";
            folder = showFolder given.path;
            inherit (options.path) want;
          }
        );
      in
      throwProblems "genKernelFlakeOutputs cannot be called" (wrong ++ misplaced ++ misnamed ++ unknown) (
        mapAttrs (_: option: option.default or null) options // given
      );
  };
in
self
