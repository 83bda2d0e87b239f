# ocloc as Debian packs it, for machines that do not reach the host of Intel's own build:
# `overlays = [ (final: _: { xpuOcloc = final.xpuDebianOcloc; }) ]`.
{
  architecture,
  patchelf,
  readDebs,
  relocate,
  runStep,
  unpackDebs,
}:
runStep {
  name = "debian-ocloc";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit relocate;
    inherit (architecture) loader triple;
    tree = unpackDebs {
      name = "debian-ocloc-debs";
      packages = [ ];
      archives = builtins.attrValues (readDebs ./pins.json);
    };
  };
}
