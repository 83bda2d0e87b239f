# The packages that a plan names, by those names: `headers` are where flags of units find them,
# `libraries` where the link does.
{
  dependencies,
  glibcStubs,
  pythonHeaders,
  toolkitPackages,
  torch,
}:
{
  headers = builtins.mapAttrs (_: package: package.dev or package) (dependencies // toolkitPackages) // {
    torch = torch.dev;
    python = pythonHeaders;
  };
  libraries = dependencies // toolkitPackages // {
    glibc = glibcStubs;
    python = pythonHeaders;
    torch = "${torch}/lib/python3.11/site-packages/torch";
  };
}
