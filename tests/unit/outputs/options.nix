{ outputs, ... }:
let
  inherit (builtins) attrNames attrValues tryEval;
  inherit (outputs.options) options readOptions;
  kernel = ../../../examples/relu;
  refuses = arguments: !(tryEval (readOptions ({ path = kernel; } // arguments))).success;
in
{
  options.described = [
    (map (option: option ? meaning && option ? want) (attrValues options))
    (map (_: true) (attrValues options))
  ];
  options.defaultsAreValid = [
    (refuses (builtins.mapAttrs (_: option: option.default) (removeAttrs options [ "path" ])))
    false
  ];
  readOptions = {
    complete = [ (attrNames (readOptions { path = kernel; })) (attrNames options) ];
    given = [ (readOptions { path = kernel; rev = "9"; }).rev "9" ];
    # A set can be called as a function.
    callable = [ (refuses { pythonCheckInputs.__functor = _: _: [ ]; }) false ];
    wrong = [
      (map refuses [
        { rev = 9; }
        { doGetKernelCheck = null; }
        { overlays = _: _: { }; }
        { path = { }; }
        { path = ./.; }
        { path = "."; }
        { reV = "9"; }
        { localKernels."a:b'x" = { }; }
        { localKernels.relu = { }; }
        { localKernels."a/b/c" = { }; }
        { localKernels."me/re lu" = { }; }
        { localKernels."me/.relu" = { }; }
      ])
      (builtins.genList (_: true) 12)
    ];
    repository = [ (refuses { localKernels."me/re_lu-2.x" = { }; }) false ];
  };
}
