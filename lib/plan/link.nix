# The link of a variant: a file with the extension's name (pkgs/compile/link-extension/name.c) is
# compiled, and one command links it with the objects. Words have placeholders as in flags.nix;
# `@NAME@` is the folder of a package's libraries here.
{ values, compilers, platforms, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    head
    length
    ;
  inherit (values.lists) optionals unique;
  inherit (compilers.language) selectFlags;
  inherit (platforms) systems;

  none = {
    flags = [ ];
    libraries = [ ];
    nameFlags = [ ];
    packages = [ ];
  };

  # "8.0, 9.0", or "hopper: 9.0a; portable: 8.0" if components differ.
  describeTargets =
    targets:
    let
      lists = unique (attrValues targets);
      join = concatStringsSep ", ";
    in
    if length lists == 1 then
      join (head lists)
    else
      concatStringsSep "; " (map (name: "${name}: ${join targets.${name}}") (attrNames targets));

  # The report of launches on a device that a variant has no code for. A compiled `kernel<<<...>>>` ignores the status of
  # the launch, so the kernel would silently do nothing. With `ld --wrap`, the link replaces the backend's functions by
  # functions of the package `launch-errors`, and it supplies the texts for their message. Objects stay the same.
  # `libraries` precede all others, and `nameFlags` are for the file with the extension's name.
  reportLaunches =
    {
      backend,
      kernel,
      variant,
      seen,
    }:
    let
      inherit (backend) launches targets;
    in
    if launches == null || !elem launches.package seen || variant.targets == { } then
      none
    else
      {
        flags = map (function: "-Wl,--wrap=${function}") launches.functions;
        libraries = [
          "-L@launch-errors@/lib"
          "-llaunch-errors"
        ];
        packages = [ "launch-errors" ];
        nameFlags = [
          "-DBUILT_KERNEL=\"${kernel}\""
          "-DBUILT_VARIANT=\"${variant.name}\""
          "-DBUILT_TARGETS=\"${describeTargets variant.targets}\""
          "-DTARGETS_KEY=\"${targets.key}\""
        ];
      };

  # Flags of a build that loads on other machines.
  onDarwin = exports: {
    flags = [
      "-Wl,-exported_symbol,_${exports}"
      "-Wl,-dead_strip"
      "-Wl,-dead_strip_dylibs"
      # Torch has already loaded its libraries, but the loader requires a path for a name in `@rpath`.
      "-Wl,-rpath,@loader_path/lib"
    ];
    libraries = [ ];
    nameFlags = [ ];
    packages = [ ];
  };
  # Kernels load on machines with an older C library and libstdc++ than the build's: symbol versions of the C library
  # are old, and libstdc++ is linked statically. libstdc++ comes before Torch, because Torch's libraries export some of
  # its functions, and each release exports different ones. gcc calls libatomic for 16-byte atomics without being told to
  # link it. It is linked statically, because many machines do not have it.
  onLinux = launches: {
    inherit (launches) nameFlags;
    packages = [ "glibc" ] ++ launches.packages;
    flags = [
      "-static-libstdc++"
      "-Wl,--exclude-libs,ALL"
      "-Wl,--version-script=exports.map"
      "-Wl,--gc-sections"
      "-Wl,-z,relro,-z,now"
      "-Wl,-O1"
      # Names of local symbols are a quarter of a small extension. Most of them come from libstdc++.
      "-Wl,--strip-all"
      "-Wl,--build-id=none"
    ]
    ++ launches.flags;
    libraries = launches.libraries ++ [
      "-L@glibc@/lib"
      "-Wl,-Bstatic"
      "-lstdc++"
      "-latomic"
      "-Wl,-Bdynamic"
    ];
  };
in
{
  /**
    The link of a variant of the kernel that is named `kernel`. `seen` are the packages that any unit sees, and
    `packages` the seen packages that `linkable` contains. docs/data.md describes the fields of a Link.

    Type: planLink :: { kernel :: String; framework :: Framework; backend :: Backend; variant :: Variant;
      packages, seen :: [String]; linkable :: { ${package} :: Package; }; } -> Link
  */
  planLink =
    {
      kernel,
      framework,
      backend,
      variant,
      packages,
      seen,
      linkable,
    }:
    let
      isDarwin = systems.isDarwin variant.system;
      flagsOfStep =
        step:
        selectFlags step {
          inherit (variant) toolkit;
          packages = seen;
        };
      linked = framework.linked backend;
      foldersOf = package: linkable.${package}.folders or [ "lib" ];
      # Extensions of Torch link `libraries`. Extensions of other frameworks link `alone`, because no Torch loads
      # libraries for them.
      librariesOf = package: if framework.isOfTorch then package.libraries else package.alone;
      libraries = linked.libraries ++ concatMap (package: librariesOf linkable.${package}) packages;
    in
    {
      inherit packages libraries;
      tools = (backend.linker.tools or [ ]) ++ [ "toolchain" ];
      inherit (framework) exports;
      file = "@extension@.${framework.ending}";
      device =
        if backend.deviceLink == null then
          null
        else
          backend.deviceLink // { flags = flagsOfStep "device-link" backend.deviceLink.flags; };
      inherit (backend.linker) program;
      # Apple's linker tells bundles, which are loaded at run time, from libraries.
      flags = [ (if isDarwin then "-bundle" else "-shared") ] ++ flagsOfStep "link" backend.linker.flags;
      arguments =
        concatMap (package: map (folder: "-L@${package}@/${folder}") (foldersOf package)) (
          linked.packages ++ packages
        )
        ++ optionals (!isDarwin) [ "-Wl,--as-needed" ]
        ++ map (library: "-l${library}") libraries
        ++ optionals (!isDarwin) [ "-lgomp" ];
      portable =
        if isDarwin then
          onDarwin framework.exports
        else
          onLinux (reportLaunches {
            inherit
              backend
              kernel
              variant
              seen
              ;
          });
      name = {
        program = backend.languages.c.compiler;
        flags = [
          "-O2"
          "-fPIC"
          "-DPy_LIMITED_API=0x03090000"
        ]
        ++ flagsOfStep "compile" backend.languages.c.flags
        # A unit may define the module, too: which of its lines are compiled is not known here. The linker prefers the
        # unit's definition.
        ++ optionals framework.isOfTorch [ "-DEXTENSION_MODULE" ]
        ++ [
          "-DEXTENSION_NAME=@extension@"
          "-isystem"
          "@python@/include"
        ];
      };
    };
}
