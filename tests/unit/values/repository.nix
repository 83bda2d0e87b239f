{ values, ... }:
let
  inherit (values) repository;
in
{
  pattern.ownerAndName = {
    expr = builtins.match repository.pattern "kernels-community/flash-attn3" != null;
    expected = true;
  };
  isRepository = {
    names = {
      expr = map repository.isRepository [
        "kernels-community/activation"
        "me/a.b_c"
        "0/0"
      ];
      expected = [
        true
        true
        true
      ];
    };
    others = {
      expr = map repository.isRepository [
        "activation"
        "me/../a"
        "../a"
        "me/"
        "me/a\n"
        "me/a:b"
        3
        null
      ];
      expected = builtins.genList (_: false) 8;
    };
  };
}
