# Writes docs/reference/variants.md from lib/matrix/matrix.json, backends and the pins of the package sets.
{ library, packages }:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    elem
    filter
    foldl'
    head
    map
    ;
  inherit (library) backends;
  inherit (library.values) versions;
  inherit (library.config) schema;
  inherit (library.matrix) names torchBuilds;
  inherit (library.matrix.row) readRow;

  table = import ./table.nix;
  rowsOfSystems = import ./status/rows.nix { inherit library packages; };

  unique = foldl' (found: element: if elem element found then found else found ++ [ element ]) [ ];
  join = concatStringsSep ", ";
  code = text: "`${text}`";

  # The systems of a row without an obstacle.
  systemsWithout =
    obstacle: row:
    let
      build = head (readRow row);
      isFree =
        system:
        (head (
          filter (
            each:
            each.system == system && each.torch == build.torch && each.compute == build.compute
          ) rowsOfSystems
        )).${obstacle} == null;
      free = filter isFree row.systems;
    in
    if free == row.systems then
      "yes"
    else if free == [ ] then
      "no"
    else
      join free;

  rowOf = row: [
    row.torchVersion
    (head (readRow row)).compute
    (join row.systems)
    (if row.bundleBuild then "yes" else "no")
    (systemsWithout "importObstacle" row)
    (systemsWithout "shellObstacle" row)
  ];

  buildsOf =
    backend:
    table {
      head = [
        "Torch"
        "compute"
        "systems"
        "in the bundle"
        "imported"
        "tests"
      ];
      rows = map rowOf (filter (row: (head (readRow row)).backend == backend) torchBuilds.default);
    };

  compilersOf =
    backend: title:
    let
      compilers = backends.all.${backend}.toolkit.releases;
    in
    table {
      head = [
        title
        "default"
        "supported"
      ];
      rows = map (toolkit: [
        toolkit
        (concatStringsSep " " compilers.${toolkit}.default)
        (concatStringsSep " " compilers.${toolkit}.supported)
      ]) (versions.ascending (attrNames compilers));
    };

  torchVersions = unique (map (row: row.torchVersion) torchBuilds.default);

  backendKeys = map (backend: if backend.toolkit == null then backend.name else "${backend.name}Version") (builtins.attrValues backends.all);

  example = {
    torch = "2.13.0";
    backend = "cuda";
    toolkit = "13.0";
    system = "x86_64-linux";
  };
in
''
  # Variants

  <!-- Written by `tests/run docs --renew` from lib/matrix/matrix.json and backends; edit those instead. -->

  A variant is one build of a kernel, for one version of Torch, one backend with its toolkit, and one system. List the variants of a kernel:

  ```sh
  kernel-builder list-variants --explain    # for this system, and why some cannot be built here
  ```

  | kind | name |
  |---|---|
  | compiled | ${code (names.nameVariant example)} |
  | compiled, on Darwin | ${
    code (
      names.nameVariant (
        example
        // {
          backend = "metal";
          toolkit = null;
          system = "aarch64-darwin";
        }
      )
    )
  } |
  | on Torch's stable ABI, one for each toolkit | ${
    code (names.nameVariant (example // { stableAbi = "2.11"; }))
  } |
  | for TVM FFI, one for each toolkit | ${
    code (names.nameVariant (example // { framework = "tvm-ffi"; }))
  } |
  | without compiled code, one for each backend | ${code (names.nameNoarchVariant { backend = "cuda"; })} |
  | the same, if the public client uses another name for the backend | ${code (names.nameNoarchVariant { backend = "cann"; })} of `cann` |

  `nix eval .#variants` and `kernel-builder list-variants` list all variants of a kernel. `.#archVariants` and `list-variants --arch` list the variants
  for this machine's system.

  ## The variants of a kernel

  A kernel has a variant for each build of Torch in the tables below whose backend is in `general.backends`. `torch.minver` and `torch.maxver` limit the
  Torch, and `general.cuda.minver` and `general.cuda.maxver` the CUDA. Bounds are inclusive and as precise as you write them: a `maxver` of "2.12"
  admits 2.12.1. A component with `cuda-minver` is left out of variants with an older toolkit.

  - **`torch.stable-abi`**: one variant for each toolkit, built with the newest Torch.
  - **`[tvm-ffi]`**: one variant for each toolkit, for every Torch or none. Its import check and tests use the Torch of its row beside TVM FFI.
  - **Without compiled code**: one variant for each backend. Its import check and tests use the newest Torch that exists for all backends with a toolkit
    (CUDA, ROCm, XPU), among those that every machine can get.

  ## Changing the list

  `torchVersions` in a kernel's flake.nix is a function that gets the default list and returns the list to use:

  ```nix
  kernel-builder.lib.genKernelFlakeOutputs {
    inherit self;
    path = ./.;
    torchVersions = defaults: builtins.filter (row: row.torchVersion != "2.9") defaults;
  }
  ```

  A row has the keys of published flakes:

  | key | value |
  |---|---|
  | `torchVersion` | the Torch: "2.13" is 2.13.0 |
  | ${join (map code backendKeys)} | exactly one: the version of the toolkit, or `true` for a backend without toolkit |
  | `systems` | the systems that the build exists for |
  | `bundleBuild` | whether `bundle`, `backendBundle` and `ci` have its variants; false by default |
  | `ptxasVersion` | another release of CUDA, whose cicc, ptxas and nvlink make the code for GPUs: "12.8" for a row of 12.6 |
  | `wheel` | [a Torch of your own](#a-torch-of-your-own) |
  | `tvmFfiVersion`, `cxx11Abi = true` | no effect |

  Any other key is an error. Versions may have one to four numbers: `cudaVersion = "13"` is 13.0. Build variants of a row that bundles lack by name:
  `--variant NAME`, `nix build .#redistributable.NAME`. They have [shells and tests](#import-checks-shells-and-tests) like all others.

  ```nix
  { torchVersion = "2.13.1"; cudaVersion = "13.0"; systems = [ "x86_64-linux" ]; }
  ```

  ### A Torch of your own

  A row may name the wheel of a nightly, a vendor's or an internal Torch, as a file of the flake or as an address with its hash.

  ```nix
  torchVersions =
    defaults:
    defaults
    ++ [
      {
        torchVersion = "2.16";
        cpu = true;
        systems = [ "x86_64-linux" ];
        wheel = {
          build = "2.16.0.dev20261101+cpu";
          file = ./torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl;
        };
      }
      {
        torchVersion = "2.16";
        cudaVersion = "13.0";
        systems = [ "x86_64-linux" ];
        wheel = {
          build = "2.16.0.dev20261101+cu130";
          file = "torch-2.16.0.dev20261101+cu130-cp311-cp311-manylinux_2_28_x86_64.whl";
          url = "https://download.pytorch.org/whl/nightly/cu130/torch-2.16.0.dev20261101%2Bcu130-cp311-cp311-manylinux_2_28_x86_64.whl";
          hash = "sha256-…";
        };
      }
    ];
  ```

  `nix store prefetch-file URL` or `nix hash file FILE` prints the hash. Use an https address without login and query, because everybody on the machine
  can read it in the store. `build` is the version of the wheel, `torch.__version__`; if that has no local part, append the toolkit: `2.16.0+cu130`.
  kernel-builder does not compare the wheel with its row. Two rows with the same variant or the same build are an error. To replace a known build, remove
  its row with `builtins.filter`.

  The variant is named, built, checked and listed like any other: `torch216-cxx11-cpu-x86_64-linux`. The build imports it if the wheel is for a Python
  of the package set. `list-variants --explain` gives the reason if not, and shows the whole version of the Torch. Only known builds have pins of the
  libraries that a Torch for a GPU loads, so other builds have no shells and tests.

  Build the variant by its name. `upload` refuses it, because users of the Hub would load it into the released Torch of
  its name. `metadata.json` names the wheel. `upload` accepts kernels without compiled code or for TVM FFI, which are the same for every Torch.

  ### Lists of rows

  `kernel-builder.lib.torchVersions.default` is the default list. `kernel-builder.lib.torchVersions.fromRegistries` has only the builds and systems for
  which package registries have both Torch and toolkit.

  ## Builds of Torch

  [Status](status.md) says where the parts of each build come from, and how far it was tested.

  ### Import checks, shells and tests

  | `list-variants --explain` | `yes` | otherwise |
  |---|---|---|
  | `import` | the build imports the variant, because its Torch is a wheel for a Python of the package set (3.11; on Linux also 3.13) | `no`, and the reason. The build's table says "no import check": test the variant on the machine that uses it |
  | `shell` | `devshell` and `devShells.VARIANT` have compilers, CMake and Torch | `compiles only`, and the reason: the shell has the compilers, CMake and Torch's files, but `import torch` fails. The shell says so on entry |
  | `tests` | `testshell`, `testShells.VARIANT` and `ciTests.VARIANT` run the built variant | `no`, and the reason, which the outputs throw |

  A variant that cannot be built has none of them, and each output throws the reason. [Status](status.md#builds) has the reasons of all builds. In the
  tables below, "imported" and "tests" have "yes", "no", or the systems with "yes".

  Torch ${join torchVersions}.

''
+ concatStringsSep "\n" (
  map (backend: ''
    ### ${backend}

    ${buildsOf backend}
  '') schema.backends
)
+ ''

  ## Targets

  A component is compiled for the toolkit's default targets, or for its own targets as far as the compiler supports them. `9.0a` and `10.0f` need that
  exact target; `+PTX` adds the virtual architecture. A warning gives the reason for each target that a variant leaves out. A variant without targets
  cannot be built.

  ### The code that a device runs

  A CUDA device runs the first of these targets that a variant has:

  1. code for exactly this device (`9.0a`);
  2. code for its family (`10.0f` on a 10.3);
  3. code for its major and the newest minor up to its own (`8.0` on an 8.6);
  4. the newest older `+PTX`, which the driver compiles.

  A device never loads code for another major. Embedded devices (5.3, 6.2, 7.2, 8.7, 10.1) and AMD devices run only code for their own target.

  `--capability` compiles each component for the target that this rule selects. If it selects none, the component is compiled for the device itself,
  with a warning that the whole variant lacks this code. If a component lists only targets such as `9.0a` and other components have code for the device,
  it keeps its first target instead: the link needs this code, the device does not run it, and the sources need not compile for another target.

''
+ concatStringsSep "\n" (
  map (
    backend:
    let
      inherit (backends.all.${backend}) targets toolkit;
    in
    ''
      ### `${targets.key}`

      ${compilersOf backend toolkit.name}
    ''
  ) (filter (backend: backends.all.${backend}.targets != null) schema.backends)
)
