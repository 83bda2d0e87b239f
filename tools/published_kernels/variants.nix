# The variants of one kernel, of every system: `theirs`, which the existing tool's table gives
# when it is put through the kernel's own flake, and `ours`.
#
# `table` is a JSON file as table.json, or the Nix file of the existing tool. What that tool does
# with its rows is written down here once more, on purpose without our library.
{
  root,
  kernel,
  table,
}:
let
  inherit (builtins)
    any
    attrValues
    compareVersions
    concatMap
    elem
    filter
    fromJSON
    fromTOML
    groupBy
    head
    isString
    match
    readFile
    replaceStrings
    sort
    ;

  project = import root;

  arguments = import ./arguments.nix { inherit project kernel; };
  torchVersions = arguments.torchVersions or (defaults: defaults);

  # ---- theirs ----

  markOf = {
    cpu = "cpu";
    cuda = "cudaVersion";
    metal = "metal";
    rocm = "rocmVersion";
    tpu = "tpu";
    xpu = "xpuVersion";
  };
  write =
    row:
    {
      torchVersion = row.torch;
      inherit (row) systems;
      bundleBuild = row.bundle;
      ${markOf.${row.backend}} = if row.toolkit == null then true else row.toolkit;
    }
    // (if row.tvm-ffi == null then { } else { tvmFfiVersion = row.tvm-ffi; });
  rows =
    if match ".*[.]json" (toString table) == null then
      import table
    else
      map write (fromJSON (readFile table)).rows;

  backendOf =
    row:
    let
      has = backend: row ? ${markOf.${backend}} && row.${markOf.${backend}} != false;
    in
    head (filter has [ "cpu" "cuda" "metal" "rocm" "tpu" "xpu" ]);
  flat = version: replaceStrings [ "." ] [ "" ] (head (match "([0-9]+[.][0-9]+).*" version));

  computeOf =
    row:
    {
      cpu = "cpu";
      cuda = "cu${flat row.cudaVersion}";
      metal = "metal";
      rocm = "rocm${flat row.rocmVersion}";
      tpu = "tpu";
      xpu = "xpu${flat row.xpuVersion}";
    }
    .${backendOf row};

  toml = fromTOML (readFile (kernel + "/build.toml"));
  bounds = toml.torch or { };
  cuda = toml.general.cuda or { };
  isBetween =
    { minver ? "0", maxver ? "99", ... }:
    version: compareVersions version minver >= 0 && compareVersions version maxver <= 0;
  isWanted =
    row:
    elem (backendOf row) toml.general.backends
    && isBetween bounds row.torchVersion
    && (!row ? cudaVersion || isBetween cuda row.cudaVersion)
    && (!toml ? tvm-ffi || row ? tvmFfiVersion);

  stableAbiOf =
    row:
    let
      stated = bounds.stable-abi or null;
    in
    if stated == null || isString stated then stated else stated.${backendOf row} or null;
  isCompiled =
    row: any (component: component.backend == backendOf row) (attrValues (toml.kernel or { }));

  nameOf =
    row:
    let
      stableAbi = stableAbiOf row;
      abi = if match ".*-darwin" row.system == null then "-cxx11" else "";
    in
    if !isCompiled row then
      "torch-${backendOf row}"
    else if toml ? tvm-ffi then
      "tvm-ffi${flat row.tvmFfiVersion}-${computeOf row}-${row.system}"
    else if stableAbi != null then
      "torch-stable-abi${flat stableAbi}-${computeOf row}-${row.system}"
    else
      "torch${flat row.torchVersion}${abi}-${computeOf row}-${row.system}";

  # If several rows share a name, the existing tool takes the one with the newest Torch.
  isNewer = a: b: compareVersions a.torchVersion b.torchVersion > 0;
  newestOnly =
    rows:
    let
      keyOf = row: "${computeOf row}-${row.system}";
      isStable = row: stableAbiOf row != null;
    in
    map (group: head (sort isNewer group)) (attrValues (groupBy keyOf (filter isStable rows)))
    ++ filter (row: !isStable row) rows;

  theirs = map (row: {
    inherit (row) system;
    name = nameOf row;
    backend = backendOf row;
    torch = row.torchVersion;
    bundle = row.bundleBuild or false;
  }) (
    newestOnly (
      filter isWanted (concatMap (row: map (system: row // { inherit system; }) row.systems) (torchVersions rows))
    )
  );

  # ---- ours ----

  outputs = (project.lib.genKernelFlakeOutputs arguments).legacyPackages;
  ours = concatMap (
    system:
    map (variant: {
      inherit system;
      inherit (variant)
        name
        backend
        torch
        bundle
        ;
    }) outputs.${system}.variantDetails
  ) (builtins.attrNames outputs);
in
{
  inherit ours;
  # It builds nothing of a file without a list of backends.
  theirs = if toml.general ? backends then theirs else null;
  # The versions of Torch that its bundles have.
  bundled = map (row: row.torchVersion) (filter (row: row.bundleBuild or false) rows);
  backends = map backendOf rows;
}
