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
  leanMacros,
}:
let
  inherit (builtins)
    concatStringsSep
    elem
    filter
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
  common = {
    inherit (unit) source;
    inherit (prepared) files;
    inherit (device) archList moduleId;
    fatbinSymbol = device.symbol;
  };

  hasTorch = unit.torchHeaders != null;
  torchHeadersOf = part: if hasTorch then unit.torchHeaders.${part} else "none";
  # `prepared` and `leanMacros` are those of this package set, or of the build machine's.
  stepWith =
    { prepared, leanMacros }:
    let
      variables =
        common
        // {
          PYTHONPATH = steps;
          inherit (prepared) flags;
        }
        // lib.values.attributes.optionalAttrs hasTorch {
          leanFlags = prepared.leanFlagsJson;
          inherit leanMacros;
        };
    in
    what: script: outputs: env:
    runPython {
      name = "${prepared.name}${what}";
      inherit outputs;
      inherit (prepared) tools;
      script = scripts.${script};
      env = variables // env;
    };
  step = stepWith { inherit prepared leanMacros; };
  stepOnBuild = stepWith {
    prepared = prepared.onBuild;
    inherit (buildSet) leanMacros;
  };

  byTarget = lib.values.attributes.byName (
    pass:
    stepOnBuild ".sm_${pass.name}" "device" [ "out" ] {
      torchHeaders = torchHeadersOf "device";
      arch = pass.name;
      target = concatStringsSep "\n" pass.flags;
      ptx = if pass.ptx then "1" else "";
    }
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
  gathered = step ".fatbin.o" "gather" withReport {
    torchHeaders = torchHeadersOf "device";
    inherit passes listedBy;
    packing = concatStringsSep "\n" device.packing;
    hostReport = host.report;
  };
  host = step ".host.o" "host" withReport {
    torchHeaders = torchHeadersOf "host";
    arch = device.host.name;
    target = concatStringsSep "\n" device.host.flags;
    compileFlags = concatStringsSep "\n" device.host.compileFlags;
    inherit listedBy;
    PYTHONPATH = "${steps}:${aside}";
  };
  whole = step ".o" "whole" withReport {
    torchHeaders = torchHeadersOf "host";
    target = concatStringsSep "\n" device.wholeFlags;
    linkFlags = concatStringsSep "\n" device.wholeLinkFlags;
  };
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
