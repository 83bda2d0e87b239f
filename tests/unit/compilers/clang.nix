{ compilers, ... }:
let
  clang = compilers.clang.makeClangLanguages { least = "15.0"; };
  deployment = "-mmacosx-version-min=15.0";
in
{
  makeClangLanguages.versionIsInEveryCommand = {
    expr = builtins.filter (flags: !builtins.elem deployment flags) (
      map (language: language.flags) (builtins.attrValues (clang.languages // clang.objectiveC))
      ++ [ clang.linker.flags ]
    );
    expected = [ ];
  };
}
