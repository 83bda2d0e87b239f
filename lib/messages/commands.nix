# Commands that messages propose. Users paste them into a shell, so file names, which may come from
# strangers, are quoted.
_:
let
  inherit (builtins) match replaceStrings substring;

  self = {
    /**
      A word of a command, quoted for a shell if necessary.

      # Example

      ```nix
      quoteWord "a b;c.cpp"
      => "'a b;c.cpp'"
      ```

      Type: quoteWord :: String -> String
    */
    quoteWord =
      text:
      if match "[A-Za-z0-9_@%+=:,./-]+" text != null then
        text
      else
        "'${replaceStrings [ "'" ] [ "'\"'\"'" ] text}'";

    /**
      The command that makes a file of the kernel visible to git, and so to Nix.

      # Example

      ```nix
      writeGitCommand "answer/answer.cpp"
      => "git add -N answer/answer.cpp"
      ```

      Type: writeGitCommand :: String -> String
    */
    writeGitCommand =
      path:
      let
        # git reads a name with a leading dash as an option.
        file = if substring 0 1 path == "-" then "./${path}" else path;
      in
      "git add -N ${self.quoteWord file}";
  };
in
self
