# Notices for users of plain Nix. Nix prints them when it instantiates a derivation, and not when it
# evaluates data such as names, plans and the manifest.
_: {
  /**
    A derivation that prints `text` when its `drvPath` is evaluated.

    Type: addNotice :: String -> Derivation -> Derivation
  */
  addNotice =
    text: derivation:
    derivation
    // { drvPath = builtins.trace "kernel-builder: ${text}" derivation.drvPath; };
}
