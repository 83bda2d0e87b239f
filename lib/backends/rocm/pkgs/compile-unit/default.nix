# A unit with HIP code, taken apart: a derivation for each architecture, one for the host's part,
# one that bundles the architectures. Together they give what one call of clang gives. CUDA's
# sources are translated before, by a derivation of their own.
{
  lib,
  runPython,
  runStep,
  toolchain,
  torch,
  rocmHipify,
}:
let
  inherit (builtins)
    concatStringsSep
    ;
  # Read once for all units; an edit of one script is none of the others'.
  scripts = lib.values.attributes.generate [ "bundle" "device" "host" "whole" ] (
    name: lib.values.paths.alone (./steps + "/${name}.sh")
  );
  translate = lib.values.paths.alone ./translate.py;
in
/**
  # Type

  ```
  rocmCompileUnit :: { unit :: Unit; prepared :: UnitInputs; } -> [{ name :: String; value :: Derivation; }]
  ```

  The objects to link, by what they are made of.
*/
{ unit, prepared }:
let
  inherit (unit) device;

  # Where the unit's files are: as the kernel has them, or a tree of translated ones.
  laidOut =
    if unit.translator == null then
      { inherit (prepared) files; }
    else
      {
        translated = runPython {
          name = "${prepared.name}.hip";
          script = translate;
          env = {
            inherit (unit) source;
            inherit (prepared) files flags;
            hipify = rocmHipify torch;
          };
        };
      };

  step =
    what: script: env:
    runStep {
      name = "${prepared.name}${what}";
      script = scripts.${script};
      inherit (prepared) tools;
      env = {
        inherit (unit) source;
      }
      // env;
    };
  compile =
    what: script: targets:
    step what script (
      laidOut
      // {
        inherit (unit) compiler;
        inherit (prepared) flags layOut;
        inherit (device) symbol;
        inherit toolchain;
        targets = concatStringsSep "\n" targets;
      }
    );

  passes = map (pass: {
    inherit (pass) name;
    code = compile ".${pass.name}" "device" pass.flags;
  }) device.passes;
  bundled = step ".fatbin.o" "bundle" {
    inherit (device) symbol;
    passes = concatStringsSep "\n" (map (pass: "${pass.name} ${pass.code}") passes);
  };
in
if device.whole == null then
  [
    {
      name = unit.source;
      value = compile ".host.o" "host" device.host.flags;
    }
    {
      name = "${unit.source} (device code)";
      value = bundled;
    }
  ]
else
  [
    {
      name = unit.source;
      value = compile ".o" "whole" device.wholeFlags;
    }
  ]
