{ compilers, ... }:
let
  flagsOf = step: compilers.language.flagsOf step { };
  clang = compilers.clang.makeClangLanguages { least = "15.0"; };
  deployment = "-mmacosx-version-min=15.0";
in
{
  makeClangLanguages.versionIsInEveryCommand = {
    expr = builtins.filter (flags: !builtins.elem deployment flags) (
      map (language: flagsOf "compile" language.flags) (
        builtins.attrValues (clang.languages // clang.objectiveC)
      )
      ++ [ (flagsOf "link" clang.linker.flags) ]
    );
    expected = [ ];
  };
}
