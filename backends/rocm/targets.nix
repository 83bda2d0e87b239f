# ROCm architectures. Each architecture is one device, which runs no code for another architecture. `pattern` excludes
# generic architectures ("gfx11-generic").
values:
let
  targetFlag = import ./target-flag.nix;
in
{
  pattern = "gfx[0-9a-f]+";
  form = "an architecture such as \"gfx942\"";
  # The architecture that another spelling means: "GFX942", "942", "gfx942:xnack-".
  correct =
    target:
    let
      parts = builtins.match "([gG][fF][xX])?([0-9a-fA-F]+)(:.*)?" target;
      lower = builtins.replaceStrings [ "A" "B" "C" "D" "E" "F" ] [ "a" "b" "c" "d" "e" "f" ];
    in
    if !builtins.isString target || parts == null then null else "gfx${lower (builtins.elemAt parts 1)}";
  # Architectures have no order, so they keep that of the list. Repeats are dropped.
  inOrder = values.lists.unique;
  deviceOf = target: target;
  compiledAs = target: target;
  flagsKey = "hip-flags";
  # Code for "gfx90a" runs with every setting of the features in "gfx90a:xnack+". `native` and `all` name no architecture,
  # and an option that takes architectures away adds none.
  readFlags =
    flags:
    map (
      flag:
      let
        parts = targetFlag flag;
        words = builtins.split "[,:]" (builtins.elemAt parts 2);
        isTarget = word: builtins.head parts == null && builtins.isString word && builtins.match "gfx.*" word != null;
        targets = builtins.filter isTarget words;
      in
      {
        text = flag;
        inherit targets;
        select = _: targets;
      }
    ) (builtins.filter (flag: targetFlag flag != null) flags);
  bestFor = device: list: if builtins.elem device list then device else null;
}
