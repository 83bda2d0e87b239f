# All that is known of a kernel before there is a package set.
{
  attributes,
  config,
  matrix,
  scan,
  variants,
  ...
}:
{
  /**
    The variants of the kernel in `root`, on every system. `brought` are the names that
    `depends` may use beside those of the table: what the kernel's flake adds.

    # Type

    ```
    readKernel :: { root :: Path; torchVersions :: [Row] -> [Row]; brought :: [String]; } -> { config :: Config; all :: [Variant]; graph :: Graph; }
    ```

    # Errors

    All problems of build.toml, or all of the list of Torch versions, at once.
  */
  readKernel =
    {
      root,
      torchVersions,
      brought,
    }:
    let
      known = config.dependencies;
      own = attributes.generate brought (_: {
        backends = null;
        meaning = "brought by the kernel's flake";
        version = null;
      });
      read = config.readConfig {
        inherit root;
        dependencies = known // {
          depends = own // known.depends;
        };
      };
    in
    {
      config = read;
      all = variants.variantsOf {
        config = read;
        matrix = matrix.fromUser { inherit torchVersions; };
      };
      graph = scan.scanKernel {
        inherit root;
        config = read;
      };
    };
}
