# What a kernel's Python files import: looked for while evaluating, so that what only some kernels
# need is an input of those alone.
{ values, ... }:
let
  inherit (builtins)
    any
    concatMap
    filter
    pathExists
    readFile
    replaceStrings
    ;
  inherit (values) paths;

  self = {
    /**
      Whether a text has words that import `module`. A comment that reads like them counts as well:
      it can be wrong only in the direction in which too much is there.

      # Type

      ```
      hasImport :: String -> String -> Bool
      ```
    */
    hasImport =
      module: text:
      let
        words = [
          "import ${module}"
          "from ${module}"
          ", ${module}"
          "\"${module}\""
          "'${module}'"
        ];
      in
      replaceStrings words (map (_: "") words) text != text;

    /**
      Whether a Python file in one of the kernel's `folders` imports `module`.

      # Type

      ```
      isImported :: { root :: Path; folders :: [String]; module :: String; } -> Bool
      ```
    */
    isImported =
      {
        root,
        folders,
        module,
      }:
      let
        isThere = name: pathExists (root + "/${name}");
        files = filter (file: paths.ending file == "py" && isThere file) (
          concatMap (paths.filesBelow root) (filter isThere folders)
        );
      in
      any (file: self.hasImport module (readFile (root + "/${file}"))) files;
  };
in
self
