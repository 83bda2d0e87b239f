# Imports in a kernel's Python files, found while evaluating, so that packages such as Triton are
# inputs only of kernels that import them.
{ values, ... }:
let
  inherit (builtins) filter;
  inherit (values) paths;
  inherit (values.texts) mentions;

  self = {
    /**
      Whether a text seems to import `module`. A comment may look like an import; then the kernel gets a package that it
      does not need.

      Type: hasImport :: String -> String -> Bool
    */
    hasImport =
      module:
      mentions [
        "import ${module}"
        "from ${module}"
        ", ${module}"
        "\"${module}\""
        "'${module}'"
      ];

    /**
      Whether a Python file in one of the kernel's `folders` imports `module`.

      Type: isImported :: { root :: Path; folders :: [String]; module :: String; } -> Bool
    */
    isImported =
      { root, folders, module }:
      let
        exists = name: builtins.pathExists (root + "/${name}");
        files = filter (file: paths.ending file == "py" && exists file) (
          builtins.concatMap (paths.filesBelow root) (filter exists folders)
        );
      in
      builtins.any (file: self.hasImport module (builtins.readFile (root + "/${file}"))) files;
  };
in
self
