# The link of a variant: a file with the extension's name (pkgs/compile/link-extension/name.c) is
# compiled, and one command links it with the objects. Words have placeholders as in flags.nix;
# `@NAME@` is the folder of a package's libraries here.
{ values, compilers, config, plan, platforms, ... }:
let
  inherit (builtins) attrNames concatMap concatStringsSep elem filter;
  inherit (values.lists) optionals unique;
  inherit (platforms.systems) isDarwin;
  inherit (plan.flags) launchErrors listLibraryFlags listMacroFlags listNameFileFlags;

  # "8.0, 9.0", or "kernel.hopper: 9.0a; kernel.portable: 8.0" if components differ.
  describeTargets =
    targets:
    let
      lists = unique (builtins.attrValues targets);
      join = concatStringsSep ", ";
    in
    if builtins.length lists == 1 then
      join (builtins.head lists)
    else
      concatStringsSep "; " (map (at: "${at}: ${join targets.${at}}") (attrNames targets));
in
{
  /**
    The link of a variant of the kernel that is named `kernel`. `seen` are the packages that any unit sees. docs/data.md
    describes the fields of a Link.

    Type: planLink :: { kernel :: String; framework :: Framework; backend :: Backend; variant :: Variant;
      seen :: [String]; } -> Link
  */
  planLink =
    { kernel, framework, backend, variant, seen }:
    let
      inherit (backend) deviceLink launches linker;
      # Some names for `depends` have libraries to link, as packages of the backend have.
      linkable = config.dependencies.table.depends // backend.packages;
      packages = filter (package: linkable.${package} ? libraries && elem package seen) (attrNames linkable);
      # The report of launches on a device that a variant has no code for. A compiled `kernel<<<...>>>` ignores the
      # status of the launch, so the kernel would silently do nothing. The link replaces the backend's functions by
      # functions of the package `launch-errors`, and it supplies the texts for their message. Objects stay the same.
      isReporting = launches != null && elem launches.package seen && variant.targets != { };
      steps = {
        packages = seen;
        inherit (variant) toolkit;
        inherit (framework) exports;
        wrapped = if isReporting then launches.functions else [ ];
      };
      flagsOfStep = step: compilers.language.selectFlags step steps linker.flags;
      linked = framework.linked backend;
      # Extensions of Torch link `libraries`. Extensions of other frameworks link `alone`, because no Torch loads
      # libraries for them.
      librariesOf = package: if framework.isOfTorch then package.libraries else package.alone or package.libraries;
      libraries = linked.libraries ++ concatMap (package: librariesOf linkable.${package}) packages;
    in
    {
      inherit packages libraries;
      tools = linker.tools ++ [ "toolchain" ];
      inherit (framework) exports;
      # Functions for the stable ABI are registered without their types, which the names of symbols have.
      boxed =
        if variant.stableAbi == null || isDarwin variant.system then
          null
        else
          { flags = flagsOfStep "link" ++ flagsOfStep "portable"; };
      file = "@extension@.${framework.ending}";
      device =
        if deviceLink == null then
          null
        else
          deviceLink // { flags = compilers.language.selectFlags "device-link" steps deviceLink.flags; };
      inherit (linker) program;
      flags = flagsOfStep "link";
      arguments = listLibraryFlags {
        folders = concatMap (
          package: map (folder: "@${package}@/${folder}") (linkable.${package}.folders or [ "lib" ])
        ) (linked.packages ++ packages);
        linkFlags = flagsOfStep "libraries";
        names = libraries ++ linker.libraries;
      };
      # Wrapped functions may call libstdc++, so their library precedes all others.
      portable = {
        flags = flagsOfStep "stripped" ++ flagsOfStep "portable";
        libraries = optionals isReporting launchErrors ++ flagsOfStep "portable-libraries";
        packages = linker.portablePackages ++ optionals isReporting [ "launch-errors" ];
        nameFlags = listMacroFlags (
          optionals isReporting [
            "BUILT_KERNEL=\"${kernel}\""
            "BUILT_VARIANT=\"${variant.name}\""
            "BUILT_TARGETS=\"${describeTargets variant.targets}\""
            "TARGETS_KEY=\"${backend.targets.key}\""
          ]
        );
      };
      name = {
        program = backend.languages.c.compiler;
        flags = listNameFileFlags {
          inherit framework;
          language = backend.languages.c;
          seen = steps;
        };
      };
    };
}
