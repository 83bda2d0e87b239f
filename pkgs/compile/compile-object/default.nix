# One translation unit, compiled. Its inputs are the compiler, the unit, the files that the
# unit reaches, and the packages whose headers it may see: nothing else of the kernel, so
# that an edit compiles again just what it touches.
{
  lib,
  runStep,
  toolchain,
  leanHeaders,
  leanMacros,
  precompiledHeader,
}:
let
  # Read once for all units.
  script = lib.values.paths.alone ./compile.sh;
in
/**
  # Type

  ```
  compileObject :: { unit :: Unit; prepared :: UnitInputs; tools :: [Package] ? [ ]; } -> [{ name :: String; value :: Derivation; }]
  ```

  `tools` are those of a toolkit, beside gcc.
*/
{
  unit,
  prepared,
  tools ? [ ],
}:
let
  # Tried first, and told in `report` whether they served, where the kernel asks for them.
  isLean = unit.torchHeaders != null && unit.torchHeaders.host == "lean";
in
[
  {
    name = unit.source;
    value = runStep (
      {
        name = "${prepared.name}.${if unit.isEmbedded then "air" else "o"}";
        inherit script;
        tools = tools ++ [ toolchain ];
        env = {
          inherit (unit) source compiler;
          inherit (prepared) files flags;
        }
        // (
          if isLean then
            {
              inherit leanHeaders leanMacros;
              unitInJson = builtins.toJSON unit.source;
            }
          else
            { }
        )
        // (
          if prepared.precompiled == null then
            { }
          else
            { precompiled = precompiledHeader prepared.precompiled; }
        );
      }
      // (
        if isLean then
          {
            outputs = [
              "out"
              "report"
            ];
          }
        else
          { }
      )
    );
  }
]
