{ outputs, ... }:
let
  inherit (builtins) attrNames attrValues tryEval;
  inherit (outputs.options) options readOptions;
  refuses = arguments: !(tryEval (readOptions ({ path = ./.; } // arguments))).success;
in
{
  options.described = [
    (map (option: attrNames (removeAttrs option [ "default" ])) (attrValues options))
    (map (_: [ "isValid" "meaning" "want" ]) (attrValues options))
  ];
  options.defaultsAreValid = [
    (refuses (builtins.mapAttrs (_: option: option.default) (removeAttrs options [ "path" ])))
    false
  ];
  readOptions = {
    complete = [ (attrNames (readOptions { path = ./.; })) (attrNames options) ];
    given = [ (readOptions { path = ./.; rev = "9"; }).rev "9" ];
    # A set can be called as a function.
    callable = [ (refuses { pythonCheckInputs.__functor = _: _: [ ]; }) false ];
    wrong = [
      (map refuses [
        { rev = 9; }
        { doGetKernelCheck = null; }
        { overlays = _: _: { }; }
        { path = { }; }
        { reV = "9"; }
        { localKernels."a:b'x" = { }; }
        { localKernels.relu = { }; }
        { localKernels."a/b/c" = { }; }
        { localKernels."me/re lu" = { }; }
        { localKernels."me/.relu" = { }; }
      ])
      (builtins.genList (_: true) 10)
    ];
    repository = [ (refuses { localKernels."me/re_lu-2.x" = { }; }) false ];
  };
}
