# A unit with device code, taken apart: a derivation for each target, one for the host's part,
# one that gathers the targets. All are made of nvcc's own steps, as `nvcc --dryrun` lists
# them, so that together they give what one call of nvcc gives.
#
# A new target is one more pass: the others, and the host's part, stay as they are. The passes are
# those of the build machine's own system, whatever the host's part is compiled for.
{
  lib,
  buildSet,
  runPython,
  toolchain,
  toolkitPackages,
  leanHeaders,
  leanMacros,
}:
let
  inherit (builtins)
    concatMap
    concatStringsSep
    elem
    filter
    hashString
    substring
    ;

  # What all scripts import, and what the host's part does besides; of each other they know
  # nothing, so that an edit of one of them is none of the others'.
  steps = lib.values.paths.alone ./steps;
  aside = lib.values.paths.alone ./aside;
  # Read once for all units.
  scripts = lib.values.attributes.generate [ "device" "gather" "host" "whole" ] (
    name: lib.values.paths.alone (./passes + "/${name}.py")
  );
in
/**
  # Type

  ```
  cudaCompileUnit :: { unit :: Unit; prepared :: UnitInputs; } -> [{ name :: String; value :: Derivation; }]
  ```

  The objects to link, by what they are made of.
*/
{ unit, prepared }:
let
  inherit (unit) device;
  identity = substring 0 16 (hashString "sha256" "${prepared.kernel} ${unit.source}");

  common = {
    inherit (unit) source;
    inherit (prepared) files flags;
    inherit (device) archList;
    # nvcc takes this from what it compiles and where; it only has to be the unit's own.
    moduleId = "_${substring 0 8 identity}_${identity}";
    fatbinSymbol = "kernel_builder_fatbin_${identity}";
  };

  # Lean headers are tried first where the plan says so; Torch's own serve where they do not
  # suffice.
  headersFor =
    set: part:
    if unit.torchHeaders == null then
      { torchHeaders = "none"; }
    else
      {
        torchHeaders = unit.torchHeaders.${part};
        inherit leanHeaders;
        inherit (set) leanMacros;
      };

  # Compilers of this set, or of the build machine's.
  stepWith =
    set: what: script: outputs: env:
    runPython {
      name = "${prepared.name}${what}";
      inherit outputs;
      env = {
        PYTHONPATH = steps;
      }
      // env;
      script = scripts.${script};
      tools = [
        set.toolkitPackages.cuda
        set.toolchain
      ];
    };
  step = stepWith { inherit toolchain toolkitPackages; };

  byTarget = lib.values.attributes.byName (
    pass:
    stepWith buildSet ".sm_${pass.name}" "device" [ "out" ] (
      common
      // headersFor buildSet "device"
      // {
        inherit (prepared.onBuild) flags;
        arch = pass.name;
        target = concatStringsSep "\n" pass.flags;
        ptx = if pass.ptx then "1" else "";
      }
    )
  ) device.passes;
  passesOf = map (pass: byTarget.${pass.name});
  passes = passesOf device.passes;

  # `report` says which headers served: it is read by whoever shows the build.
  withReport = [
    "out"
    "report"
  ];

  # Both take the list of registered kernels from one of these, the same.
  listedBy = passesOf (filter (pass: elem pass.name device.host.listedBy) device.passes);
  # What lean headers lose is seen where the host's part is compiled.
  gathered = step ".fatbin.o" "gather" withReport (
    common
    // headersFor { inherit leanMacros; } "device"
    // {
      inherit passes listedBy;
      packing = concatStringsSep "\n" device.packing;
      hostReport = host.report;
    }
  );
  host = step ".host.o" "host" withReport (
    common
    // headersFor { inherit leanMacros; } "host"
    // {
      arch = device.host.name;
      target = concatStringsSep "\n" device.host.flags;
      inherit listedBy;
      PYTHONPATH = "${steps}:${aside}";
    }
  );
  whole = step ".o" "whole" withReport (
    common
    // headersFor { inherit leanMacros; } "host"
    // {
      target = concatStringsSep "\n" (
        concatMap (pass: pass.flags) device.passes ++ map (option: "-Xfatbin=${option}") device.packing
      );
    }
  );
in
if device.whole == null then
  [
    {
      name = unit.source;
      value = host;
    }
    {
      name = "${unit.source} (device code)";
      value = gathered;
    }
  ]
else
  [
    {
      name = unit.source;
      value = whole;
    }
  ]
