# Comments that fill whole lines, which a unit can do without: see docs/decisions/early-cut-off.md.
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
  # Without spaces, a line continues in the next one if it ends with `\`.
  inherit (values.texts)
    hasPrefix
    hasSuffix
    mentions
    removeSpaces
    ;

  # A pattern for whole lines would recurse for each character.
  splitAt = pattern: text: filter isString (split pattern text);
  blank = text: concatStringsSep "" (map (_: "\n") (filter isList (split "\n" text)));

  # `// …`, unless the line continues another one, is continued, or may end a comment of the other kind.
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

  # `/* … */` from the begin of a line to the end of one. Each part of the text ends with `*/`, so a part with one
  # `/*` has one comment at most, and no comment goes on from one part to the next.
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
    The text of a file in C or a language like it, with blank lines in the place of comments that fill whole lines.
    Numbers of lines stay, and so do comments beside code. A text with raw strings is not changed: any
    line may be in one.

    # Example

    ```nix
    blankComments "// Adds.\nint add(int, int);\n"
    => "\nint add(int, int);\n"
    ```

    # Type

    ```
    blankComments :: String -> String
    ```
  */
  blankComments = text: if mentions [ "R\"" ] text then text else blankBlocks (blankLines text);
}
