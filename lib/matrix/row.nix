# One row of the matrix: what it may say, and what is filled in.
#
# A row is a build of Torch and the systems that it exists for. `hosts` says where Torch and the
# toolkit come from: "registry" for what package registries carry, else a host.
{ values, messages, tables, backends, config, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    elem
    filter
    head
    isAttrs
    removeAttrs
    ;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) showValue;
  inherit (tables.reader) checkSection declareSection fillSection;
  inherit (config) schema;

  # What may stand in a row depends on its backend; of one that is not known, only the form.
  keysFor =
    name:
    let
      backend = if elem name schema.backends then backends.all.${name} else null;
      toolkit = if backend == null then null else backend.toolkit;
    in
    declareSection {
      meaning = "A build of Torch.";
      keys = {
        torch = {
          type = "version";
          required = true;
          meaning = "Version of Torch.";
        };
        backend = {
          type = "string";
          required = true;
          allowed = schema.backends;
          meaning = "Backend that it is for.";
        };
        systems = {
          type = "strings";
          required = true;
          allowed = if backend == null then null else backend.systems;
          meaning = "Systems that it exists for.";
        };
        bundle = {
          type = "bool";
          default = true;
          meaning = "Whether bundles have its variants.";
        };
      }
      // optionalAttrs (backend == null || toolkit != null) {
        toolkit = {
          type = "version";
          required = backend != null;
          allowed = if toolkit == null then null else attrNames toolkit.releases;
          meaning = "Version of the backend's toolkit.";
        };
        ptxas = {
          type = "version";
          allowed = if toolkit == null then null else attrNames toolkit.releases;
          meaning = "Version of the toolkit whose ptxas is wanted instead of its own.";
        };
      };
    };

  hosts = declareSection {
    meaning = "Where its parts come from.";
    keys = {
      torch = {
        type = "string";
        default = "download.pytorch.org";
        meaning = "Where Torch comes from.";
      };
      toolkit = {
        type = "string";
        meaning = "Where the toolkit comes from; when absent, from its vendor.";
      };
    };
  };

  # A key that is null is not there.
  stated = row: removeAttrs row (filter (key: row.${key} == null) (attrNames row));

  example = head (filter (backend: backend.isEverywhere) (attrValues backends.all));

  formProblems =
    at: keys:
    checkSection {
      inherit at;
      section = keys;
      parts = [ "hosts" ];
      wanted = "a set such as { torch = \"2.13.0\"; backend = \"${example.name}\"; systems = [ \"x86_64-linux\" ]; }";
      begin = "return rows like those of `defaults`";
      place = at;
    };

  rowProblems =
    at: row:
    let
      backend = row.backend or null;
      hasNone = elem backend schema.backends && backends.all.${backend}.toolkit == null;
      stray = optionals (hasNone && row ? toolkit) [ "toolkit" ];
    in
    formProblems at (keysFor backend) (removeAttrs row stray)
    ++ map (key: {
      at = "${at}.${key}";
      found = showValue row.${key};
      want = "no toolkit: the ${backend} backend has none";
      fix = "delete the key";
    }) stray
    ++ checkSection {
      at = "${at}.hosts";
      section = hosts;
      wanted = "a set with torch and toolkit";
      begin = "write { torch = \"registry\"; toolkit = \"registry\"; }";
      place = "${at}.hosts";
    } (row.hosts or { });
in
{
  /**
    What is wrong with a row of the matrix.

    # Type

    ```
    checkRow :: { at :: String; } -> Row -> [Problem]
    ```
  */
  checkRow =
    { at }:
    row:
    if isAttrs row then rowProblems at (stated row) else formProblems at (keysFor null) row;

  /**
    A row without problems, with the keys that it left out.

    # Type

    ```
    completeRow :: Row -> Row
    ```
  */
  completeRow =
    row:
    let
      given = fillSection hosts (row.hosts or { });
    in
    removeAttrs (fillSection (keysFor row.backend) row) (optionals (row.ptxas or null == null) [ "ptxas" ])
    // {
      toolkit = row.toolkit or null;
      hosts = given // {
        toolkit = if given.toolkit == null then backends.all.${row.backend}.host else given.toolkit;
      };
    };
}
