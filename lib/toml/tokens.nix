# The tokens of a TOML file, by regular expressions.
_:
let
  inherit (builtins)
    any
    concatStringsSep
    elem
    filter
    fromJSON
    head
    isString
    length
    match
    split
    stringLength
    substring
    ;

  # Order does not matter: the longest match wins, so `"""` is not an empty string.
  pattern = concatStringsSep "|" [
    "\"\"\"([^\"\\]|\\\\[^\r]|\"[^\"\\]|\"\"[^\"\\])*\"\"\""
    "'''([^']|'[^']|''[^'])*'''"
    "\"([^\"\\\n]|\\\\[^\n])*\""
    "'[^'\n]*'"
    "#[^\n]*"
    "\n"
    "[][{}=,]"
    "[A-Za-z0-9_.+:-]+"
  ];

  # TOML has no control characters but tabs and line ends, not even in comments.
  control = fromJSON "\"[\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]|\\r[^\\n]\"";

  bareKey = "[A-Za-z0-9_-]+";
  # Escapes in keys are refused: nobody needs them, and they would have to be read here.
  quotedKey = "\"[^\"\\\n]*\"|'[^'\n]*'";
  keyPart = "[ \t]*(${bareKey}|${quotedKey})[ \t]*";

  digits = "[0-9](_?[0-9])*";
  # Eighteen digits always fit into Nix's numbers.
  integer = "(0|[1-9](_?[0-9]){0,17})";
  scalars = [
    "true|false"
    "[+-]?${integer}"
    "0x[0-9A-Fa-f]{1,15}|0o[0-7]{1,20}|0b[01]{1,62}"
    "[+-]?${integer}(\\.${digits})?([eE][+-]?[0-9]{1,2})?"
    "[+-]?(inf|nan)"
  ];
  date = "[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{2}:[0-9]{2}.*";
  # NUL has no place in Nix's strings, and halves of pairs none in TOML's.
  low = "000[1-9A-Fa-f]|00[1-9A-Fa-f]${hex}|0[1-9A-Fa-f]${hex}{2}|([1-9A-Ca-cEeFf]${hex}|[Dd][0-7])${hex}{2}";
  hex = "[0-9A-Fa-f]";
  escape = "\\\\[btnfr\"\\]|\\\\u(${low})|\\\\U0000(${low})|\\\\U00(0[1-9A-Fa-f]|10)${hex}{4}";
  shortString = "([^\\]|${escape})*";
  # A backslash at the end of a line of a long string swallows the line end.
  longString = "([^\\]|${escape}|\\\\[ \t\r]*\n)*";

  self = {
    /**
      A text as a list of `{ token; }` and of `{ gap; }`, the text between tokens,
      which may only be blanks.

      # Type

      ```
      tokensOf :: String -> [{ token :: String; } | { gap :: String; }]
      ```
    */
    tokensOf =
      text:
      map (piece: if isString piece then { gap = piece; } else { token = head piece; }) (
        split "(${pattern})" text
      );

    /**
      The text before the first control character that TOML does not allow; null if
      there is none.

      # Type

      ```
      beforeControl :: String -> String | Null
      ```
    */
    beforeControl =
      text:
      let
        pieces = split control text;
      in
      if length pieces == 1 then null else head pieces;

    /**
      Does the token begin with a quotation mark?

      # Type

      ```
      isQuoted :: String -> Bool
      ```
    */
    isQuoted =
      token:
      elem (substring 0 1 token) [
        "\""
        "'"
      ];

    /**
      Is the token, or a piece of a dotted name, part of a key?

      # Type

      ```
      isKeyPiece :: String -> Bool
      ```
    */
    isKeyPiece = token: self.isQuoted token || match "[A-Za-z0-9_.-]+" token != null;

    /**
      Is the text a key, with dots between its parts?

      # Type

      ```
      isKey :: String -> Bool
      ```
    */
    isKey = text: match "${keyPart}(\\.${keyPart})*" text != null;

    /**
      The parts of a dotted key, without quotation marks.

      # Example

      ```nix
      partsOf "kernel.\"my part\".src"
      => [ "kernel" "my part" "src" ]
      ```

      # Type

      ```
      partsOf :: String -> [String]
      ```
    */
    partsOf =
      key:
      let
        unquote =
          part: if self.isQuoted part then substring 1 (stringLength part - 2) part else part;
      in
      map (piece: unquote (head piece)) (
        filter (piece: !isString piece) (split "(${bareKey}|${quotedKey})" key)
      );

    /**
      Is the token a number or a truth value?

      # Type

      ```
      isScalar :: String -> Bool
      ```
    */
    isScalar = token: any (pattern: match pattern token != null) scalars;

    /**
      Is the token a date or a time? TOML has them, Nix does not read them.

      # Type

      ```
      isDate :: String -> Bool
      ```
    */
    isDate = token: match date token != null;

    /**
      Has the string token only escapes that TOML knows?

      # Type

      ```
      hasValidEscapes :: String -> Bool
      ```
    */
    hasValidEscapes =
      token:
      substring 0 1 token == "'"
      || match (if substring 0 3 token == "\"\"\"" then longString else shortString) token != null;
  };
in
self
