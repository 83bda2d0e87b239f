# The builds of Torch that kernels are built for, as data (matrix.json), and the
# check of what a kernel's own `torchVersions` makes of them.
{ messages, matrix, ... }:
let
  inherit (builtins)
    concatLists
    elemAt
    filter
    foldl'
    fromJSON
    genList
    isFunction
    isList
    length
    readFile
    typeOf
    toJSON
    ;
  inherit (messages.check) checkElements throwProblems;
  inherit (matrix.names) nameVariant;
  inherit (matrix.origins) listHosts;
  inherit (matrix.published) readPublishedRow writePublishedRow;
  inherit (matrix.row) checkRow completeRow;

  problem = found: want: fix: [
    {
      at = "torchVersions";
      inherit found want fix;
    }
  ];

  # Every variant name that the rows give, with its place.
  placesOf =
    rows:
    concatLists (
      genList (
        index:
        let
          one = elemAt rows index;
        in
        map (system: {
          at = "torchVersions[${toString index}]";
          name = nameVariant {
            inherit system;
            inherit (one) torch backend toolkit;
          };
        }) one.systems
      ) (length rows)
    );

  repeatProblems =
    rows:
    let
      step =
        state: place:
        if state.first ? ${place.name} then
          state
          // {
            problems = state.problems ++ [
              {
                inherit (place) at;
                found = "${toJSON place.name}, which ${state.first.${place.name}} gives already";
                want = "every variant once";
                fix = "delete one of the two rows, or change its systems";
              }
            ];
          }
        else
          state
          // {
            first = state.first // {
              ${place.name} = place.at;
            };
          };
    in
    (foldl' step {
      first = { };
      problems = [ ];
    } (placesOf rows)).problems;

  self = {
    /** All builds that this version of kernel-builder knows. */
    default = fromJSON (readFile ./matrix.json);

    /** The builds whose Torch and toolkit both come from package registries, with the systems for which they do. */
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
      What is wrong with a matrix.

      # Type

      ```
      checkRows :: [Row] -> [Problem]
      ```
    */
    checkRows =
      rows:
      let
        ofRows = checkElements { at = "torchVersions"; } (at: checkRow { inherit at; }) rows;
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
        repeatProblems (map completeRow rows);

    /**
      The matrix that a kernel is built for: what its `torchVersions` function
      makes of the default one, or the list that stands in its place. Rows may be spelt as
      published flakes do.

      # Example

      ```nix
      readRows { torchVersions = defaults: builtins.filter (row: row.backend == "cpu") defaults; }
      => [ { torch = "2.9.0"; backend = "cpu"; … } … ]
      ```

      # Type

      ```
      readRows :: { torchVersions :: ([Row] -> [Row]) | [Row]; } -> [Row]
      ```
    */
    readRows =
      { torchVersions }:
      let
        returned =
          if isFunction torchVersions then torchVersions (map writePublishedRow self.default) else torchVersions;
        read = readPublishedRow { defaults = self.default; };
        rows = if isList returned then map read returned else returned;
      in
      throwProblems "torchVersions cannot be used" (self.checkRows rows) (map completeRow rows);
  };
in
self
