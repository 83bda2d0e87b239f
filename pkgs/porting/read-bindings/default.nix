# Reads the bindings of a project: they are compiled with headers that record what is registered, and imported into a
# Python with Torch. Kernels are neither compiled nor called: functions without a definition return 0.
{
  leanHeaders,
  moduleFolder,
  portingPython,
  pythonHeaders,
  runPython,
  toolchain,
}:
let
  inherit (portingPython) torch;
  scripts = moduleFolder "reader" ./.;
in
/**
  `project` is the store path of a project's files. `units` is JSON: `[{ "file", "flags", "include", "extension" }]`,
  with paths in the project. All are compiled as C++: the header that a compiler of device code includes by itself has to
  be in `flags`, and launches of kernels are an error. Units of one extension are linked together, so that one unit can
  call functions of another that define more. Units see the headers of the CUDA toolkit if `backend` is "cuda".

  The result has `bindings.json`: `[{ "unit", "extension", "registered", "called", "failed" }]`. `registered` is what
  the unit defines, `called` are functions of other files that are called when the extension is imported, and `failed`
  is the first error, or null. Entries of `registered` have these fields:

  - `kind`: `function` of pybind11, `object` if such a function takes or returns Python objects;
  - `name`, `namespace`: the name, and the module (`_C.sub` for a module in `_C`);
  - `place`: file and line, or null;
  - `schema`: null if a type has none. Tensors that are not const are marked as written if the function returns
    nothing. `marked` marks them in any case;
  - `operator`: the name in the schema, with the names of modules in a module, and `.a`, `.b` for overloads;
  - `parameters`: `name`, `type` or null, `cpp` (the type in C++), and `default` or null; `result_cpp`;
  - `unknown`: the types in C++ that no schema has;
  - `function`: the name in C++, null for a lambda; `callable`: its type.

  Type: readBindings :: { project, units, backend :: String; } -> Derivation
*/
{ project, units, backend }:
let
  packages = if backend == "cuda" then portingPython.toolkitPackages else { };
in
runPython {
  name = "registrations-of-project";
  interpreter = portingPython;
  script = "${scripts}/read.py";
  tools = [ toolchain ];
  env = {
    inherit project toolchain units;
    passAsFile = [ "units" ];
    standIns = moduleFolder "recording-headers" ../../../stand-ins/porting;
    lean = leanHeaders;
    torchHeaders = torch.dev;
    torchLibraries = "${torch}/${torch.sitePackages}/torch/lib";
    systemHeaders =
      [ "${pythonHeaders}/include" ] ++ map (package: "${package.dev}/include") (builtins.attrValues packages);
  };
}
