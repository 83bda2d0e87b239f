# The builds of Torch that kernels are built for, as data (matrix.json), and the
# check of what a kernel's own `torchVersions` makes of them.
{
  check,
  entry,
  names,
  ...
}:
let
  inherit (builtins)
    all
    attrValues
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

  problem = found: want: fix: [
    {
      at = "torchVersions";
      inherit found want fix;
    }
  ];

  # Every variant name that the entries give, with its place.
  placesOf =
    entries:
    concatLists (
      genList (
        index:
        let
          row = elemAt entries index;
        in
        map (system: {
          at = "torchVersions[${toString index}]";
          name = names.variantName {
            inherit system;
            inherit (row) torch backend toolkit;
          };
        }) row.systems
      ) (length entries)
    );

  repeatProblems =
    entries:
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
                fix = "delete one of the two entries, or change its systems";
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
    } (placesOf entries)).problems;

  self = {
    /** All builds that this version of kernel-builder knows. */
    default = fromJSON (readFile ./matrix.json);

    /** The builds whose Torch and toolkit both come from package registries. */
    fromRegistries = filter (row: all (host: host == "registry") (attrValues row.hosts)) self.default;

    /**
      What is wrong with a matrix.

      # Type

      ```
      problems :: [Entry] -> [Problem]
      ```
    */
    problems =
      entries:
      let
        ofEntries = check.each { at = "torchVersions"; } (at: entry.problems { inherit at; }) entries;
      in
      if isFunction entries then
        problem "a function that returns a function" "a function from the default entries to a list"
          "write torchVersions = defaults: [ … ]"
      else if !isList entries then
        problem "a ${typeOf entries}" "a list of entries like those of `defaults`" "return a list"
      else if entries == [ ] then
        problem "an empty list" "at least one entry"
          "return some of `defaults`, or leave torchVersions out"
      else if ofEntries != [ ] then
        ofEntries
      else
        repeatProblems (map entry.complete entries);

    /**
      The matrix that a kernel is built for: what its `torchVersions` function
      makes of the default one, or the list that stands in its place.

      # Example

      ```nix
      fromUser { torchVersions = defaults: builtins.filter (row: row.backend == "cpu") defaults; }
      => [ { torch = "2.9.0"; backend = "cpu"; … } … ]
      ```

      # Type

      ```
      fromUser :: { torchVersions :: ([Entry] -> [Entry]) | [Entry]; } -> [Entry]
      ```
    */
    fromUser =
      { torchVersions }:
      let
        entries = if isFunction torchVersions then torchVersions self.default else torchVersions;
      in
      check.orThrow "torchVersions cannot be used" (self.problems entries) (map entry.complete entries);
  };
in
self
