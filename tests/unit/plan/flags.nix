{ backends, frameworks, plan, ... }:
let
  inherit (plan) flags;
  listUnitFlags =
    changes:
    flags.listUnitFlags (
      {
        language = backends.all.cpu.languages.cpp;
        backend = backends.all.cpu;
        variant = {
          torch = "2.13.0";
          stableAbi = null;
        };
        packages = [ "torch" ];
        usesTorch = true;
        embeds = false;
        componentFlags = [ "-DOWN" ];
        folders = [ "-Iinclude" ];
      }
      // changes
    );
  listBuildFlags =
    isEmbedded:
    flags.listBuildFlags {
      source = "a/b.cpp";
      packages = [
        "torch"
        "python"
      ];
      inherit isEmbedded;
      partFlags = [ "-cuid=1" ];
    };
in
{
  listUnitFlags = {
    foldersComeBeforePackages = {
      expr = builtins.match ".* -DOWN -Iinclude -isystem @torch@/include .*" (
        builtins.concatStringsSep " " (listUnitFlags { })
      ) != null;
      expected = true;
    };
    olderTorch = {
      expr = builtins.elem "-std=gnu++17" (listUnitFlags {
        variant = {
          torch = "2.11.0";
          stableAbi = null;
        };
      });
      expected = true;
    };
    withoutOptionalOnes = {
      expr = builtins.elem "-fwithout" (listUnitFlags {
        language = backends.all.cpu.languages.cpp // {
          flags = [
            {
              steps = [ "compile" ];
              flags = [ "-fwithout" ];
            }
          ];
        };
        optionalFlags = [ "-fwithout" ];
      });
      expected = false;
    };
  };
  listComponentFlags.withoutAbsentOnes = {
    expr = flags.listComponentFlags {
      flagsKeys = [ "cxx-flags" ];
      absentFlags."-fopenmp" = "it has none";
    } { cxx-flags = [ "-O2" "-fopenmp" ]; };
    expected = [ "-O2" ];
  };
  listPrecompiledFlags.includesTheHeader = {
    expr = map (isInside: builtins.head (flags.listPrecompiledFlags isInside)) [
      true
      false
    ];
    expected = [
      "-include"
      "-isystem"
    ];
  };
  listNameFlags.onlyWhereItIsNeeded = {
    expr =
      map
        (
          needsName:
          flags.listNameFlags {
            framework = frameworks.all.torch;
            inherit needsName;
          }
        )
        [
          true
          false
        ];
    expected = [
      [ "-DTORCH_EXTENSION_NAME=@extension@" ]
      [ ]
    ];
  };
  listBuildFlags = {
    namesOfFolders = {
      expr = listBuildFlags false;
      expected = [
        "-ffile-prefix-map=@python@=python"
        "-ffile-prefix-map=@torch@=torch"
        "-ffile-prefix-map=@tools/toolchain@=toolchain"
        "-frandom-seed=a/b.cpp"
        "-cuid=1"
        "-ffile-prefix-map=@build/kernel@=."
      ];
    };
    shaders = {
      expr = listBuildFlags true;
      expected = [
        "-cuid=1"
        "-ffile-prefix-map=@build/kernel@=."
      ];
    };
  };
  listLeanFlags.namedOperators = {
    expr = (flags.listLeanFlags "all").named;
    expected = [
      "-isystem"
      "@build/lean-headers@/named"
      "-isystem"
      "named"
      "-ffile-prefix-map=@build/lean-headers@=torch"
    ];
  };
  listPackageMaps.toolchainToo = {
    expr = flags.listPackageMaps [ ];
    expected = [ "-ffile-prefix-map=@tools/toolchain@=toolchain" ];
  };
}
