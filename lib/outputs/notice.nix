# Notices to who builds with plain Nix: printed when a derivation is instantiated, and by no
# evaluation of data (names, plans, what the command line reads).
_: {
  /**
    A derivation whose `drvPath` prints `text`.

    # Type

    ```
    printOnBuild :: String -> Derivation -> Derivation
    ```
  */
  printOnBuild =
    text: derivation:
    derivation
    // {
      drvPath = builtins.trace "kernel-builder: ${text}" derivation.drvPath;
    };
}
