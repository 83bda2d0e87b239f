# Every key of build.toml, once.
#
# Validation, defaults, "did you mean", the documentation and the JSON Schema
# for editors are all readings of this table. A key is
# `{ type; meaning; since; required; default; allowed; pattern; form; backends; }`:
# `type` names an entry of types.nix; `allowed` and `pattern` speak of each
# element where the type is a list, and `form` says the pattern in words;
# `backends` says for which backends a key of a component exists (null: all of
# them); `since` is the first edition with the key.
_:
let
  inherit (builtins) listToAttrs mapAttrs;

  backends = [
    "cpu"
    "cuda"
    "metal"
    "rocm"
    "xpu"
  ];

  key =
    {
      type,
      meaning,
      since ? 1,
      required ? false,
      default ? null,
      allowed ? null,
      pattern ? null,
      form ? null,
      backends ? null,
    }:
    {
      inherit
        type
        meaning
        since
        required
        default
        allowed
        pattern
        form
        backends
        ;
    };

  section =
    {
      meaning,
      keys,
      since ? 1,
    }:
    {
      inherit meaning since;
      keys = mapAttrs (_: key) keys;
    };

  capability = {
    type = "strings";
    pattern = "[0-9]+\\.[0-9][af]?(\\+PTX)?";
    form = "a capability such as \"9.0\", \"9.0a\", \"10.0f\" or \"12.0+PTX\"";
  };
  architecture = {
    type = "strings";
    pattern = "gfx[0-9a-f]+";
    form = "an architecture such as \"gfx942\"";
  };

  pythonDepends = {
    type = "strings";
    default = [ ];
    meaning = "Python packages that the kernel imports; `dependencies.json` lists the known ones.";
    since = 2;
  };
  kernelDepends = {
    type = "kernelDependencies";
    default = [ ];
    meaning = "Other kernels on the Hub that this one loads: `repo-id` with `version` or `revision`.";
    since = 5;
  };
  pyext = {
    type = "strings";
    default = [
      "py"
      "pyi"
    ];
    pattern = "[A-Za-z0-9][A-Za-z0-9.]*";
    form = "an ending without its dot, such as \"py\"";
    meaning = "Endings, without a dot, of the files under `torch-ext/<name>` that belong into the built kernel.";
  };
  include = {
    type = "strings";
    default = [ ];
    meaning = "Folders on the include path, relative to the kernel's root.";
  };
  cxxFlags = {
    type = "strings";
    default = [ ];
    meaning = "Additional flags of the C++ compiler.";
    since = 2;
  };

  backendSection =
    backend: extra:
    section {
      meaning = "What holds for the ${backend} variants only.";
      since = 3;
      keys = {
        python-depends = pythonDepends // {
          since = 3;
        };
        kernel-depends = kernelDepends;
      }
      // extra;
    };
in
{
  inherit backends;

  /** The newest edition of build.toml; a file without `edition` is read as this one. */
  edition = 5;

  /** The framework sections, of which a kernel has exactly one. */
  frameworks = [
    "torch"
    "torch-noarch"
    "tvm-ffi"
  ];

  /** Every section by its dotted name; `kernel.NAME` stands for any number of them. */
  sections = {
    general = section {
      meaning = "What the kernel is called, where it goes, and which backends it has.";
      keys = {
        name = {
          type = "string";
          required = true;
          pattern = "[a-z][-a-z0-9]*[a-z0-9]";
          form = "lower-case letters, digits and dashes; a letter first, no dash last, two characters or more";
          meaning = "Name of the kernel: lower-case letters, digits and dashes. The Python package has `_` for `-`.";
        };
        version = {
          type = "int";
          since = 3;
          meaning = "Major version of the kernel; it is uploaded to the branch `v<version>`.";
        };
        edition = {
          type = "int";
          since = 5;
          default = 5;
          meaning = "Edition of build.toml that the file is written in.";
        };
        license = {
          type = "string";
          since = 3;
          meaning = "License of the kernel, as the Hub names it.";
        };
        upstream = {
          type = "string";
          since = 3;
          meaning = "Where the kernel's code originally comes from.";
        };
        source = {
          type = "string";
          since = 5;
          meaning = "Repository that this build.toml lives in.";
        };
        backends = {
          type = "strings";
          required = true;
          allowed = backends;
          since = 3;
          meaning = "Backends that the kernel supports.";
        };
        python-depends = pythonDepends;
        kernel-depends = kernelDepends;
      };
    };
    "general.hub" = section {
      meaning = "Where the kernel is uploaded to.";
      since = 2;
      keys = {
        repo-id = {
          type = "string";
          pattern = "[A-Za-z0-9][-A-Za-z0-9._]*/[A-Za-z0-9][-A-Za-z0-9._]*";
          form = "owner/name";
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
    torch = section {
      meaning = "A Torch extension: its bindings and how they are compiled.";
      keys = {
        inherit include pyext;
        src = {
          type = "strings";
          required = true;
          meaning = "Sources and headers of the Torch bindings, relative to the kernel's root.";
        };
        minver = {
          type = "version";
          since = 2;
          meaning = "Oldest Torch to build for, itself included.";
        };
        maxver = {
          type = "version";
          since = 2;
          meaning = "Newest Torch to build for, itself included; \"2.12\" admits 2.12.1.";
        };
        stable-abi = {
          type = "versionPerBackend";
          since = 4;
          meaning = "Build against Torch's stable ABI of this version, one variant per compute version; or a table from backend to version.";
        };
        cxx-flags = cxxFlags // {
          since = 5;
        };
        headers = {
          type = "string";
          allowed = [
            "lean"
            "full"
          ];
          since = 5;
          meaning = "Compile with `lean` umbrella headers or with Torch's `full` ones; when absent, the builder takes what is proven safe.";
        };
      };
    };
    torch-noarch = section {
      meaning = "A kernel without compiled code, such as a Triton kernel.";
      since = 4;
      keys = {
        pyext = pyext // {
          since = 5;
        };
        cuda-capabilities = capability // {
          since = 5;
          meaning = "CUDA capabilities that the kernel runs on; written into its metadata.";
        };
        rocm-archs = architecture // {
          since = 5;
          meaning = "ROCm architectures that the kernel runs on; written into its metadata.";
        };
      };
    };
    tvm-ffi = section {
      meaning = "A TVM FFI extension; recognised, but not built yet.";
      since = 3;
      keys = { };
    };
    "kernel.NAME" = section {
      meaning = "One component: sources of one backend that share their flags.";
      keys = {
        inherit include;
        backend = {
          type = "string";
          required = true;
          allowed = backends;
          since = 2;
          meaning = "Backend that the component is for.";
        };
        depends = {
          type = "strings";
          required = true;
          meaning = "Libraries whose headers the component uses; `dependencies.json` lists the known ones.";
        };
        src = {
          type = "strings";
          required = true;
          meaning = "Sources and headers, relative to the kernel's root.";
        };
        cxx-flags = cxxFlags;
        cuda-capabilities = capability // {
          backends = [ "cuda" ];
          meaning = "CUDA capabilities to compile for; when absent, the compiler's default list.";
        };
        cuda-flags = {
          type = "strings";
          default = [ ];
          backends = [ "cuda" ];
          since = 2;
          meaning = "Additional flags of nvcc.";
        };
        cuda-minver = {
          type = "version";
          backends = [ "cuda" ];
          since = 2;
          meaning = "Oldest CUDA toolkit that builds this component; older variants leave it out.";
        };
        rocm-archs = architecture // {
          backends = [ "rocm" ];
          meaning = "ROCm architectures to compile for; when absent, the default list.";
        };
        hip-flags = {
          type = "strings";
          default = [ ];
          backends = [ "rocm" ];
          since = 2;
          meaning = "Additional flags of the HIP compiler.";
        };
        sycl-flags = {
          type = "strings";
          default = [ ];
          backends = [ "xpu" ];
          since = 2;
          meaning = "Additional flags of the SYCL compiler.";
        };
      };
    };
  }
  // listToAttrs (
    map (backend: {
      name = "general.${backend}";
      value = backendSection backend (
        if backend != "cuda" then
          { }
        else
          {
            minver = {
              type = "version";
              since = 2;
              meaning = "Oldest CUDA toolkit to build for, itself included.";
            };
            maxver = {
              type = "version";
              since = 2;
              meaning = "Newest CUDA toolkit to build for, itself included.";
            };
          }
      );
    }) backends
  );
}
