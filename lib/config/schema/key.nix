# Keys of build.toml that several sections share.
{
  # The key that lists a backend's targets, if it has any.
  targetsKey =
    backend: more:
    if backend.targets == null then
      { }
    else
      {
        ${backend.targets.key} = {
          type = "strings";
          inherit (backend.targets) pattern form;
        }
        // more backend.targets;
      };

  pythonDepends = {
    type = "strings";
    default = [ ];
    meaning = "Python packages that the kernel imports, by the names that kernel-builder knows.";
    since = 2;
  };

  kernelDepends = {
    type = "kernelDependencies";
    default = [ ];
    meaning = "Other kernels on the Hub that this one loads: tables of `repo-id` and either `version` or `revision`.";
    since = 5;
  };

  pyext = {
    type = "strings";
    default = [ "py" "pyi" ];
    pattern = "[A-Za-z0-9][A-Za-z0-9.]*";
    form = "an ending without its dot, such as \"py\"";
    meaning = "Endings, without a dot, of the files under `torch-ext/<name>` that belong in the built kernel.";
  };

  include = {
    type = "strings";
    default = [ ];
    meaning = "Folders on the include path, relative to the kernel's root; `csrc` is the last of them if there is one.";
  };

  cxxFlags = {
    type = "flags";
    default = [ ];
    meaning = "Additional flags of C++ files; files in C or a language of a backend (`.cu`, `.hip`) do not get them.";
    since = 2;
  };
}
