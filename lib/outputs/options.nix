# The options of a kernel: the arguments that its flake.nix passes to `genKernelFlakeOutputs`. They are checked and
# completed here, and pass down as one record.
{ values, messages, ... }:
let
  inherit (builtins) attrNames isAttrs isBool isString match storeDir;
  inherit (values) repository;
  inherit (values.attributes) setOrEmpty;
  inherit (values.lists) optionals;
  inherit (messages.check) checkKeys listMissingKeys showValue throwProblems;

  # Nix copies a flake to the store, where its folder has a name that means nothing to an author.
  showFolder =
    path:
    let
      inside = match "${storeDir}/[^/]+/(.+)" (toString path);
    in
    if inside == null then "that folder" else builtins.head inside;

  described = builtins.fromJSON (builtins.readFile ./options.json);

  packages = {
    default = _: [ ];
    isValid = value: builtins.isFunction value || value ? __functor;
  };
  checked = {
    path.isValid = value: builtins.isPath value || isString value || value ? outPath;
    self = {
      default = null;
      isValid = isAttrs;
    };
    rev = {
      default = null;
      isValid = isString;
    };
    torchVersions = {
      default = defaults: defaults;
      # Rows are checked as they are read.
      isValid = _: true;
    };
    overlays = {
      default = [ ];
      isValid = builtins.isList;
    };
    pythonCheckInputs = packages;
    pythonNativeCheckInputs = packages;
    doGetKernelCheck = {
      default = true;
      isValid = isBool;
    };
    localKernels = {
      default = { };
      isValid = isAttrs;
    };
    precompiledHeaders = {
      default = null;
      isValid = isBool;
    };
  };

  self = {
    /**
      The options by name. An option without `default` is required. If the default is null, null is a valid value.
      `options.json` describes them, for the command line, too: options with `isPlace` say only where a kernel is from.

      Type: options :: { ${name} :: { meaning, want :: String; isValid :: a -> Bool; default :: a; }; }
    */
    options = builtins.mapAttrs (
      name: { meaning, want, ... }: checked.${name} // { inherit meaning want; }
    ) described;

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
          required = builtins.filter (name: !options.${name} ? default) known;
        } given;
        isWrong =
          name:
          if given ? ${name} then
            !(options.${name}.isValid given.${name} || given.${name} == null && options.${name}.default or 0 == null)
          else
            builtins.elem name missing;
        wrong = map (name: {
          at = name;
          found = if given ? ${name} then showValue given.${name} else "nothing";
          inherit (options.${name}) want;
          fix = "correct the call in flake.nix";
        }) (builtins.filter isWrong known);
        # These names go into the colon-separated LOCAL_KERNELS, and into the scripts of shells.
        repositories = setOrEmpty (given.localKernels or null);
        misnamed = map (name: {
          at = "localKernels";
          found = builtins.toJSON name;
          want = "the name of a repository, such as \"owner/name\"";
          fix = "write the repository as `kernel-depends` in build.toml names it";
        }) (builtins.filter (name: builtins.match repository.pattern name == null) (attrNames repositories));
        unknown = checkKeys { at = ""; inherit known; } given;
        written = builtins.unsafeGetAttrPos "path" given;
        isPlaced = builtins.pathExists (given.path + "/build.toml");
        misplaced = optionals (given ? path && wrong == [ ] && !isPlaced) [
          {
            at = if written == null then "path" else "${baseNameOf written.file}:${toString written.line}";
            found = "path: no build.toml in ${showFolder given.path}";
            inherit (options.path) want;
            fix = "write `path = ./.` if build.toml is beside flake.nix; `git add -N build.toml` if git does not know it; `kernel-builder init` creates one";
          }
        ];
      in
      throwProblems "genKernelFlakeOutputs cannot be called" (wrong ++ misplaced ++ misnamed ++ unknown) (
        builtins.mapAttrs (_: option: option.default or null) options // given
      );
  };
in
self
