# Writes docs/reference/variants.md from lib/matrix/matrix.json, lib/backends and the pins of the package sets.
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

  table = import ./table.nix;
  rowsOfSystems = import ./status/rows.nix { inherit library packages; };

  unique = foldl' (found: element: if elem element found then found else found ++ [ element ]) [ ];
  join = concatStringsSep ", ";
  code = text: "`${text}`";

  # The systems of a row without an obstacle.
  systemsWithout =
    obstacle: row:
    let
      isFree =
        system:
        (head (
          filter (
            each:
            each.system == system && each.torch == row.torch && each.backend == row.backend && each.toolkit == row.toolkit
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
    (versions.majorMinor row.torch)
    (names.nameCompute { inherit (row) backend toolkit; })
    (join row.systems)
    (if row.bundle then "yes" else "no")
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
      rows = map rowOf (filter (row: row.backend == backend) torchBuilds.default);
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

  torchVersions = unique (map (row: versions.majorMinor row.torch) torchBuilds.default);

  example = {
    torch = "2.13.0";
    backend = "cuda";
    toolkit = "13.0";
    system = "x86_64-linux";
  };
in
''
  # Variants

  <!-- Written by `tests/run docs --renew` from lib/matrix/matrix.json and lib/backends; edit those instead. -->

  A variant is one build of a kernel: for one version of Torch, one backend with its toolkit, and one system. List those of a kernel:

  ```sh
  kernel-builder list-variants --explain    # those for this system, and why some cannot be built here
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
  | the same where the public client looks for another word | ${code (names.nameNoarchVariant { backend = "cann"; })} of `cann` |

  `nix eval .#variants` and `kernel-builder list-variants` list those of a kernel; `.#archVariants` and `list-variants --arch` those of this
  machine's system.

  ## Which ones a kernel has

  All builds below whose backend is in `general.backends`, within `torch.minver` and `torch.maxver`, and for CUDA within
  `general.cuda.minver` and `general.cuda.maxver`. Bounds are inclusive, and only as precise as they are written: a `maxver`
  of "2.12" admits 2.12.1. A component with `cuda-minver` is left out of variants with an older toolkit.

  With `torch.stable-abi`, there is one variant for each toolkit, built with the newest Torch. With `[tvm-ffi]`, there is one
  for each toolkit as well, which serves every Torch and does without: the Torch of its row is what its import and its tests
  have beside TVM FFI.

  Without compiled code, there is one for each backend. What imports it, and runs its tests, is the newest Torch that is there for all
  backends with a toolkit (CUDA, ROCm, XPU), of those that every machine can have.

  ## Changing the list

  `torchVersions` in a kernel's flake.nix is a function from the default list to the one to use:

  ```nix
  kernel-builder.lib.genKernelFlakeOutputs {
    inherit self;
    path = ./.;
    torchVersions = defaults: builtins.filter (row: row.torch != "2.9.0") defaults;
  }
  ```

  A row is `{ torch; backend; toolkit; systems; bundle; }`. In a row that you add, leave `toolkit` out if the backend has none; `bundle` is true
  by default, and false if the Torch is not built with a toolkit as new as the row's (see [CUDA](../guide/cuda.md#a-toolkit-that-is-newer-than-torch)). Variants of a row with `bundle = false` are not in `bundle`, `backendBundle` and `ci`, and `kernel-builder build` builds them
  only if you name them: `--variant NAME`, `nix build .#redistributable.NAME`. Shells and tests are there for them, too, as [below](#import-checks-shells-and-tests).

  ```nix
  { torch = "2.13.1"; backend = "cuda"; toolkit = "13.0"; systems = [ "x86_64-linux" ]; }
  ```

  Rows may be spelt as published flakes do, and a function gets them with both spellings: `torchVersion` ("2.13"), one of
  `cpu = true`, `metal = true`, `tpu = true`, `cudaVersion`, `rocmVersion`, `xpuVersion`, then `systems` and `bundleBuild`. `tvmFfiVersion` is
  read and not needed. `ptxasVersion` ("12.8", for a row of 12.6) is another release of the toolkit, whose cicc, ptxas and nvlink make
  the code for GPUs; all else is of the row's own. `cxx11Abi = true` says nothing more. Any other
  key is an error.

  ### A Torch of your own

  A row may name the wheel of a nightly, a vendor's or an internal Torch: a file of the flake, or an address with its hash.

  ```nix
  torchVersions =
    defaults:
    defaults
    ++ [
      {
        torch = "2.16.0";
        backend = "cpu";
        systems = [ "x86_64-linux" ];
        wheel.file = ./torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl;
      }
      {
        torch = "2.16.0";
        backend = "cuda";
        toolkit = "13.0";
        systems = [ "x86_64-linux" ];
        wheel = {
          file = "torch-2.16.0.dev20261101+cu130-cp311-cp311-manylinux_2_28_x86_64.whl";
          url = "https://download.pytorch.org/whl/nightly/cu130/torch-2.16.0.dev20261101%2Bcu130-cp311-cp311-manylinux_2_28_x86_64.whl";
          hash = "sha256-…";
        };
      }
    ];
  ```

  `nix store prefetch-file URL` or `nix hash file FILE` prints the hash. The address is https, without login and query: it ends in the
  store, which everybody on the machine reads. The name of the wheel has to agree with the row: the release with `torch`, a local version such as
  `+cu130` with `backend` and `toolkit`, the platform with the one system of the row. Two rows with the same variant are an error: to replace a known
  build, leave its row out with `builtins.filter`.

  The variant is named, built, checked and listed like any other: `torch216-cxx11-cpu-x86_64-linux`. It is imported if the wheel is for
  a Python of the package set; `list-variants --explain` says why if not, and shows the whole version of the Torch. Libraries that a Torch for a
  GPU loads are pinned for known builds only: others have no shells and tests.

  `bundle` is false by default, so build the variant by its name. It is not a Hub variant: users of the Hub would load it into the released Torch of
  its name. Its `metadata.json` names the wheel, and `upload` refuses it. (A kernel without compiled code, or for TVM FFI, is the same for every
  Torch, and is uploaded.)

  ### Lists of rows

  `kernel-builder.lib.torchVersions.default` is the default list. `kernel-builder.lib.torchVersions.fromRegistries` has only the builds, and
  of each the systems, whose Torch and toolkit both come from package registries.

  ## Builds of Torch

  [Status](status.md) says of each where its parts come from, and what was done with it so far.

  ### Import checks, shells and tests

  | `list-variants --explain` | `yes` | otherwise |
  |---|---|---|
  | `import` | the build imports the variant before it counts as built: its Torch is a wheel for a Python of the package set (3.11; on Linux 3.13 as well) | `no`, and the reason. The build's table says "no import check": try the variant where it is used |
  | `shell` | `devshell` and `devShells.VARIANT` have compilers, CMake and Torch | `compiles only`, and the reason: the shell has the compilers, CMake and the files of Torch, but `import torch` fails. It says so on entry |
  | `tests` | `testshell`, `testShells.VARIANT` and `ciTests.VARIANT` run the built variant | `no`, and the reason, which the outputs throw |

  A variant that cannot be built has none of them, and each output throws why. The reasons of all builds are in [the status](status.md#builds).
  In the tables below, "imported" and "tests" have "yes", "no", or the systems where it is "yes".

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

  A component is compiled for the default list of the toolkit, or for its own list as far as the compiler supports it. Of
  CUDA's, `9.0a` and `10.0f` need that exact target; `+PTX` adds the virtual architecture. What a variant leaves out
  is a warning that says why, and a variant with nothing left cannot be built.

  ### The code that a device runs

  A device with CUDA takes one of the targets that a variant has: code for exactly this device (`9.0a`), else for its family
  (`10.0f` on a 10.3), else for its major and the newest minor that is not newer than its own (`8.0` on an 8.6), else
  the newest older `+PTX`, which the driver compiles. Code for another major is never loaded, and embedded devices (5.3, 6.2, 7.2, 8.7,
  10.1) run only their own. An AMD device runs the code for its own architecture alone.

  `--capability` compiles each component for the target that this rule picks from its list. If the rule picks none, the component is
  compiled for the device itself, with a warning: the whole variant has no code for it there. A component that lists only
  targets such as `9.0a` is the exception if other components have code for the device: its sources need not compile for another one, so it
  keeps its first target, which the link needs and the device does not run.

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
