# Tests of every framework's fields.
{ backends, frameworks, ... }:
let
  inherit (builtins) all attrValues filter isFunction;
  compiled = filter (framework: framework.isCompiled) (attrValues frameworks.all);
in
{
  torch.linkedWithTorchOfTheBackend = [
    ((frameworks.all.torch.linked backends.all.cuda).libraries == backends.all.cuda.libraries)
    true
  ];
  torch-noarch.compilesNothing = [ frameworks.all.torch-noarch.isCompiled false ];
  tvm-ffi.isOfNoTorch = [
    [ frameworks.all.tvm-ffi.isOfTorch (frameworks.all.tvm-ffi.linked backends.all.cuda).libraries ]
    [ false [ ] ]
  ];
  # A compiled framework has a label, an ending and exports.
  torch.whatIsCompiledIsWhole = [
    (all (
      framework:
      isFunction framework.label
      && isFunction framework.linked
      && framework.nameMacro != null
      && framework.ending != null
      && framework.exports != null
    ) compiled)
    true
  ];
}
