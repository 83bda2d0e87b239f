{ backends, frameworks, includeGraph, includes, unit, ... }@library:
let
  graph = includeGraph.makeFileGraph {
    root = ../../golden/five;
    folders = [ "include" ];
    start = [ "five_cpu/five.cpp" "five_cpu/plain.c" ];
  };
  planned =
    {
      torch ? "2.13.0",
      stableAbi ? null,
      depends ? [ "torch" ],
      cxx-flags ? [ ],
      file ? "five_cpu/five.cpp",
      framework ? "torch",
    }:
    unit.planUnit {
      config = { general.name = "five"; framework = frameworks.all.${framework}; };
      backend = backends.all.cpu;
      variant = {
        inherit torch stableAbi;
        compute = "cpu";
        toolkit = null;
        backend = "cpu";
      };
      section = import ../kernels/section.nix library {
        include = [ "include" ];
        inherit depends;
        flags = { inherit cxx-flags; };
        flagReadings.cxx-flags = includes.readIncludes (toString cxx-flags);
        reached.${file} = includeGraph.describeReachedFiles graph file;
        targets = [ ];
        listed = [ ];
      };
      embeddable = [ ];
    } file;
  has = flag: options: builtins.elem flag (planned options).flags;
in
{
  generatedFolder.hidden = [ unit.generatedFolder ".kernel-builder" ];
  # The link of relocatable device code gets the flags of all targets, and the author's flags for it.
  planPasses.linkOfAWholeUnit = [
    (unit.planPasses {
      language = backends.all.cuda.languages.cu;
      packages = [ ];
      arguments = {
        identity = "0123456789abcdef"; toolkit = "13.0"; targets = [ "9.0" ]; seesTargets = false;
        seesPass = false; flags = [ "-rdc=true" "-dlto" ];
      };
    }).device.wholeLinkFlags
    [ "-dlink" "-Xcompiler=-fPIC" "-dlto" "-gencode" "arch=compute_90,code=sm_90" "-Xfatbin=--compress-mode=size" ]
  ];
  planUnit = {
    # A kernel's own flag may have the extension's name.
    nameInAFlag = [
      (map (flag: (planned { cxx-flags = [ flag ]; }).needsName) [ "-DX=@extension@" "-DX=\"a_@extension@\"" "-DX=extension" ])
      [ true true false ]
    ];
    stableAbi = [ (has "-DTORCH_TARGET_VERSION=0x020b000000000000" { stableAbi = "2.11"; }) true ];
    stableAbiOfManyVersions = [ (has "-DTORCH_TARGET_VERSION=0x0211000000000000" { stableAbi = "2.17"; }) true ];
    standardOfOldTorch = [ (has "-std=gnu++17" { torch = "2.11.0"; }) true ];
    # An older Torch must give the same object.
    standardWithoutTorch = [ (has "-std=gnu++20" { torch = "2.11.0"; depends = [ ]; }) true ];
    ownFlagsComeAfterOurs = [
      (builtins.match ".*-O3.*-O1.*" (builtins.concatStringsSep " " (planned { cxx-flags = [ "-O1" ]; }).flags) != null)
      true
    ];
    # Flags define macros as the text of a file does.
    nameInFlags = [
      (map (options: (planned options).nameFlags) [
        { cxx-flags = [ "-DNAME=TORCH_EXTENSION_NAME" ]; }
        { cxx-flags = [ "-DNAME=x" ]; }
      ])
      [ [ "-DTORCH_EXTENSION_NAME=@extension@" ] [ ] ]
    ];
  };
}
