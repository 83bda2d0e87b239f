# What variants are called.
{ values, backends, frameworks, ... }:
let
  inherit (values) versions;
  self = {
    /**
      How a backend and its toolkit are written in a name.

      # Example

      ```nix
      computeOf { backend = "rocm"; toolkit = "7.2"; }
      => "rocm72"
      ```

      # Type

      ```
      computeOf :: { backend :: String; toolkit :: String | Null; } -> String
      ```
    */
    computeOf =
      { backend, toolkit }:
      backends.all.${backend}.compute + (if toolkit == null then "" else versions.flat toolkit);

    /**
      The name of a variant with compiled code; `framework` is the name of its framework.

      # Example

      ```nix
      variantName { torch = "2.13.0"; backend = "cuda"; toolkit = "13.0"; system = "x86_64-linux"; }
      => "torch213-cxx11-cu130-x86_64-linux"
      ```

      # Type

      ```
      variantName :: { torch :: String; backend :: String; toolkit :: String | Null; system :: String;
        stableAbi :: String | Null ? null; framework :: String ? "torch"; } -> String
      ```
    */
    variantName =
      {
        torch,
        backend,
        toolkit,
        system,
        stableAbi ? null,
        framework ? "torch",
      }:
      let
        label = frameworks.all.${framework}.label { inherit torch stableAbi system; };
      in
      "${label}-${self.computeOf { inherit backend toolkit; }}-${system}";

    /**
      The name of a variant without compiled code.

      # Example

      ```nix
      noarchName { backend = "cann"; }
      => "torch-npu"
      ```

      # Type

      ```
      noarchName :: { backend :: String; } -> String
      ```
    */
    noarchName = { backend }: "torch-${backends.all.${backend}.noarch}";

    /**
      What Torch calls the build that a variant is for.

      # Example

      ```nix
      torchBuildOf { torch = "2.13.0"; compute = "cu130"; … }
      => "2.13.0+cu130"
      ```

      # Type

      ```
      torchBuildOf :: Variant -> String
      ```
    */
    torchBuildOf = variant: "${variant.torch}+${variant.compute}";
  };
in
self
