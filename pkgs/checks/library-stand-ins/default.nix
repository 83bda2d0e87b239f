# Small libraries that replace those which Torch for a GPU loads: an import needs only their names and symbols, and the
# real libraries have gigabytes.
{ checkPython, listTorchSymbols, platformSymbols, runPython, toolchain }:
/**
  Return a Python package. When Python starts, it loads stand-ins for what `torch` is linked with, except for Torch's own
  libraries and the system's, and stand-ins for the libraries of `packages`. Libraries of `runtime` are the real ones. All others define the functions that
  Torch needs, and those of the library in `packages`; each function returns an error.

  Type: libraryStandIns :: { torch, runtime :: Package; packages :: [Package]; } -> Package
*/
{ torch, runtime, packages }:
runPython {
  name = "${torch.name}-stand-ins";
  script = ./make.py;
  interpreter = checkPython;
  tools = [ toolchain ];
  env = {
    inherit packages runtime;
    inherit (torch) sitePackages;
    torch = "${torch}/${torch.sitePackages}/torch/lib";
    there = [
      (listTorchSymbols torch)
      platformSymbols
    ];
  };
}
// { depends = [ ]; }
