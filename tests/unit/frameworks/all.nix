# Tests of every framework's fields.
{ backends, frameworks, ... }:
let
  inherit (builtins)
    all
    attrValues
    filter
    isFunction
    ;
  compiled = filter (framework: framework.isCompiled) (attrValues frameworks.all);
in
{
  torch.linkedWithTorchOfTheBackend = {
    expr = (frameworks.all.torch.linked backends.all.cuda).libraries == backends.all.cuda.libraries;
    expected = true;
  };
  torch-noarch.compilesNothing = {
    expr = frameworks.all.torch-noarch.isCompiled;
    expected = false;
  };
  tvm-ffi.isOfNoTorch = {
    expr = [
      frameworks.all.tvm-ffi.isOfTorch
      (frameworks.all.tvm-ffi.linked backends.all.cuda).libraries
    ];
    expected = [
      false
      [ ]
    ];
  };
  # A compiled framework has a label, an ending and exports.
  torch.whatIsCompiledIsWhole = {
    expr = all (
      framework:
      isFunction framework.label
      && isFunction framework.linked
      && framework.nameMacro != null
      && framework.ending != null
      && framework.exports != null
    ) compiled;
    expected = true;
  };
}
