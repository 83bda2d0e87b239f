# ROCm architectures: each is a device of its own, and runs no code for another. Generic ones
# ("gfx11-generic") are written otherwise and no list may hold them, see `pattern`.
{
  pattern = "gfx[0-9a-f]+";
  form = "an architecture such as \"gfx942\"";
  # As listed, each once: there is no order between them.
  inOrder = builtins.foldl' (
    done: target: if builtins.elem target done then done else done ++ [ target ]
  ) [ ];
  deviceOf = target: target;
  compiledAs = target: target;
  isPortable = _: true;
  bestFor = device: list: if builtins.elem device list then device else null;
}
