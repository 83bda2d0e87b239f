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
    replaceStrings
    split
    stringLength
    substring
    ;
  inherit (values.lists) optionals;

  # A pattern for whole lines would recurse for each character.
  splitAt = pattern: text: filter isString (split pattern text);
  mentions = word: text: replaceStrings [ word ] [ "" ] text != text;
  begins = start: text: substring 0 (stringLength start) text == start;
  ends =
    end: text:
    let
      extra = stringLength text - stringLength end;
    in
    extra >= 0 && substring extra (stringLength end) text == end;
  # Without spaces, a line continues in the next one if it ends with `\`.
  squeeze = replaceStrings [ " " "\t" "\r" ] [ "" "" "" ];
  blank = text: concatStringsSep "" (map (_: "\n") (filter isList (split "\n" text)));

  # `// …`, unless the line continues another one, is continued, or may end a comment of the other kind.
  blankLines =
    text:
    let
      lines = splitAt "\n" text;
      squeezed = map squeeze lines;
      isComment =
        number:
        let
          line = elemAt squeezed number;
        in
        begins "//" line
        && !ends "\\" line
        && !mentions "*/" line
        && (number == 0 || !ends "\\" (elemAt squeezed (number - 1)));
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
        squeeze (substring (if extra > 0 then extra else 0) near text);
      shorten =
        number:
        let
          part = elemAt parts number;
          pieces = splitAt "/[*]" part;
          before = head pieces;
          isAlone =
            length pieces == 2
            && (ends "\n" (tail before) && !ends "\\\n" (tail before) || number == 0 && squeeze before == "")
            && begins "\n" (squeeze (substring 0 near (elemAt parts (number + 1))));
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
  blankComments = text: if mentions "R\"" text then text else blankBlocks (blankLines text);
}
