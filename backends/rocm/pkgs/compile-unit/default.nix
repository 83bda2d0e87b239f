# A unit with HIP code, compiled in parts: a derivation for each architecture, one for the host, and one that bundles
# the architectures. The result is the same as that of one call of clang. Before these, one more derivation translates
# CUDA sources to HIP.
{ joinLines, lib, rocmHipify, runPython, runStep, toolchain, torch }:
let
  # Each script is its own store path, so that an edit of one script runs no other pass again.
  scripts = lib.values.attributes.generate [ "device" "gather" "host" "whole" ] (
    name: lib.values.paths.alone (./steps + "/${name}.sh")
  );
  translate = lib.values.paths.alone ./translate.py;
  keepMessages = lib.values.paths.alone ./keep-messages.sh;
in
/**
  The objects of the host pass and of all device passes, and the object of a unit that is compiled whole.

  Type: rocmCompileUnit :: { unit :: Unit; prepared :: UnitInputs; } -> { host, gathered, whole :: Derivation; }
*/
{ unit, prepared }:
let
  inherit (unit) device;

  # The files of the unit: files of the kernel, or a tree of translated files.
  unitFiles =
    if unit.translator == null then
      { inherit (prepared) files; passAsFile = [ "files" ]; }
    else
      {
        translated = runPython {
          name = "${prepared.name}.hip";
          script = translate;
          env = {
            step = "translate";
            inherit (unit) source;
            inherit (prepared) files flags;
            passAsFile = [ "files" ];
            hipify = rocmHipify torch;
          };
        };
      };

  step =
    suffix: script: env:
    runStep {
      name = "${prepared.name}${suffix}";
      script = scripts.${script};
      inherit (prepared) tools;
      # `findings` has the messages of the compiler.
      outputs = [ "out" "findings" ];
      env = {
        step = script;
        inherit (unit) source;
        inherit keepMessages;
      }
      // env;
    };
  compile =
    suffix: script: targets:
    step suffix script (
      unitFiles
      // {
        inherit (unit) compiler;
        inherit (prepared) flags layOut;
        inherit (device) symbol;
        inherit toolchain;
        targets = joinLines targets;
      }
    );

  passes = map (pass: {
    inherit (pass) name;
    code = compile ".${pass.name}" "device" pass.flags;
  }) device.passes;
in
{
  host = compile ".host.o" "host" device.host.flags;
  gathered = step ".fatbin.o" "gather" {
    inherit (device) symbol;
    passes = joinLines (map (pass: "${pass.name} ${pass.code}") passes);
    messages = map (pass: "${pass.code.findings}/messages") passes;
  };
  whole = compile ".o" "whole" device.wholeFlags;
}
