# The builds of Torch that kernels are built for (matrix.json). The argument `torchVersions` of a kernel's
# flake can change the list.
{ values, messages, matrix, ... }:
let
  inherit (builtins) all any attrValues concatLists concatMap elemAt filter fromJSON genList;
  inherit (builtins) groupBy head isFunction isList length readFile tail typeOf;
  inherit (values.lists) groupInOrder optional;
  inherit (messages.check) checkElements throwProblems;
  inherit (matrix.names) nameVariant;
  inherit (matrix.row) checkRow readRow;

  problems = messages.catalogue.readCatalogue ./torch-builds.json;

  # A row's claims, which no other row may have: the names of its variants, and the build of its wheel.
  listClaims =
    at: row:
    map (claim: { inherit at claim; }) (
      [ (nameVariant { inherit (row) torch compute system; }) ]
      ++ optional (row ? wheel) "the wheel for ${row.wheel.build} on ${row.system}"
    );

  # `rows` has the Rows of each element of the list.
  repeatProblems =
    rows:
    concatMap (
      places:
      map (place: problems.repeated { inherit (place) at claim; first = (head places).at; }) (tail places)
    ) (
      attrValues (
        groupBy (place: place.claim) (
          concatLists (
            genList (
              index: concatMap (listClaims "torchVersions[${toString index}]") (elemAt rows index)
            ) (length rows)
          )
        )
      )
    );

  readDefault = map (row: { inherit row; builds = readRow row; }) self.default;
  isOfRegistries = row: row.hosts == [ "registry" ];

  self = {
    /** All builds of Torch that this version of kernel-builder knows, as a flake's `torchVersions` gets them. */
    default = fromJSON (readFile ./matrix.json);

    /** All builds of Torch that this version of kernel-builder knows. */
    knownRows = concatMap (each: each.builds) readDefault;

    /** The known rows whose Torch and toolkit both come from package registries. */
    registryRows = filter isOfRegistries self.knownRows;

    /** The builds whose Torch and toolkit both come from package registries, limited to the systems where they do. */
    fromRegistries = filter (row: row.systems != [ ]) (
      map (
        { row, builds }:
        row // { systems = map (build: build.system) (filter isOfRegistries builds); }
      ) readDefault
    );

    /**
      The Rows of a list as a flake writes it, and all of its problems, without throwing. Use `rows` only if `problems`
      is empty.

      Type: inspectRows :: a -> { problems :: [Problem]; rows :: [Row]; }
    */
    inspectRows =
      elements:
      let
        ofElements = checkElements "torchVersions" checkRow elements;
        rows = map readRow elements;
      in
      {
        rows = concatLists rows;
        problems =
          if isFunction elements then
            [ (problems.function { }) ]
          else if !isList elements then
            [ (problems.no-list { type = typeOf elements; }) ]
          else if elements == [ ] then
            [ (problems.empty { }) ]
          else if ofElements != [ ] then
            ofElements
          else
            repeatProblems rows;
      };

    /**
      The builds that a kernel is built for, one Row for each system. `torchVersions` is a list of rows, or a function
      from the default rows to such a list.

      # Example

      ```nix
      readRows { torchVersions = defaults: builtins.filter (row: row ? cpu) defaults; }
      => [ { torch = "2.9.0"; backend = "cpu"; system = "x86_64-linux"; … } … ]
      ```

      Type: readRows :: { torchVersions :: ([AttrSet] -> [AttrSet]) | [AttrSet]; } -> [Row]

      # Errors

      All problems of the rows at once.
    */
    readRows =
      { torchVersions }:
      let
        returned = if isFunction torchVersions then torchVersions self.default else torchVersions;
        inherit (self.inspectRows returned) problems rows;
      in
      # Two lists of our own are read already: a test compares both readings.
      if returned == self.default then
        self.knownRows
      else if returned == self.fromRegistries then
        self.registryRows
      else
        throwProblems "torchVersions cannot be used" problems rows;

    /**
      The rows whose version of Torch the matrix has for every backend with a toolkit; all rows if there
      is no such version. Most users do not yet have a Torch that only some backends support.

      Type: selectCommonRows :: [Row] -> [Row] -> [Row]
    */
    selectCommonRows =
      matrix:
      let
        byBackend = groupInOrder (row: row.backend) (filter (row: row.toolkit != null) matrix);
        isCommon = row: all (any (other: other.torch == row.torch)) byBackend;
      in
      rows:
      let
        common = filter isCommon rows;
      in
      if common == [ ] then rows else common;
  };
in
self
