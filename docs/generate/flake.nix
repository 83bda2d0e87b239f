# Writes docs/reference/flake.md from lib/outputs/options.nix.
{ library }:
let
  inherit (library.outputs.options) options;
  defaultOf =
    option:
    if !option ? default then
      "required"
    else if builtins.isBool option.default then
      "`${builtins.toJSON option.default}`"
    else
      "";
in
''
  # flake.nix

  <!-- Written by `tests/run docs --renew` from lib/outputs/options.nix; edit that instead. -->

  A kernel's `flake.nix` calls `genKernelFlakeOutputs` with the arguments below. [Nix](../guide/nix.md#flake-input-lock) describes the outputs.

  ```sh
  nix flake show    # the outputs of the flake in this folder
  ```

  ```nix
  kernel-builder.lib.genKernelFlakeOutputs { inherit self; path = ./.; }
  ```

  ${import ./table.nix {
    head = [
      "argument"
      "value"
      "default"
      "meaning"
    ];
    rows = map (name: [
      "`${name}`"
      options.${name}.want
      (defaultOf options.${name})
      options.${name}.meaning
    ]) (builtins.attrNames options);
  }}

  `genKernelsFlakeOutputs`, for a [folder of kernels](../guide/many-kernels.md), takes the same arguments and `kernelArguments`, arguments of single
  kernels. `genFlakeOutputs` is the older name of `genKernelFlakeOutputs`.
''
