# The link of a variant: a file with the extension's name (pkgs/compile/link-extension/name.c) is
# compiled, and one command links it with the objects. Words have placeholders as in flags.nix;
# `@NAME@` is the folder of a package's libraries here.
{ values, platforms, ... }:
let
  inherit (builtins) concatMap;
  inherit (values.lists) optionals;
  inherit (platforms) systems;

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
    The link of a variant. `launches` is the result of `planLaunches`. `seen` are the packages that any unit sees, and
    `packages` the seen packages that `linkable` contains. docs/data.md describes the fields of a Link.

    Type: planLink :: { framework :: Framework; backend :: Backend; system :: String; toolkit :: String | Null;
      packages :: [String]; seen :: [String]; launches :: AttrSet; linkable :: { ${package} :: Package; }; } -> Link
  */
  planLink =
    {
      framework,
      backend,
      system,
      toolkit,
      packages,
      seen,
      launches,
      linkable,
    }:
    let
      isDarwin = systems.isDarwin system;
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
          backend.deviceLink {
            inherit toolkit;
            packages = seen;
          };
      inherit (backend.linker) program;
      # Apple's linker tells bundles, which are loaded at run time, from libraries.
      flags = [ (if isDarwin then "-bundle" else "-shared") ] ++ backend.linker.flags;
      arguments =
        concatMap (package: map (folder: "-L@${package}@/${folder}") (foldersOf package)) (
          linked.packages ++ packages
        )
        ++ optionals (!isDarwin) [ "-Wl,--as-needed" ]
        ++ map (library: "-l${library}") libraries
        ++ optionals (!isDarwin) [ "-lgomp" ];
      portable = if isDarwin then onDarwin framework.exports else onLinux launches;
      name = {
        program = backend.languages.c.compiler;
        flags = [
          "-O2"
          "-fPIC"
          "-DPy_LIMITED_API=0x03090000"
        ]
        ++ backend.languages.c.flags
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
