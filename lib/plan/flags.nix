# All flags of compilers and linkers. A plan has those of the tables of a backend and of its languages and linker
# (`selectFlags`), those that a section states, and those here, which every backend has.
#
# The compiler of a unit gets them in this order: `flags`, `nameFlags`, `buildFlags`, then the flags of a pass. The flags
# for lean or precompiled headers come before all of these.
#
# `@NAME@` stands for the headers of a package, `@tools/NAME@` for the folder of a package's
# programs, and `@build/NAME@` for a folder that exists only while a unit is compiled.
{ values, compilers, config, ... }:
let
  inherit (builtins) concatMap elemAt filter fromJSON readFile;
  inherit (values.lists) optionals;
  inherit (compilers.language) selectFlags;

  # - `includeFolders`: folders of headers below a package's folder;
  table = fromJSON (readFile ./flags.json);
  inherit (table) pythonAbi;

  # TORCH_TARGET_VERSION limits a unit to the stable ABI of this version, whichever Torch provides the headers. The
  # first byte is the major version, the second byte the minor version.
  stableAbiFlags =
    stableAbi:
    let
      numbers = map fromJSON (builtins.splitVersion stableAbi);
      digit = number: builtins.substring number 1 "0123456789abcdef";
      byte = number: digit (number / 16) + digit (number - number / 16 * 16);
    in
    optionals (stableAbi != null) [
      "-DTORCH_TARGET_VERSION=0x${byte (elemAt numbers 0)}${byte (elemAt numbers 1)}000000000000"
    ];

  # With these maps, the file names that compilers write into objects are the same on every machine.
  listPackageMaps =
    packages:
    map (package: "-ffile-prefix-map=@${package}@=${package}") (builtins.sort builtins.lessThan packages)
    ++ [ "-ffile-prefix-map=@tools/toolchain@=toolchain" ];
in
{
  /**
    The flags that a section states for a language. lib/matrix warns about those that the language leaves out.

    Type: listSectionFlags :: Language -> Section -> [String]
  */
  listSectionFlags =
    language: section:
    filter (flag: !language.absentFlags ? ${flag}) (
      concatMap (key: section.flags.${key}) language.flagsKeys
    );

  /**
    The flags with which a unit compiles anywhere. `sectionFlags` are the flags of the section, `embeds` says
    whether the unit embeds other units, and `include` are the folders of the kernel with headers. The result lacks
    `optionalFlags`.

    Type: listUnitFlags :: { language :: Language; backend :: Backend; variant :: Variant; packages :: [String];
      usesTorch :: Bool; embeds :: Bool; sectionFlags :: [String]; include :: [String];
      optionalFlags ? :: [String]; } -> [String]
  */
  listUnitFlags =
    {
      language,
      backend,
      variant,
      packages,
      usesTorch,
      embeds,
      sectionFlags,
      include,
      optionalFlags ? [ ],
    }:
    let
      seen = { inherit packages; inherit (variant) toolkit; };
      # Units that include Torch are C++17 below Torch 2.12. Other units have one standard, so that they
      # are the same objects under every Torch.
      year = if usesTorch && !values.versions.atLeast "2.12" variant.torch then "17" else "20";
    in
    selectFlags "first" seen language.flags
    ++ [ "-std=${language.standard year}" ]
    ++ selectFlags "compile" seen backend.flags
    ++ [ pythonAbi ]
    ++ stableAbiFlags variant.stableAbi
    ++ optionals embeds (selectFlags "embed" seen backend.flags)
    ++ filter (flag: !builtins.elem flag optionalFlags) (selectFlags "compile" seen language.flags)
    ++ concatMap (package: config.dependencies.table.depends.${package}.flags or [ ]) packages
    ++ sectionFlags
    ++ map (folder: "-I${if folder == "" then "." else folder}") include
    ++ concatMap (
      package:
      concatMap (folder: [
        "-isystem"
        "@${package}@/${folder}"
      ]) (table.includeFolders.${package} or [ "include" ])
    ) packages;

  /**
    The flags by which a unit learns the extension's name. With the macros of registration.h, a unit without these flags
    gets the name from the link.

    Type: listNameFlags :: { framework :: Framework; needsName :: Bool; } -> [String]
  */
  listNameFlags =
    { framework, needsName }: optionals needsName [ "-D${framework.nameMacro}=@extension@" ];

  /**
    The flags that make an object the same on every machine. `partFlags` are additional flags of a unit's language. A
    kernel's own flags may contain `@build/kernel@`: builders replace only the last one, which is here.

    Type: listBuildFlags :: { source :: String; packages :: [String]; isEmbedded :: Bool; partFlags :: [String]; }
      -> [String]
  */
  listBuildFlags =
    { source, packages, isEmbedded, partFlags }:
    # Shaders contain no names of files.
    optionals (!isEmbedded) (
      listPackageMaps packages
      # gcc derives the names of some local symbols from the seed. Without a seed, these names are random.
      ++ [ "-frandom-seed=${source}" ]
    )
    ++ partFlags
    ++ [ "-ffile-prefix-map=@build/kernel@=." ];

  /**
    Tables of flags:

    - `lean`: the first flags of a unit that is compiled with lean headers of Torch, by the sets that the build may try
      ("none", "operators" or "all"), and then by the set. The build writes a header into the folder `named` that
      includes the operators that the kernel names;
    - `precompiled`: the first flags of a unit whose `first` include is a precompiled header, or is a header of the
      kernel with one `inside`. gcc warns about a precompiled header that it cannot use, and reads the text instead;
    - `launchErrors`: the library of functions that report launches.
  */
  inherit (table) launchErrors lean precompiled;

  /**
    The libraries of a link: their `folders` below packages, then their `names`. `linkFlags` come between.

    Type: listLibraryFlags :: { folders :: [String]; linkFlags :: [String]; names :: [String]; } -> [String]
  */
  listLibraryFlags =
    { folders, linkFlags, names }:
    map (folder: "-L${folder}") folders ++ linkFlags ++ map (library: "-l${library}") names;

  /**
    The flags that define macros.

    Type: listMacroFlags :: [String] -> [String]
  */
  listMacroFlags = map (macro: "-D${macro}");

  /**
    The flags of the file with the extension's name (pkgs/compile/link-extension/name.c). `language` is that of C.

    Type: listNameFileFlags :: { framework :: Framework; language :: Language; seen :: AttrSet; } -> [String]
  */
  listNameFileFlags =
    { framework, language, seen }:
    table.nameFile
    ++ [ pythonAbi ]
    ++ selectFlags "compile" seen language.flags
    # A unit may define the module, too: which of its lines are compiled is not known here. The linker prefers the
    # unit's definition.
    ++ optionals framework.isOfTorch [ "-DEXTENSION_MODULE" ]
    ++ [ "-DEXTENSION_NAME=@extension@" "-isystem" "@python@/include" ];

  inherit listPackageMaps;
}
