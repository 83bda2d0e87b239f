{ compilers, ... }:
let
  selectFlags = step: compilers.language.selectFlags step { };
  clang = compilers.clang.makeClangLanguages { least = "15.0"; };
  deployment = "-mmacosx-version-min=15.0";
in
{
  makeClangLanguages.versionIsInEveryCommand = [
    (builtins.filter (flags: !builtins.elem deployment flags) (
      map (language: selectFlags "compile" language.flags) (builtins.attrValues (clang.languages // clang.objectiveC))
      ++ [ (selectFlags "link" (compilers.language.makeTable clang.linker.flags)) ]
    ))
    [ ]
  ];
}
