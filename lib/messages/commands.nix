# Commands that messages propose. Users paste them into a shell, so file names, which may come from
# strangers, are quoted.
_:
let
  inherit (builtins) match replaceStrings substring;

  # A word of a command, quoted for a shell if necessary.
  quote =
    text:
    if match "[A-Za-z0-9_@%+=:,./-]+" text != null then
      text
    else
      "'${replaceStrings [ "'" ] [ "'\"'\"'" ] text}'";
in
{
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
    # git reads a name with a leading dash as an option.
    "git add -N ${quote (if substring 0 1 path == "-" then "./${path}" else path)}";
}
