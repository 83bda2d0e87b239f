# What every framework says of itself.
{ backends, frameworks, ... }:
let
  inherit (builtins)
    all
    attrValues
    filter
    isFunction
    ;
  compiled = filter (framework: framework.isCompiled) (attrValues frameworks);
in
{
  torch.linkedWithTorchOfTheBackend = {
    expr = (frameworks.torch.linked backends.cuda).libraries == backends.cuda.libraries;
    expected = true;
  };
  torch-noarch.compilesNothing = {
    expr = frameworks.torch-noarch.isCompiled;
    expected = false;
  };
  tvm-ffi.isOfNoTorch = {
    expr = [
      frameworks.tvm-ffi.isOfTorch
      (frameworks.tvm-ffi.linked backends.cuda).libraries
    ];
    expected = [
      false
      [ ]
    ];
  };
  # What is compiled has a name, a file and a way in.
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
