# Facts in the text of one file that decide how units are compiled, such as the names that it includes.
# An include in a comment or under `#if 0` counts.
{ values, backends, frameworks, ... }:
let
  inherit (builtins) any attrValues concatMap concatStringsSep elemAt filter fromJSON head isList;
  inherit (builtins) length match readFile replaceStrings split stringLength;
  inherit (values.lists) unique;
  inherit (values.texts) hasPrefix longestMatch mayRunOn mentions removeSpaces;

  patterns = fromJSON (readFile ./includes.json);

  # The text with directives as the preprocessor sees them: `\` joins lines, a comment may come before a
  # directive, and `%:` is `#`. Other text may change, because only directives are read from the result.
  bom = fromJSON "\"\\ufeff\"";
  joinLines = replaceStrings [ "\\\n" "\\\r\n" ] [ "" "" ];
  simplify = replaceStrings ([ "*/" "%:" bom ] ++ patterns.blanks) [ "\n" "#" "" " " " " ];

  # Only a directive matters, which is at the beginning of a line, so long lines are cut.
  shortenLines =
    text:
    let
      shorten =
        line:
        if stringLength line < longestMatch then line else builtins.substring 0 longestMatch (removeSpaces line);
    in
    if !mayRunOn [ "\n" ] text then
      text
    else
      concatStringsSep "\n" (map shorten (splitAt "\n" text));

  # `#include <x>`, `#include "x"`, `__has_include(<x>)`. A match without a name is an include of a
  # macro, or a directive that a comment splits. Few texts have `__has_include`, and the pattern takes
  # half the time without it.
  directive =
    text: if mentions [ "__has_include" ] text then patterns.directiveOrTest else patterns.directive;

  # A macro may be an alias of `__has_include`, and code can test for any header with it. The line with its definition
  # ends with `__has_include`. The pattern does not match whole lines, because the matcher recurses for each character.
  isRenamed =
    directives: occurrences patterns.alias directives > occurrences patterns.guardedAlias directives;

  # The macros with the extension's name, one for each framework with compiled code.
  nameMacros = filter (name: name != null) (
    map (framework: framework.nameMacro) (attrValues frameworks.all)
  );
  nameUse = concatStringsSep "|" nameMacros;
  # registration.h defines these macros, and the same macros after `STABLE_`, so that the link can supply the name.
  lateMacros = map (kind: "TORCH_LIBRARY${kind}_EXPAND") [ "" "_FRAGMENT" "_IMPL" ] ++ [ "REGISTER_EXTENSION" ];
  lateMacro = "(${concatStringsSep "|" lateMacros})";
  lateUse = "${lateMacro}\\(TORCH_EXTENSION_NAME[,)]";
  # A text that uses the name or these macros in any other way, such as to define them, is compiled with the name. So is
  # a text with such a use in a comment, which costs only time.
  needsName =
    text:
    mentions (nameMacros ++ lateMacros) text
    && (
      let
        plain = replaceStrings [ "\n" ] [ "" ] (removeSpaces text);
        late = occurrences lateUse plain;
      in
      occurrences nameUse plain != late || occurrences lateMacro plain != late
    );

  # Words and headers by which code can depend on the targets of the whole unit, for any backend.
  targetUse =
    let
      uses = map (backend: backend.targetUse) (attrValues backends.all);
    in
    {
      words = concatMap (use: use.words) uses;
      headers = concatMap (use: use.headers) uses;
    };
  # Words by which code can depend on the target of its pass.
  passUse = concatMap (backend: backend.passUse) (attrValues backends.all);
  # Words by which code may need optional flags of its language.
  optionalUse = unique (
    concatMap (
      backend: concatMap (language: language.optionalFlags.words) (attrValues backend.languages)
    ) (attrValues backends.all)
  );

  occurrences = pattern: text: length (filter isList (split pattern text));
  splitAt = pattern: text: filter builtins.isString (split pattern text);
  # Whether nothing but comments, `#pragma once` and an include guard come before the first include. A line of more than
  # 200 characters counts as code.
  beginsWithInclude =
    text:
    let
      before = head (split patterns.firstInclude "\n${text}");
      # A line that continues another, is continued, or may end a comment counts as code.
      isComment =
        line: hasPrefix "//" (removeSpaces line) && !mentions [ "*/" "\\" "??/" ] line;
      blocks = splitAt "[*]/" (
        concatStringsSep "\n" (filter (line: !isComment line) (splitAt "\n" before))
      );
      # If the first include is inside a comment, the last block has no end, and counts as code.
      code =
        map (block: head (split "/[*]" block)) (builtins.genList (elemAt blocks) (length blocks - 1))
        ++ [ (elemAt blocks (length blocks - 1)) ];
      isSkipped = line: builtins.elem (removeSpaces line) [ "" "#pragmaonce" ];
      lines = filter (line: !isSkipped line) (splitAt "\n" (concatStringsSep "" code));
      named = pattern: line: if stringLength line > 200 then null else match pattern line;
      guard = named patterns.ifndef (head lines);
    in
    lines == [ ] || length lines == 2 && guard != null && guard == named patterns.define (elemAt lines 1);

  isName = group: group != null && match "[<\"].*" group != null;
  beginsWithAny = beginnings: name: any (start: hasPrefix start name) beginnings;
in
{
  /**
    The names that a text includes, whether one of them is a macro (`computed`), whether its code begins with an
    include, whether it must be compiled with the extension's name, whether it can depend on its targets or its pass, and
    whether it may define operators.

    Type: readIncludes :: String -> { names :: [{ quoted :: Bool; name :: String; }];
      computed, beginsWithInclude :: Bool; needsName :: Bool; seesTargets :: Bool; seesPass :: Bool;
      mayNeedOptionalFlags, mayDefineOperators :: Bool; }
  */
  readIncludes =
    read:
    let
      # The preprocessor also joins lines in the middle of a word.
      joined = joinLines read;
      directives = "\n${shortenLines (simplify joined)}\n";
      # At most one group of a match is a name.
      nameOf = groups: head (filter isName groups ++ [ null ]);
      found = map nameOf (filter isList (split (directive directives) directives));
      literal = filter (name: name != null) found;
      names = map (
        written:
        let
          parts = match patterns.name written;
        in
        { quoted = head parts == "\""; name = elemAt parts 1; }
      ) literal;
    in
    {
      inherit names;
      beginsWithInclude = beginsWithInclude (shortenLines read);
      computed =
        length literal != length found
        || (mentions [ "__has_include" ] joined && isRenamed directives);
      needsName = needsName joined;
      seesTargets =
        mentions targetUse.words joined
        || any (include: beginsWithAny targetUse.headers include.name) names;
      seesPass = mentions passUse joined;
      mayNeedOptionalFlags = mentions optionalUse joined;
      mayDefineOperators = mentions [ ".def(" "TORCH_LIBRARY" ] read;
    };
}
