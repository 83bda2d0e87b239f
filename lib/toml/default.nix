# Is this text TOML, as far as Nix reads TOML?
#
# `builtins.fromTOML` fails in a way that nothing can catch, with a message that
# names no file. So the syntax is checked first, in one pass over the tokens,
# and answered with file and line. Only the first mistake is told: what follows
# it is guesswork. The check gives no values; reading them is `fromTOML`'s work.
library:
let
  inherit (builtins)
    filter
    foldl'
    isString
    length
    seq
    split
    substring
    ;

  tokens = import ./tokens.nix library;
  names = import ./names.nix library;

  grammar = import ./grammar.nix { inherit names tokens; };

  lineEndsIn = token: length (filter isString (split "\n" token)) - 1;

  step =
    state: piece:
    if state.mode == "stopped" then
      state
    else if piece ? gap then
      grammar.gap state piece.gap
    else if substring 0 1 piece.token == "#" then
      state
    else
      let
        next = grammar.token state piece.token;
        line = state.line + lineEndsIn piece.token;
        count = state.count + 1;
      in
      # Counters are forced, or they would pile up over a long file.
      seq line (seq count (next // { inherit line count; }));

  start = {
    mode = "line";
    line = 1;
    count = 0;
    key = "";
    brackets = 1;
    stack = [ ];
    scope = [ ];
    names = names.none;
    problems = [ ];
  };
in
{
  inherit tokens names;

  /**
    The first mistake in the syntax of a build.toml, or nothing.

    # Example

    ```nix
    problems "name = relu"
    => [ { at = "build.toml:1"; found = "\"relu\""; … } ]
    ```

    # Type

    ```
    problems :: String -> [Problem]
    ```
  */
  problems =
    text:
    let
      # A line end closes the last line, so that an unfinished value is told.
      whole = text + "\n";
      end = foldl' step start (tokens.tokensOf whole);
      # Not `whole`: a carriage return at the very end would look like half a line end.
      beforeControl = tokens.beforeControl (text + " ");
      control =
        grammar.stop (start // { line = 1 + lineEndsIn beforeControl; }) "a control character"
          "text, blanks and line ends"
          "delete it";
      unfinished =
        grammar.stop end "the end of the file" "] or } for every [ or { before it"
          "close the list or the table";
    in
    if beforeControl != null then
      control.problems
    else if end.mode == "stopped" || end.mode == "line" then
      end.problems
    else
      unfinished.problems;
}
