# What one file of a kernel says: which names it includes, and what else of it decides how a unit
# is compiled. Read off the text alone, while evaluating; an include in a comment or under
# `#if 0` counts.
{ backends, frameworks, ... }:
let
  inherit (builtins)
    any
    attrValues
    concatMap
    concatStringsSep
    elemAt
    filter
    fromJSON
    head
    isList
    length
    match
    replaceStrings
    split
    stringLength
    substring
    ;

  # A text as the preprocessor splits it into directives: lines that `\` continues are one, a comment
  # may stand before a directive, `%:` is `#`. What is not a directive may change, as nobody else reads it.
  bom = fromJSON "\"\\ufeff\"";
  formFeed = fromJSON "\"\\f\"";
  verticalTab = fromJSON "\"\\u000b\"";
  joinLines = replaceStrings [ "\\\n" "\\\r\n" ] [ "" "" ];
  simplify = replaceStrings [ "*/" "%:" bom formFeed verticalTab ] [ "\n" "#" "" " " " " ];
  directivesOf = text: simplify (joinLines text);

  # `#include <x>`, `#include "x"`, `__has_include(<x>)`. No group has the name where it
  # cannot be read: it is a macro, or a comment or a blank behind `\` splits the directive. Few texts have
  # `__has_include`; without it, the pattern takes half the time.
  directive =
    text:
    let
      name = "[ \t]*([<\"][^>\"\n]*[>\"])?";
      line = "\n[ \t]*#[ \t]*(/[*]|[a-z_]{0,12}\\\\|(include_next|include|import)${name})";
      test = "__has_include(_next)?[ \t]*[(]${name}";
    in
    if mentions [ "__has_include" ] text then "${line}|${test}" else line;

  # Another name for `__has_include`, which ends the line of its definition, may ask for any header. No
  # pattern goes over a whole line: the matcher recurses for each character.
  endsLine = "__has_include(_next)?[ \t]*\n";
  isRenamed =
    directives: occurrences endsLine directives > occurrences "(ifn?def|defined)[ \t]+${endsLine}" directives;

  # The uses of the extension's name that registration.h can serve at link time.
  lateUse = "(TORCH_LIBRARY_EXPAND|TORCH_LIBRARY_IMPL_EXPAND|REGISTER_EXTENSION)[ \t\n]*\\([ \t\n]*TORCH_EXTENSION_NAME[ \t\n]*[,)]";

  # The macros with the extension's name, one for each framework that has such.
  nameMacros = filter (name: name != null) (
    map (framework: framework.nameMacro) (attrValues frameworks.all)
  );

  # Without one of these words a text has neither that nor the following.
  nameWords = nameMacros ++ [
    "TORCH_LIBRARY_EXPAND"
    "TORCH_LIBRARY_IMPL_EXPAND"
    "REGISTER_EXTENSION"
  ];

  # A kernel with macros of its own does not use those of registration.h.
  ownMacro = "#[ \t]*define[ \t]+(TORCH_LIBRARY_EXPAND|TORCH_LIBRARY_IMPL_EXPAND|REGISTER_EXTENSION)";

  # Code that can tell for which targets the whole unit is compiled, of whichever backend.
  targetUse =
    let
      uses = map (backend: backend.targetUse) (attrValues backends.all);
    in
    {
      words = concatMap (use: use.words) uses;
      headers = concatMap (use: use.headers) uses;
    };
  # The same for which of them this pass is.
  passUse = concatMap (backend: backend.passUse) (attrValues backends.all);

  occurrences = pattern: text: length (filter isList (split pattern text));
  # Without a pattern, which costs ten times as much: a kernel may have megabytes of headers.
  mentions = words: text: replaceStrings words (map (_: "") words) text != text;
  isName = group: group != null && match "[<\"].*" group != null;
  beginsSo = beginnings: name: any (start: substring 0 (stringLength start) name == start) beginnings;
in
{
  /**
    Read one file: the names it includes, whether one of them is computed (a macro),
    how it uses the macro with the extension's name, and whether it can tell its targets, or its pass.

    # Type

    ```
    readIncludes :: String -> { names :: [{ quoted :: Bool; name :: String; }]; computed :: Bool; extensionName :: "none" | "late" | "own"; registersModule :: Bool; seesTargets :: Bool; seesPass :: Bool; }
    ```
  */
  readIncludes =
    text:
    let
      directives = "\n${directivesOf text}\n";
      # At most one group of a match begins as names do.
      nameOf = groups: head (filter isName groups ++ [ null ]);
      found = map nameOf (filter isList (split (directive directives) directives));
      literal = filter (name: name != null) found;
      names = map (
        written:
        let
          parts = match "([<\"])(.*)[>\"]" written;
        in
        {
          quoted = head parts == "\"";
          name = elemAt parts 1;
        }
      ) literal;
      namesExtension = mentions nameWords text;
      uses = occurrences (concatStringsSep "|" nameMacros) text;
      stable = occurrences "STABLE_TORCH_LIBRARY(_IMPL)?_EXPAND" text;
    in
    {
      inherit names;
      computed =
        length literal != length found
        || (mentions [ "__has_include" ] text && isRenamed directives);
      extensionName =
        if !namesExtension then
          "none"
        else if occurrences ownMacro text > 0 then
          "own"
        else if uses == 0 then
          "none"
        else if stable == 0 && uses == occurrences lateUse text then
          "late"
        else
          "own";
      registersModule = namesExtension && occurrences "REGISTER_EXTENSION[ \t\n]*\\(" text > 0;
      seesTargets =
        mentions targetUse.words text || any (include: beginsSo targetUse.headers include.name) names;
      seesPass = mentions passUse text;
    };
}
