{ values, ... }:
let
  inherit (builtins) filter match;
  repositories = filter (name: match values.repository.pattern name != null);
in
{
  pattern = {
    names = [ (repositories [ "kernels-community/activation" "0/0" ]) [ "kernels-community/activation" "0/0" ] ];
    others = [ (repositories [ "activation" "me/../a" "../a" "me/" "me/a\n" "me/a:b" ]) [ ] ];
  };
}
