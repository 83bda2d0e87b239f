# ROCm architectures. Each architecture is one device, which runs no code for another architecture. `pattern` excludes
# generic architectures ("gfx11-generic").
values: {
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
  # Options of clang that name targets. `hipcc` has the last.
  listFlags = builtins.filter (
    flag: builtins.match "--?(no-)?(offload-arch|cuda-gpu-arch|amdgpu-target)=.*" flag != null
  );
  bestFor = device: list: if builtins.elem device list then device else null;
}
