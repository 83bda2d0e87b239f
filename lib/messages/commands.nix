# Commands that messages propose. A reader copies them into a shell, and the names of files in
# them may be a stranger's.
{ ... }:
let
  inherit (builtins) match replaceStrings substring;

  self = {
    /**
      One word of a command, quoted for a shell if it needs that.

      # Example

      ```nix
      quoteWord "a b;c.cpp"
      => "'a b;c.cpp'"
      ```

      # Type

      ```
      quoteWord :: String -> String
      ```
    */
    quoteWord =
      text:
      if match "[A-Za-z0-9_@%+=:,./-]+" text != null then
        text
      else
        "'${replaceStrings [ "'" ] [ "'\"'\"'" ] text}'";

    /**
      The command that makes git, and so Nix, see a file of the kernel.

      # Example

      ```nix
      writeGitAdd "answer/answer.cpp"
      => "git add -N answer/answer.cpp"
      ```

      # Type

      ```
      writeGitAdd :: String -> String
      ```
    */
    writeGitAdd =
      path:
      let
        # git would take a leading dash for an option.
        file = if substring 0 1 path == "-" then "./${path}" else path;
      in
      "git add -N ${self.quoteWord file}";
  };
in
self
