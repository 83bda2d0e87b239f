# A unit that Intel's compiler library compiles, in parts: a derivation for the portable device code, one for each
# device ahead of time, one for the registration of all device code, and one for the host.
{ lib, compileObject, runStep, toolchain, xpuOcloc }:
let
  # Each script is its own store path, so that an edit of one script runs no other pass again.
  scripts = lib.values.attributes.generate [ "ahead" "device" "host" "register" ] (
    name: lib.values.paths.alone (./steps + "/${name}.sh")
  );
  inherit (builtins.fromJSON (builtins.readFile ../../backends/xpu/device-code.json)) devices options;
  last = builtins.elemAt devices (builtins.length devices - 1);
in
/**
  The objects to link, each with a name for messages.

  Type: xpuSyclCompileUnit :: { unit :: Unit; prepared :: UnitInputs; } -> [{ name :: String; value :: Derivation; }]

  # Errors

  The unit sees sycl-tla, whose device code needs an extension that the library does not know.
*/
{ unit, prepared }:
let
  step =
    suffix: script: tools: env:
    runStep {
      name = "${prepared.name}${suffix}";
      script = scripts.${script};
      inherit tools env;
    };
  stepWithOcloc = suffix: script: step suffix script [ toolchain xpuOcloc ];
  compile =
    suffix: script: env:
    step suffix script prepared.tools (
      {
        inherit (unit) source;
        inherit (prepared) files flags layOut;
        passAsFile = [ "files" ];
      }
      // env
    );
  # The compiler uses the last `-fsycl-targets`.
  targets = builtins.foldl' (
    last: flag: if builtins.match "-fsycl-targets=.*" flag == null then last else flag
  ) "" unit.flags;

  code = compile ".device" "device" { };
  compileAhead =
    device:
    stepWithOcloc ".${device}" "ahead" {
      inherit code device;
      inherit (unit) source;
      options = builtins.concatStringsSep " " options;
      withPortable = device == last;
    };
in
if unit.compiler != "icpx" then
  compileObject { inherit unit prepared; }
else if builtins.elem "sycl_tla" unit.packages then
  lib.messages.check.throwProblem "Intel's compiler library does not compile sycl-tla" {
    at = unit.source;
    found = "headers of sycl-tla, whose code for the GPU needs SPV_INTEL_split_barrier";
    want = "units without them";
    fix = "take Intel's packages (xpuToolkit)";
  }
else
  [
    {
      name = unit.source;
      value = compile ".host.o" "host" { inherit code; };
    }
    {
      name = "${unit.source} (device code)";
      value = stepWithOcloc ".device.o" "register" {
        inherit code;
        ahead = if targets == "-fsycl-targets=spir64" then [ ] else map compileAhead devices;
      };
    }
  ]
