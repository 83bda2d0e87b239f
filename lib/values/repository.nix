# Names of repositories on the Hub.
_:
let
  inherit (builtins) isString match;

  self = {
    /**
      A regular expression, also of Python's, for `owner/name`. A name becomes a part of addresses, of folders, of names in the
      store and of a list with colons, so no part is empty or begins with a dot.
    */
    pattern = "[A-Za-z0-9][-A-Za-z0-9._]*/[A-Za-z0-9][-A-Za-z0-9._]*";

    /**
      Whether a value is the name of a repository.

      # Example

      ```nix
      isRepository "kernels-community/activation"
      => true
      ```

      # Type

      ```
      isRepository :: a -> Bool
      ```
    */
    isRepository = value: isString value && match self.pattern value != null;
  };
in
self
