# Small libraries in the place of those that Torch for a GPU loads beside itself: of gigabytes, an import needs
# no more than that they are there.
{
  checkPython,
  listTorchSymbols,
  platformSymbols,
  python,
  runPython,
  toolchain,
}:
/**
  A package whose environments load, when Python starts, the libraries that `torch` names and that neither it nor
  the system has, and those of `packages`: out of `runtime` as they are, and for every other one that has the
  functions which Torch asks it for, and all functions of that in `packages`. Each of them fails.

  # Type

  ```
  libraryStandIns :: { torch, runtime :: Package; packages :: [Package]; } -> Package
  ```
*/
{
  torch,
  runtime,
  packages,
}:
runPython {
  name = "${torch.name}-stand-ins";
  script = ./make.py;
  interpreter = checkPython;
  tools = [ toolchain ];
  env = {
    inherit packages runtime;
    torch = "${torch}/${python.sitePackages}/torch/lib";
    there = [
      (listTorchSymbols torch)
      platformSymbols
    ];
  };
}
// {
  depends = [ ];
}
