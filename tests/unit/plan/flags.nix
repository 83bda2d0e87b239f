{ backends, flags, frameworks, ... }@library:
let
  listUnitFlags =
    changes:
    flags.listUnitFlags (
      {
        language = backends.all.cpu.languages.cpp;
        backend = backends.all.cpu;
        variant = { torch = "2.13.0"; stableAbi = null; };
        packages = [ "torch" ];
        usesTorch = true;
        embeds = false;
        sectionFlags = [ "-DOWN" ];
        include = [ "include" ];
      }
      // changes
    );
in
{
  listUnitFlags = {
    withoutOptionalOnes = [
      (builtins.elem "-fwithout" (listUnitFlags {
        language = backends.all.cpu.languages.cpp // {
          flags.compile = [ { steps = [ "compile" ]; flags = [ "-fwithout" ]; } ];
        };
        optionalFlags = [ "-fwithout" ];
      }))
      false
    ];
    # nvcc searches this folder by itself, and a compiler of C++ for the host does not.
    cccl = [
      (map
        ({ toolkit, packages ? [ "cuda" ], ending ? "cpp" }: builtins.elem "@cuda@/include/cccl" (listUnitFlags {
          inherit packages;
          backend = backends.all.cuda;
          language = backends.all.cuda.languages.${ending};
          variant = { torch = "2.13.0"; stableAbi = null; inherit toolkit; };
        }))
        [
          { toolkit = "13.0"; }
          { toolkit = "13.2"; ending = "cxx"; }
          { toolkit = "12.9"; }
          { toolkit = "13.0"; packages = [ "torch" ]; }
          { toolkit = "13.0"; ending = "cu"; }
        ]
      )
      [ true true false false false ]
    ];
  };
  listSectionFlags.withoutAbsentOnes = [
    (flags.listSectionFlags {
      flagsKeys = [ "cxx-flags" ];
      absentFlags."-fopenmp" = "it has none";
    } (import ../kernels/section.nix library { flags.cxx-flags = [ "-O2" "-fopenmp" ]; }))
    [ "-O2" ]
  ];
  precompiled.includesTheHeader = [
    (builtins.mapAttrs (_: builtins.head) flags.precompiled)
    { inside = "-include"; first = "-isystem"; }
  ];
  listNameFlags.onlyWhereItIsNeeded = [
    (map (needsName: flags.listNameFlags { framework = frameworks.all.torch; inherit needsName; }) [ true false ])
    [ [ "-DTORCH_EXTENSION_NAME=@extension@" ] [ ] ]
  ];
  # tests/golden has all flags of each command.
  listBuildFlags.ofParts = [
    (flags.listBuildFlags { source = "a/b.cpp"; packages = [ ]; isEmbedded = true; partFlags = [ "-cuid=1" ]; })
    [ "-cuid=1" "-ffile-prefix-map=@build/kernel@=." ]
  ];
  lean.namedOperators = [
    flags.lean.all.named
    [ "-isystem" "@build/lean-headers@/named" "-isystem" "named" "-ffile-prefix-map=@build/lean-headers@=torch" ]
  ];
  launchErrors.folderFirst = [ flags.launchErrors [ "-L@launch-errors@/lib" "-llaunch-errors" ] ];
  listMacroFlags.inOrder = [ (flags.listMacroFlags [ "B=1" "A" ]) [ "-DB=1" "-DA" ] ];
  listLibraryFlags.flagsBeforeTheNames = [
    (flags.listLibraryFlags { folders = [ "@torch@/lib" ]; linkFlags = [ "-Wl,--as-needed" ]; names = [ "torch" ]; })
    [ "-L@torch@/lib" "-Wl,--as-needed" "-ltorch" ]
  ];
  listNameFileFlags.moduleOfTorch = [
    (builtins.elem "-DEXTENSION_MODULE" (
      flags.listNameFileFlags { framework = frameworks.all.torch; language = backends.all.cpu.languages.c; seen = { }; }
    ))
    true
  ];
  listPackageMaps.toolchainToo = [ (flags.listPackageMaps [ ]) [ "-ffile-prefix-map=@tools/toolchain@=toolchain" ] ];
}
