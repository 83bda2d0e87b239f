# A unit with device code, compiled in parts: a derivation for each target, one for the host, and one that gathers the
# targets. They run the steps that `nvcc --dryrun` lists, so that the result is the same as that of one call of nvcc.
#
# A new target adds one pass, and neither the other passes nor the host pass change. Passes for targets run on the build
# machine's system, even if the host pass compiles for another system.
{ buildSet, joinLines, leanMacros, lib, python, runPython, runStep }:
let
  # All scripts import `steps`, and the host pass imports `aside`. Scripts do not depend on each other, so that an edit
  # of one script runs no other pass again.
  steps = runStep {
    name = "nvcc-steps";
    script = ./compile-modules.sh;
    tools = [ python ];
    env.modules = ./steps;
  };
  aside = lib.values.paths.alone ./aside;
  # Read once for all units.
  scripts = lib.values.attributes.generate [ "device" "gather" "host" "whole" ] (
    name: lib.values.paths.alone (./passes + "/${name}.py")
  );
in
/**
  The objects of the host pass and of all device passes, and the object of a unit that is compiled whole.

  Type: cudaCompileUnit :: { unit :: Unit; prepared :: UnitInputs; } -> { host, gathered, whole :: Derivation; }
*/
{ unit, prepared }:
let
  inherit (unit) device;
  common = {
    inherit (unit) source;
    inherit (prepared) files;
    passAsFile = [ "files" ];
    inherit (device) archList moduleId;
    unitInJson = builtins.toJSON unit.source;
    fatbinSymbol = device.symbol;
  };

  hasTorch = unit.torchHeaders != null;
  torchHeadersOf = part: if hasTorch then unit.torchHeaders.${part} else "none";
  # `prepared` and `leanMacros` come from this package set or from that of the build machine.
  stepWith =
    { prepared, leanMacros }:
    let
      variables =
        common
        // { PYTHONPATH = steps; inherit (prepared) flags; }
        // lib.values.attributes.optionalAttrs hasTorch {
          leanFlags = prepared.leanFlagsJson;
          inherit leanMacros;
        }
        // lib.values.attributes.optionalAttrs (unit.optionalFlags != [ ]) {
          optionalFlags = joinLines unit.optionalFlags;
        };
    in
    suffix: script: outputs: env:
    runPython {
      name = "${prepared.name}${suffix}";
      inherit outputs;
      inherit (prepared) tools;
      script = scripts.${script};
      env = variables // env // { step = script; };
    };
  step = stepWith { inherit prepared leanMacros; };
  stepOnBuild = stepWith { prepared = prepared.onBuild; inherit (buildSet) leanMacros; };

  byTarget = lib.values.attributes.byName (
    pass:
    stepOnBuild ".sm_${pass.name}" "device" [ "out" ] {
      torchHeaders = torchHeadersOf "device";
      arch = pass.name;
      target = joinLines pass.flags;
      inherit (pass) ptx;
    }
  ) device.passes;
  passesOf = map (pass: byTarget.${pass.name});
  passes = passesOf device.passes;

  # The output `report` says which headers sufficed, and the build report shows it. `findings` has what the step and its
  # compilers warn about.
  withReport = [ "out" "report" "findings" ];

  # Both steps below take the list of registered kernels from the same passes.
  listedBy = passesOf (builtins.filter (pass: builtins.elem pass.name device.host.listedBy) device.passes);
  # The report of the host pass shows whether lean headers lost a kernel. Without such headers, nothing waits for it.
  gathered = step ".fatbin.o" "gather" withReport {
    torchHeaders = torchHeadersOf "device";
    inherit passes listedBy;
    packing = joinLines device.packing;
    hostReport = if torchHeadersOf "device" == "lean" then host.report else "";
  };
  host = step ".host.o" "host" withReport {
    torchHeaders = torchHeadersOf "host";
    arch = device.host.name;
    target = joinLines device.host.flags;
    compileFlags = joinLines device.host.compileFlags;
    inherit listedBy;
    PYTHONPATH = "${steps}:${aside}";
  };
  whole = step ".o" "whole" withReport {
    torchHeaders = torchHeadersOf "host";
    target = joinLines device.wholeFlags;
    linkFlags = joinLines device.wholeLinkFlags;
  };
in
{ inherit host gathered whole; }
