# Removes comments that fill whole lines from the text that compilers read: see docs/decisions/early-cut-off.md.
{ values, ... }:
let
  inherit (builtins)
    concatStringsSep
    elemAt
    filter
    genList
    head
    isList
    isString
    length
    split
    stringLength
    substring
    ;
  inherit (values.lists) optionals;
  # Lines are compared without spaces, because gcc also continues a line if spaces follow its final `\`.
  inherit (values.texts)
    hasPrefix
    hasSuffix
    mentions
    removeSpaces
    ;

  # Patterns must be short: the regex matcher recurses for each character of a match.
  splitAt = pattern: text: filter isString (split pattern text);
  blank = text: concatStringsSep "" (map (_: "\n") (filter isList (split "\n" text)));

  # Blanks lines that contain only a `// …` comment. A line stays if it continues another line, is continued, or
  # contains `*/`.
  blankLines =
    text:
    let
      lines = splitAt "\n" text;
      squeezed = map removeSpaces lines;
      isComment =
        number:
        let
          line = elemAt squeezed number;
        in
        hasPrefix "//" line
        && !hasSuffix "\\" line
        && !mentions [ "*/" ] line
        && (number == 0 || !hasSuffix "\\" (elemAt squeezed (number - 1)));
    in
    concatStringsSep "\n" (
      genList (number: if isComment number then "" else elemAt lines number) (length lines)
    );

  # Blanks `/* … */` comments that start at the beginning of a line and end at the end of one. Each part of the text
  # ends with `*/`, so a part with one `/*` contains at most one comment, and no comment spans two parts.
  blankBlocks =
    text:
    let
      parts = splitAt "[*]/" text;
      last = length parts - 1;
      near = 200;
      tail =
        text:
        let
          extra = stringLength text - near;
        in
        removeSpaces (substring (if extra > 0 then extra else 0) near text);
      shorten =
        number:
        let
          part = elemAt parts number;
          pieces = splitAt "/[*]" part;
          before = head pieces;
          isAlone =
            length pieces == 2
            && (hasSuffix "\n" (tail before) && !hasSuffix "\\\n" (tail before) || number == 0 && removeSpaces before == "")
            && hasPrefix "\n" (removeSpaces (substring 0 near (elemAt parts (number + 1))));
        in
        if isAlone then before + blank (elemAt pieces 1) else "${part}*/";
    in
    concatStringsSep "" (genList shorten last ++ optionals (last >= 0) [ (elemAt parts last) ]);
in
{
  /**
    The text of a file in C or a language like it, with blank lines in the place of comments that fill whole lines. Line
    numbers stay the same, and comments beside code stay. A text with raw strings is not changed, because any line may
    be part of a raw string. Neither is one with `??/`, which continues a line as `\` does, if the flags name an old
    standard.

    # Example

    ```nix
    removeComments "// Adds.\nint add(int, int);\n"
    => "\nint add(int, int);\n"
    ```

    Type: removeComments :: String -> String
  */
  removeComments = text: if mentions [ "R\"" "??/" ] text then text else blankBlocks (blankLines text);
}
