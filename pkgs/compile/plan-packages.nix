# `planPackages`: The packages that a plan names: `headers` are the folders that flags of units name, `libraries` those
# that the link names, and `tools` the packages whose programs both call.
{ dependencies, glibcStubs, pythonHeaders, toolchain, toolkitPackages, torch }:
let
  tools = toolkitPackages // { inherit toolchain; };
in
{
  inherit tools;
  headers =
    builtins.mapAttrs (_: package: package.dev or package) (dependencies // toolkitPackages)
    // builtins.listToAttrs (
      map (name: {
        name = "tools/${name}";
        value = tools.${name};
      }) (builtins.attrNames tools)
    )
    // { torch = torch.dev; python = pythonHeaders; };
  libraries = dependencies // toolkitPackages // {
    glibc = glibcStubs;
    python = pythonHeaders;
    torch = "${torch}/${torch.sitePackages}/torch";
  };
}
