# Names of variants and of their parts.
{
  values,
  platforms,
  backends,
  frameworks,
  ...
}:
let
  inherit (builtins) concatStringsSep elemAt match;
  inherit (values) versions;
  self = {
    /**
      A backend and its toolkit, as in names of variants.

      # Example

      ```nix
      nameCompute "rocm" "7.2"
      => "rocm72"
      ```

      Type: nameCompute :: String -> String | Null -> String
    */
    nameCompute =
      backend: toolkit:
      backends.all.${backend}.compute + (if toolkit == null then "" else versions.flat toolkit);

    /**
      The name of a variant with compiled code; `framework` is the name of its framework.

      # Example

      ```nix
      nameVariant { torch = "2.13.0"; compute = "cu130"; system = "x86_64-linux"; }
      => "torch213-cxx11-cu130-x86_64-linux"
      ```

      Type: nameVariant :: { torch, compute, system :: String; stableAbi :: String | Null ? null;
        framework :: String ? "torch"; } -> String
    */
    nameVariant =
      { torch, compute, system, stableAbi ? null, framework ? "torch" }:
      let
        label = frameworks.all.${framework}.label { inherit torch stableAbi system; };
      in
      "${label}-${compute}-${system}";

    /**
      The name of a variant without compiled code.

      # Example

      ```nix
      nameNoarchVariant "cann"
      => "torch-npu"
      ```

      Type: nameNoarchVariant :: String -> String
    */
    nameNoarchVariant = backend: "torch-${backends.all.${backend}.noarch}";

    /**
      The parts of a variant's name, of which only the name is known: of a folder that another builder made. `label` is
      the framework, and whether the code is on the stable ABI. A name without code has no release and no system. The
      result is null if no variant has such a name. `checking.variant` is the same in Python.

      # Example

      ```nix
      readVariantName "torch213-cxx11-cu130-x86_64-linux"
      => { label = "torch"; release = "2.13"; compute = "cu130"; system = "x86_64-linux"; }
      ```

      Type: readVariantName :: String -> { label, compute :: String; release, system :: String | Null; } | Null
    */
    readVariantName =
      name:
      let
        systems = concatStringsSep "|" platforms.systems.all;
        compiled = match "([a-z-]*[a-z])([0-9])([0-9]+)(-[a-z]+[0-9]+)?-([a-z]+[0-9]*)-(${systems})" name;
        noarch = match "([a-z]+)-([a-z]+)" name;
      in
      if compiled != null then
        {
          label = elemAt compiled 0;
          release = "${elemAt compiled 1}.${elemAt compiled 2}";
          compute = elemAt compiled 4;
          system = elemAt compiled 5;
        }
      else if noarch != null then
        {
          label = elemAt noarch 0;
          release = null;
          compute = elemAt noarch 1;
          system = null;
        }
      else
        null;

    /**
      The version of the Torch build that a variant is for, as Torch itself writes it. If the row names a wheel or a
      pre-release, it is the build of that.

      # Example

      ```nix
      nameTorchBuild { torch = "2.13.0"; compute = "cu130"; … }
      => "2.13.0+cu130"
      ```

      Type: nameTorchBuild :: Variant -> String
    */
    nameTorchBuild = variant: variant.wheel.build or "${variant.pre or variant.torch}+${variant.compute}";
  };
in
self
