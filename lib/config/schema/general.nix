# [general] and the sections below it.
{ backends, edition, declareSection, repository }:
let
  inherit (builtins) attrNames listToAttrs;
  inherit (import ./key.nix) kernelDepends pythonDepends;

  perBackend =
    backend:
    declareSection {
      meaning = "Keys for the ${backend} variants.";
      since = 3;
      keys = {
        python-depends = pythonDepends // { since = 3; };
        kernel-depends = kernelDepends;
      }
      // backends.${backend}.generalKeys;
    };
in
{
  general = declareSection {
    meaning = "Name, origin and backends of the kernel.";
    keys = {
      name = {
        type = "string";
        required = true;
        pattern = "[a-z][-a-z0-9]{0,94}[a-z0-9]";
        form = "lower-case letters, digits and dashes: a letter first, no dash last, 2 to 96";
        meaning = "Name of the kernel. The Python package has `_` where the name has `-`.";
      };
      version = {
        type = "int";
        since = 3;
        # The `kernels` client refuses metadata without a version.
        default = 1;
        meaning = "Major version of the kernel; it is uploaded to the branch `v<version>`.";
      };
      edition = {
        type = "int";
        since = 5;
        default = edition;
        meaning = "Edition of build.toml that the file is written in.";
      };
      license = {
        type = "string";
        since = 3;
        meaning = "License of the kernel, by the Hub's name for it.";
      };
      upstream = {
        type = "string";
        since = 3;
        meaning = "Address of the project that the kernel's code comes from.";
      };
      source = {
        type = "string";
        since = 5;
        meaning = "Address of the repository that this build.toml lives in.";
      };
      backends = {
        type = "strings";
        required = true;
        allowed = attrNames backends;
        since = 3;
        meaning = "Backends that the kernel supports.";
      };
      python-depends = pythonDepends;
      kernel-depends = kernelDepends;
    };
  };

  "general.hub" = declareSection {
    meaning = "Repository and branch on the Hub that the kernel is uploaded to.";
    since = 2;
    keys = {
      repo-id = {
        type = "string";
        pattern = repository.pattern;
        form = "an owner and a name with / between them";
        since = 2;
        meaning = "Repository on the Hub, as `owner/name`.";
      };
      branch = {
        type = "string";
        since = 2;
        meaning = "Branch to upload to, instead of `v<version>`.";
      };
    };
  };
}
// listToAttrs (
  map (backend: {
    name = "general.${backend}";
    value = perBackend backend;
  }) (attrNames backends)
)
