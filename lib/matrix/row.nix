# The keys of a row of the matrix, and their defaults. A row is a build of Torch and the systems that it exists for.
{
  values,
  messages,
  tables,
  backends,
  config,
  matrix,
  ...
}:
let
  inherit (builtins)
    attrNames
    attrValues
    elem
    filter
    head
    isAttrs
    mapAttrs
    removeAttrs
    ;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) showValue;
  inherit (tables.reader) checkSection declareSection fillSection;
  inherit (config) schema;
  inherit (matrix.ownWheel) checkWheel;

  # The keys of a row depend on its backend. If the backend is unknown, `backend` is null and only types are checked.
  declareKeys =
    backend:
    let
      toolkit = if backend == null then null else backend.toolkit;
      release = {
        type = "release";
        allowed = if toolkit == null then null else attrNames toolkit.releases;
      };
    in
    declareSection {
      meaning = "A build of Torch.";
      keys = {
        torch = {
          type = "release";
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
        toolkit = release // {
          required = backend != null;
          meaning = "Version of the backend's toolkit.";
        };
        ptxas = release // {
          meaning = "Version of the toolkit whose ptxas is wanted instead of its own.";
        };
      };
    };

  # Declared once for all rows.
  keysOf = mapAttrs (_: declareKeys) backends.all;
  keysFor = name: if elem name schema.backends then keysOf.${name} else declareKeys null;

  # A key whose value is null counts as absent.
  stated = row: removeAttrs row (filter (key: row.${key} == null) (attrNames row));

  example = head (filter (backend: backend.isEverywhere) (attrValues backends.all));

  formProblems =
    at: keys:
    checkSection {
      inherit at;
      section = keys;
      wanted = "a set such as { torch = \"2.13.0\"; backend = \"${example.name}\"; systems = [ \"x86_64-linux\" ]; }";
      begin = "return rows like those of `defaults`";
      place = at;
      parts = [ "wheel" ];
    };

  rowProblems =
    at: row:
    let
      backend = row.backend or null;
      hasNoToolkit = elem backend schema.backends && backends.all.${backend}.toolkit == null;
      stray = optionals (hasNoToolkit && row ? toolkit) [ "toolkit" ];
      problems =
        formProblems at (keysFor backend) (removeAttrs row stray)
        ++ map (key: {
          at = "${at}.${key}";
          found = showValue row.${key};
          want = "no toolkit: the ${backend} backend has none";
          fix = "delete the key";
        }) stray;
    in
    problems
    ++ optionals (row ? wheel) (
      checkWheel {
        at = "${at}.wheel";
        row = if problems == [ ] then self.completeRow row else null;
      } row.wheel
    );

  self = {
    /**
      Return the problems of a row of the matrix.

      Type: checkRow :: { at :: String; } -> Row -> [Problem]
    */
    checkRow =
      { at }:
      row:
      if isAttrs row then rowProblems at (stated row) else formProblems at (keysFor null) row;

    /**
      Add the defaults to a row without problems.

      Type: completeRow :: Row -> Row
    */
    completeRow =
      row:
      {
        toolkit = null;
      }
      // removeAttrs (fillSection (keysFor row.backend) row) (optionals (row.ptxas or null == null) [ "ptxas" ])
      # A variant for such a wheel does not belong on the Hub, so bundles lack it unless the row sets `bundle`.
      // optionalAttrs (row.wheel or null != null) {
        inherit (row) wheel;
        bundle = row.bundle or false;
      };
  };
in
self
