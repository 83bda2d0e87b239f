{ localKernels, ... }:
let
  dep = {
    name = "torch213-cxx11-cpu-x86_64-linux"; backend = "cpu"; compute = "cpu"; torch = "2.13.0";
    stableAbi = null; compiled = true; unavailable = null;
  };
  # The record of a kernel with these flakes and locks.
  record =
    flakes: locks:
    {
      options.localKernels = flakes;
      kernel = { inherit locks; config.general = { kernel-depends = [ ]; cpu.kernel-depends = [ ]; }; };
      packageSet.fetchKernel = { repository, commit, hash }: "/files/${repository}/${commit}/${hash}";
      system = "x86_64-linux";
      buildSystem = "x86_64-linux";
    };
  settingOf =
    details: variant:
    localKernels.writeLocalKernels (record {
      "me/dep".legacyPackages.x86_64-linux = {
        variantDetails = details;
        redistributable = builtins.listToAttrs (
          map (each: { inherit (each) name; value = "/build/of/${each.name}"; }) details
        );
      };
    } [ ]) variant;
  refuses = details: variant: !(builtins.tryEval (settingOf details variant)).success;
  stable = dep // { name = "stable"; stableAbi = "2.11"; torch = "2.15.0"; };
in
{
  writeLocalKernels = {
    none = [ (localKernels.writeLocalKernels (record { } [ ]) dep) "" ];
    # A flake comes before a lock.
    locked = [
      (localKernels.writeLocalKernels (
        record
          {
            "me/dep".legacyPackages.x86_64-linux = {
              variantDetails = [ dep ];
              redistributable.${dep.name} = "/build";
            };
          }
          (
            map
              (repo-id: { dependency = { inherit repo-id; version = 1; }; lock = { commit = "c"; hash = "h"; }; })
              [ "me/dep" "me/other" ]
          )
      ) dep)
      "me/dep=/build:me/other=/files/me/other/c/h"
    ];
    # A cross build comes from the outputs of the machine that builds.
    forAnother = [
      (localKernels.writeLocalKernels (
        record {
          "me/dep".legacyPackages = {
            x86_64-linux.cross.aarch64-linux = { variantDetails = [ dep ]; redistributable.${dep.name} = "/cross"; };
            aarch64-linux = { variantDetails = [ dep ]; redistributable.${dep.name} = "/native"; };
          };
        } [ ]
        // { system = "aarch64-linux"; }
      ) dep)
      "me/dep=/cross"
    ];
    same = [ (settingOf [ (dep // { torch = "2.12.0"; }) dep ] dep) "me/dep=/build/of/${dep.name}" ];
    stable = [ (settingOf [ stable ] dep) "me/dep=/build/of/stable" ];
    tooNewForTheTorch = [ (refuses [ stable ] (dep // { torch = "2.10.0"; })) true ];
    noarch = [
      (settingOf [ (dep // { name = "torch-cpu"; compiled = false; torch = "2.15.0"; }) ] dep)
      "me/dep=/build/of/torch-cpu"
    ];
    otherBackend = [ (refuses [ (dep // { backend = "cuda"; }) ] dep) true ];
    thatCannotBeBuilt = [ (refuses [ (dep // { unavailable = "no wheel"; }) ] dep) true ];
  };
}
