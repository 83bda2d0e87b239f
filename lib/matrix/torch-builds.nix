# The builds of Torch that kernels are built for (matrix.json). The argument `torchVersions` of a kernel's
# flake can change the list.
{ messages, matrix, ... }:
let
  inherit (builtins)
    attrValues
    concatLists
    concatMap
    elemAt
    filter
    genList
    groupBy
    head
    isFunction
    isList
    length
    tail
    toJSON
    typeOf
    ;
  inherit (messages.check) checkElements throwProblems;
  inherit (matrix.names) nameVariant;
  inherit (matrix.origins) knownRows listHosts;
  inherit (matrix.published)
    checkPublishedKeys
    readPublishedRow
    rewriteProblems
    writePublishedRow
    ;
  inherit (matrix.row) checkRow completeRow;

  problem = found: want: fix: [
    {
      at = "torchVersions";
      inherit found want fix;
    }
  ];

  # The names of all variants of the rows, with their places.
  placesOf =
    rows:
    concatLists (
      genList (
        index:
        let
          row = elemAt rows index;
        in
        map (system: {
          at = "torchVersions[${toString index}]";
          name = nameVariant {
            inherit system;
            inherit (row) torch backend toolkit;
          };
        }) row.systems
      ) (length rows)
    );

  repeatProblems =
    rows:
    concatMap (
      places:
      map (place: {
        inherit (place) at;
        found = "${toJSON place.name}, which ${(head places).at} has already";
        want = "every variant once";
        fix = "delete one of the two rows, or change its systems";
      }) (tail places)
    ) (attrValues (groupBy (place: place.name) (placesOf rows)));

  readRow = readPublishedRow { defaults = self.default; };

  self = {
    /** All builds of Torch that this version of kernel-builder knows. */
    default = knownRows;

    /** The builds whose Torch and toolkit both come from package registries, limited to the systems where they do. */
    fromRegistries = filter (row: row.systems != [ ]) (
      map (
        row:
        let
          isFromRegistries =
            system:
            listHosts {
              inherit (row) torch backend toolkit;
              inherit system;
              ptxas = null;
            } == [ "registry" ];
        in
        row // { systems = filter isFromRegistries row.systems; }
      ) self.default
    );

    /**
      Problems of a list of rows, which may have the spelling of published flakes.

      Type: checkRows :: [Row] -> [Problem]
    */
    checkRows =
      rows:
      let
        problemsOfRow =
          at: row:
          let
            problems = checkPublishedKeys { inherit at; } row;
          in
          if problems != [ ] then problems else rewriteProblems { inherit at row; } (checkRow { inherit at; } (readRow row));
        ofRows = checkElements { at = "torchVersions"; } problemsOfRow rows;
      in
      if isFunction rows then
        problem "a function that returns a function" "a function from the default rows to a list"
          "write torchVersions = defaults: [ … ]"
      else if !isList rows then
        problem "a ${typeOf rows}" "a list of rows like those of `defaults`" "return a list"
      else if rows == [ ] then
        problem "an empty list" "at least one row"
          "return some of `defaults`, or leave torchVersions out"
      else if ofRows != [ ] then
        ofRows
      else
        repeatProblems (map (row: completeRow (readRow row)) rows);

    /**
      The rows that a kernel is built for. `torchVersions` is a list of rows, or a function from the
      default rows to such a list. Rows may have the spelling of published flakes.

      # Example

      ```nix
      readRows { torchVersions = defaults: builtins.filter (row: row.backend == "cpu") defaults; }
      => [ { torch = "2.9.0"; backend = "cpu"; … } … ]
      ```

      Type: readRows :: { torchVersions :: ([Row] -> [Row]) | [Row]; } -> [Row]

      # Errors

      All problems of the rows at once.
    */
    readRows =
      { torchVersions }:
      let
        returned =
          if isFunction torchVersions then torchVersions (map writePublishedRow self.default) else torchVersions;
      in
      throwProblems "torchVersions cannot be used" (self.checkRows returned) (
        map (row: completeRow (readRow row)) returned
      );
  };
in
self
