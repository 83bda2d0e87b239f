{ outputs, ... }:
let
  inherit (builtins) attrNames attrValues tryEval;
  inherit (outputs.options) options readOptions;
  refuses =
    arguments: !(tryEval (readOptions ({ path = ./.; } // arguments))).success;
in
{
  options.described = {
    expr = map (option: attrNames (removeAttrs option [ "default" ])) (attrValues options);
    expected = map (_: [ "isValid" "meaning" "want" ]) (attrValues options);
  };
  options.defaultsAreValid = {
    expr = refuses (
      builtins.mapAttrs (_: option: option.default) (removeAttrs options [ "path" ])
    );
    expected = false;
  };
  readOptions = {
    complete = {
      expr = attrNames (readOptions { path = ./.; });
      expected = attrNames options;
    };
    given = {
      expr = (readOptions { path = ./.; maxSize = 9; }).maxSize;
      expected = 9;
    };
    # A set can be called as a function.
    callable = {
      expr = refuses { pythonCheckInputs.__functor = _: _: [ ]; };
      expected = false;
    };
    wrong = {
      expr = map refuses [
        { maxSize = "9"; }
        { doGetKernelCheck = null; }
        { overlays = _: _: { }; }
        { path = { }; }
        { maxsize = 9; }
      ];
      expected = builtins.genList (_: true) 5;
    };
  };
}
