# One translation unit, compiled. Its inputs are the compiler, the unit, the files that the unit
# reaches, and the packages whose headers it may see. An edit of another file of the kernel does not
# compile it again.
{ lib, runStep, leanMacros }:
let
  inherit (lib.values.attributes) optionalAttrs;

  # Read once for all units.
  script = lib.values.paths.alone ./compile.sh;
  stableAbi = lib.values.paths.alone ./stable-abi.sh;
in
/** Type: compileObject :: { unit :: Unit; prepared :: UnitInputs; } -> [{ name :: String; value :: Derivation; }] */
{ unit, prepared }:
let
  # Lean headers of Torch are tried first where the kernel asks for them. The output `report` says which headers
  # sufficed.
  isLean = prepared.leanFlags ? operators;
in
[
  {
    name = unit.source;
    value = runStep (
      {
        name = "${prepared.name}.${if unit.isEmbedded then "air" else "o"}";
        inherit script;
        inherit (prepared) tools;
        env = {
          step = "compile";
          inherit (unit) source compiler;
          inherit (prepared) files flags layOut;
          passAsFile = [ "files" ];
        }
        // optionalAttrs (unit.stableAbi != null) { inherit stableAbi; }
        // optionalAttrs isLean {
          inherit leanMacros;
          leanFlags = prepared.leanFlags.operators;
          unitInJson = builtins.toJSON unit.source;
        }
        // optionalAttrs (prepared.precompiled != null) {
          precompiled = prepared.precompiled.header;
          precompiledFlags = prepared.precompiled.unitFlags;
        };
      }
      // {
        # `findings` has the messages of the compiler.
        outputs = [ "out" "findings" ] ++ lib.values.lists.optionals isLean [ "report" ];
      }
    );
  }
]
