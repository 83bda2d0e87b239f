# What a token of a TOML file does: a pushdown automaton over the tokens.
#
# The state holds the mode, the stack of lists and inline tables that are open,
# the scope that keys belong to, and the names so far. The first mistake stops it.
{ names, tokens }:
let
  inherit (builtins)
    elem
    head
    match
    tail
    toJSON
    ;

  stop =
    state: found: want: fix:
    state
    // {
      mode = "stopped";
      problems = [
        {
          at = "build.toml:${toString state.line}";
          inherit found want fix;
        }
      ];
    };

  unexpected =
    state: token: want:
    if token == "\n" then
      stop state "the end of the line" want "complete the line"
    else if tokens.isQuoted token then
      stop state token want "separate two strings with a comma"
    else
      stop state (toJSON token) want "correct the line";

  taken =
    state:
    stop state "${state.key}, which is defined above already" "every key and every table once"
      "delete one of the two, or merge them";

  startKey =
    state: token:
    state
    // {
      mode = "key";
      key = token;
    };

  endKey =
    state:
    let
      added = names.addValue (state.scope ++ tokens.partsOf state.key) state.names;
    in
    if !tokens.isKey state.key then
      stop state "the key ${state.key}" "a name of letters, digits, _ and -, or one in quotes"
        "correct the key"
    else if added == null then
      taken state
    else
      state
      // {
        mode = "value";
        names = added;
      };

  endHeader =
    state:
    let
      isArray = state.brackets == 2;
      parts = tokens.partsOf state.key;
      added = names.addTable { inherit isArray; } parts state.names;
    in
    if !tokens.isKey state.key then
      stop state "the table name ${toJSON state.key}" "a name such as [general] or [kernel.NAME]"
        "correct the name"
    else if added == null then
      taken state
    else
      state
      // {
        mode = "after";
        names = added;
        # Every element of an array of tables is a scope of its own.
        scope = if isArray then parts ++ [ "#${toString state.count}" ] else parts;
      };

  open =
    kind: mode: state:
    state
    // {
      inherit mode;
      stack = [
        {
          inherit kind;
          inherit (state) scope;
        }
      ]
      ++ state.stack;
      # Keys of an inline table meet only each other.
      scope = [ "#${toString state.count}" ];
    };

  close =
    state:
    state
    // {
      mode = "after";
      inherit (head state.stack) scope;
      stack = tail state.stack;
    };

  scalar =
    state: token:
    if tokens.isQuoted token then
      if tokens.hasValidEscapes token then
        state // { mode = "after"; }
      else
        stop state "an escape that TOML or Nix does not know" "one of \\\\, \\\", \\n, \\t, \\uXXXX"
          "write \\\\ for a backslash, or use '…'"
    else if tokens.isScalar token then
      state // { mode = "after"; }
    else if tokens.isDate token then
      stop state "the date ${token}" "a string, a number, true, false, a list or a table"
        "put it in quotes"
    else
      stop state (toJSON token) "a string in quotes, a number, true, false, a list or a table"
        "put text in quotes";

  # After a value, by what it is in: the file itself, a list, an inline table.
  afterValue = {
    file =
      state: token:
      if token == "\n" then
        state // { mode = "line"; }
      else
        unexpected state token "the end of the line";

    list =
      state: token:
      if token == "\n" then
        state
      else if token == "," then
        state // { mode = "element"; }
      else if token == "]" then
        close state
      else
        unexpected state token "a comma or ] after an element of a list";

    table =
      state: token:
      if token == "," then
        state // { mode = "inlineKey"; }
      else if token == "}" then
        close state
      else
        unexpected state token "a comma or } after a value of a table";
  };

  # What a token does in each mode; comments never come here.
  modes = {
    line =
      state: token:
      if token == "\n" then
        state
      else if token == "[" then
        state
        // {
          mode = "header";
          key = "";
          brackets = 1;
        }
      else if tokens.isKeyPiece token then
        startKey state token
      else
        unexpected state token "a key, or a table such as [general]";

    header =
      state: token:
      if token == "[" && state.key == "" && state.brackets == 1 then
        state // { brackets = 2; }
      else if token == "]" then
        if state.brackets == 2 then state // { mode = "headerEnd"; } else endHeader state
      else if tokens.isKeyPiece token then
        state // { key = if state.key == "" then token else "${state.key} ${token}"; }
      else
        unexpected state token "the name of a table, and ]";

    headerEnd =
      state: token:
      if token == "]" then
        endHeader state
      else
        unexpected state token "]] after the name of the table";

    key =
      state: token:
      if token == "=" then
        endKey state
      else if tokens.isKeyPiece token then
        # With a blank between them, so that two words are not taken for one.
        state // { key = "${state.key} ${token}"; }
      else
        unexpected state token "= after the key ${state.key}";

    value =
      state: token:
      if token == "[" then
        open "list" "element" state
      else if token == "{" then
        open "table" "inlineStart" state
      else if
        elem token [
          "\n"
          "="
          ","
          "]"
          "}"
        ]
      then
        unexpected state token "a value"
      else
        scalar state token;

    element =
      state: token:
      if token == "\n" then
        state
      else if token == "]" then
        close state
      else
        modes.value state token;

    inlineStart = state: token: if token == "}" then close state else modes.inlineKey state token;

    inlineKey =
      state: token:
      if tokens.isKeyPiece token then startKey state token else unexpected state token "a key";

    after =
      state: token: afterValue.${if state.stack == [ ] then "file" else (head state.stack).kind} state token;
  };

  # Text between tokens, which may only be blanks.
  gap =
    state: text:
    let
      character = head (match "[ \t\r]*(.?)(.|\n)*" text);
    in
    if character == "" then
      state
    else if tokens.isQuoted character then
      stop state "a string without its closing quote" "a string in quotes on one line" "close the string"
    else
      stop state (if match "[ -~]" character == null then "a special character" else toJSON character)
        "a key, a value, or a comment after #"
        "delete it, or put it in quotes";
in
{
  inherit gap stop;

  # What the token does in the state's mode.
  token = state: token: modes.${state.mode} state token;
}
