# How the objects of a variant are linked: one command, and before it the compile of the file
# that gives the extension its name (pkgs/compile/link-extension/name.c).
#
# A package's folder stands in words as `@package@`, as in the flags of units.
{ values, platforms, ... }:
let
  inherit (builtins) concatMap;
  inherit (values.lists) optionals;
  inherit (platforms) systems;

  # The build's C library is newer than that of the machines a kernel has to load on, and so is
  # its libstdc++: the first is linked in an old form, the second is taken along. It comes before
  # Torch, whose libraries happen to have some of its functions too: which ones differs from one
  # Torch to the next. The rest makes two builds the same bytes, and two kernels strangers.
  onDarwin = exports: {
    flags = [
      "-Wl,-exported_symbol,_${exports}"
      "-Wl,-dead_strip"
      # Those that no object needs are left out.
      "-Wl,-dead_strip_dylibs"
      # Torch has loaded its libraries by then; a name in `@rpath` needs a path all the same.
      "-Wl,-rpath,@loader_path/lib"
    ];
    libraries = [ ];
    packages = [ ];
  };
  onLinux = {
    packages = [ "glibc" ];
    flags = [
      "-static-libstdc++"
      "-Wl,--exclude-libs,ALL"
      "-Wl,--version-script=exports.map"
      "-Wl,--gc-sections"
      "-Wl,-z,relro,-z,now"
      "-Wl,-O1"
      "-Wl,--build-id=none"
    ];
    libraries = [
      "-L@glibc@/lib"
      "-Wl,-Bstatic"
      "-lstdc++"
      "-Wl,-Bdynamic"
    ];
  };
in
{
  /**
    The link of a variant of `backend`. `packages` are those of `linkable` that its units use,
    `module` is whether the file with the name makes the module's entry point as well.

    `program` is called with `flags` and, in a build that has to load on other machines, those of
    `portable`; then the objects; then the libraries of `portable` and `arguments`. `libraries`
    are the names of what `arguments` link; `file` is what the link makes, and `exports` what is
    visible of it. `device` is what makes one more of the objects, out of those of the units, or null; it
    depends on `seen`, the packages that any unit sees.

    # Type

    ```
    planLink :: { framework :: Framework; backend :: Backend; system :: String; packages :: [String]; seen :: [String]; linkable :: { ${package} :: Package; }; module :: Bool; } -> Link
    ```
  */
  planLink =
    {
      framework,
      backend,
      system,
      packages,
      seen,
      linkable,
      module,
    }:
    let
      isDarwin = systems.isDarwin system;
      linked = framework.linked backend;
      foldersOf = package: linkable.${package}.folders or [ "lib" ];
      # What Torch has loaded is there for those that it imports, and for nobody else.
      librariesOf = package: if framework.isOfTorch then package.libraries else package.alone;
      libraries = linked.libraries ++ concatMap (package: librariesOf linkable.${package}) packages;
    in
    {
      inherit packages libraries module;
      tools = (backend.linker.tools or [ ]) ++ [ "toolchain" ];
      inherit (framework) exports;
      file = "@extension@.${framework.ending}";
      device = if backend.deviceLink == null then null else backend.deviceLink seen;
      inherit (backend.linker) program;
      # What Python loads is no library for Apple's linker.
      flags = [ (if isDarwin then "-bundle" else "-shared") ] ++ backend.linker.flags;
      arguments =
        concatMap (package: map (folder: "-L@${package}@/${folder}") (foldersOf package)) (
          linked.packages ++ packages
        )
        # Those that no object needs are left out.
        ++ optionals (!isDarwin) [ "-Wl,--as-needed" ]
        ++ map (library: "-l${library}") libraries
        ++ optionals (!isDarwin) [ "-lgomp" ];
      portable = if isDarwin then onDarwin framework.exports else onLinux;
      name = {
        program = backend.languages.c.compiler;
        flags = [
          "-O2"
          "-fPIC"
          "-DPy_LIMITED_API=0x03090000"
        ]
        ++ backend.languages.c.flags
        ++ optionals module [ "-DEXTENSION_MODULE" ]
        ++ [
          "-DEXTENSION_NAME=@extension@"
          "-isystem"
          "@python@/include"
        ];
      };
    };
}
