{ values, ... }:
let
  inherit (values) repository;
in
{
  pattern.ownerAndName = [ (builtins.match repository.pattern "kernels-community/flash-attn3" != null) true ];
  isRepository = {
    names = [ (map repository.isRepository [ "kernels-community/activation" "me/a.b_c" "0/0" ]) [ true true true ] ];
    others = [
      (map repository.isRepository [ "activation" "me/../a" "../a" "me/" "me/a\n" "me/a:b" 3 null ])
      (builtins.genList (_: false) 8)
    ];
  };
}
