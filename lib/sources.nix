# The files that build.toml names: do they exist, and may they be built?
#
# The kernel's root is only ever joined with relative paths. Interpolating it
# would copy the whole tree into the store and make it an input of everything.
# Links are refused altogether: Nix cannot say where a link leads, so one that
# leaves the tree cannot be told from one that stays.
{
  check,
  schema,
  spelling,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatLists
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    foldl'
    genList
    isString
    length
    listToAttrs
    match
    readDir
    split
    storeDir
    stringLength
    substring
    toJSON
    ;

  headers = [
    "cuh"
    "h"
    "hh"
    "hpp"
    "hxx"
    "inc"
    "inl"
    "ipp"
    "tpp"
  ];

  cxx = [
    "c"
    "cc"
    "cpp"
    "cxx"
  ];

  units = {
    cpu = cxx;
    cuda = cxx ++ [ "cu" ];
    metal = cxx ++ [
      "m"
      "metal"
      "mm"
    ];
    rocm = cxx ++ [
      "cu"
      "hip"
    ];
    xpu = cxx ++ [ "sycl" ];
  };

  endingOf =
    path:
    let
      found = match ".*\\.([A-Za-z0-9]+)" path;
    in
    if found == null then "" else elemAt found 0;

  components = path: filter (part: isString part && part != "" && part != ".") (split "/" path);

  # Where a relative path ends up: `..` is undone, or null where it leaves the root.
  normalise =
    path:
    let
      step =
        parts: part:
        if parts == null then
          null
        else if part != ".." then
          parts ++ [ part ]
        else if parts == [ ] then
          null
        else
          genList (elemAt parts) (length parts - 1);
      parts = foldl' step [ ] (components path);
    in
    if parts == null then
      null
    else if parts == [ ] then
      "."
    else
      concatStringsSep "/" parts;

  # A lookup `path -> type` in which every folder is listed once.
  walk =
    root: paths:
    let
      folders = concatMap (
        path:
        let
          parts = components path;
        in
        genList (count: concatStringsSep "/" (genList (elemAt parts) count)) (length parts)
      ) paths;
      listings = listToAttrs (
        map (folder: {
          name = folder;
          value = readDir (root + "/${folder}");
        }) folders
      );
      enter =
        state: part:
        let
          folder = if state.path == "" then part else "${state.path}/${part}";
          entries = listings.${state.path};
        in
        if state.type != "directory" then
          state
        else if entries ? ${part} then
          {
            path = folder;
            type = entries.${part};
            siblings = [ ];
          }
        else
          {
            path = folder;
            type = "missing";
            siblings = attrNames entries;
          };
    in
    path:
    foldl' enter {
      path = "";
      type = "directory";
      siblings = [ ];
    } (components path);

  isInStore =
    root: substring 0 (stringLength storeDir + 1) (toString root) == "${toString storeDir}/";

  missingFix =
    { root, path, siblings }:
    let
      guess = spelling.closest { candidates = siblings; } (baseNameOf path);
    in
    if guess != null then
      "did you mean ${toJSON guess}?"
    else if isInStore root then
      "git does not know the file, or it is not there: `git add -N ${path}`, or correct the path"
    else
      "create it, or correct the path";

  # What kind of thing is found where another was wanted.
  kindNames = {
    directory = "a folder";
    regular = "a file";
    symlink = "a symbolic link";
    unknown = "neither a file nor a folder";
  };

  entryProblems =
    {
      root,
      lookup,
      at,
      written,
      wanted,
    }:
    let
      path = normalise written;
      entry = lookup path;
      wantedKind = kindNames.${wanted};
      problem = found: want: fix: [
        {
          inherit
            at
            found
            want
            fix
            ;
        }
      ];
    in
    if written == "" then
      problem "an empty string" "the path of ${wantedKind}" "write the path, or delete the entry"
    else if substring 0 1 written == "/" then
      problem "the absolute path ${toJSON written}" "a path relative to the kernel's root"
        "move it into the kernel and name it from there"
    else if path == null then
      problem "${toJSON written}, which is outside the kernel" "a path inside the kernel's root"
        "move it into the kernel and name it from there"
    else if entry.type == "missing" then
      problem "${toJSON written}, which does not exist" wantedKind (missingFix {
        inherit root;
        inherit (entry) path siblings;
      })
    else if entry.type == "symlink" then
      problem "${toJSON entry.path}, which is a symbolic link" "${wantedKind} inside the kernel's root, without links on the way"
        "put the file or folder itself there"
    else if entry.type != wanted || entry.path != (if path == "." then "" else path) then
      problem "${toJSON written}, where ${toJSON entry.path} is ${kindNames.${entry.type}}" wantedKind
        "correct the path"
    else
      [ ];

  # Every path of a build.toml with its place, for one key of one section.
  entriesOf =
    at: wanted: list:
    genList (index: {
      inherit wanted;
      at = "${at}[${toString index}]";
      written = elemAt list index;
    }) (length list);

  sectionsOf =
    config:
    (
      if config.torch == null then
        [ ]
      else
        [
          {
            at = "torch";
            inherit (config.torch) src include;
            backends = schema.backends;
          }
        ]
    )
    ++ map (name: {
      at = check.under "kernel" name;
      inherit (config.kernel.${name}) src include;
      backends = filter (backend: backend == config.kernel.${name}.backend) schema.backends;
    }) (attrNames config.kernel);

  endingProblems =
    section:
    let
      allowed = headers ++ concatMap (backend: units.${backend}) section.backends;
      isWrong = entry: entry.written != "" && !elem (endingOf entry.written) allowed;
    in
    # A component without a backend has its problem already.
    if section.backends == [ ] then
      [ ]
    else
      map (entry: {
        inherit (entry) at;
        found = "${toJSON entry.written}, which no compiler of this backend takes";
        want = "a header or a source that ends in ${concatStringsSep ", " (map (ending: ".${ending}") allowed)}";
        fix = "correct the name, or delete the entry";
      }) (filter isWrong (entriesOf "${section.at}.src" "regular" section.src));

  # In one variant every unit may come once: two objects of one name, and the
  # same symbols twice when they are linked.
  repeatProblems =
    sections: backend:
    let
      here = filter (section: elem backend section.backends) sections;
      entries = filter (entry: elem (endingOf entry.written) units.${backend}) (
        concatMap (section: entriesOf "${section.at}.src" "regular" section.src) here
      );
      step =
        state: entry:
        let
          path = normalise entry.written;
        in
        if path == null then
          state
        else if state.seen ? ${path} then
          state
          // {
            problems = state.problems ++ [
              {
                inherit (entry) at;
                found = "${toJSON entry.written}, which ${state.seen.${path}} lists already";
                want = "every source once in the ${backend} variants";
                fix = "delete one of the two entries";
              }
            ];
          }
        else
          state
          // {
            seen = state.seen // {
              ${path} = entry.at;
            };
          };
    in
    (foldl' step {
      seen = { };
      problems = [ ];
    } entries).problems;

  emptyProblems =
    section:
    let
      isUnit = path: builtins.any (backend: elem (endingOf path) units.${backend}) section.backends;
    in
    if section.backends == [ ] || builtins.any isUnit section.src then
      [ ]
    else
      [
        {
          at = "${section.at}.src";
          found = if section.src == [ ] then "an empty list" else "only headers";
          want = "a source that can be compiled";
          fix = "add the sources";
        }
      ];

  unique =
    list:
    attrNames (
      listToAttrs (
        map (problem: {
          name = toJSON problem;
          value = null;
        }) list
      )
    );

  self = {
    inherit normalise;

    /** File name endings of headers. */
    headerEndings = headers;

    /** File name endings of translation units, by backend. */
    unitEndings = units;

    /**
      Is this source a translation unit of the backend, not a header?

      # Type

      ```
      isUnit :: { backend :: String; } -> String -> Bool
      ```
    */
    isUnit = { backend }: path: elem (endingOf path) units.${backend};

    /**
      What is wrong with the paths of a filled-in configuration.

      # Type

      ```
      problems :: { root :: Path; config :: Config; } -> [Problem]
      ```
    */
    problems =
      { root, config }:
      let
        sections = sectionsOf config;
        package = config.general.python-name;
        init = "torch-ext/${toString package}/__init__.py";
        listed = concatMap (
          section:
          entriesOf "${section.at}.src" "regular" section.src
          ++ entriesOf "${section.at}.include" "directory" section.include
        ) sections;
        paths = filter (path: path != null) (map (entry: normalise entry.written) listed);
        lookup = walk root (paths ++ [ init ]);
        # A source of [torch] is in every variant; its repeats are told once.
        repeats = map builtins.fromJSON (unique (concatMap (repeatProblems sections) config.general.backends));
      in
      concatLists [
        (concatMap (
          entry:
          entryProblems {
            inherit root lookup;
            inherit (entry) at written wanted;
          }
        ) listed)
        (concatMap endingProblems sections)
        (concatMap emptyProblems sections)
        repeats
        (
          if package == null then
            [ ]
          else
            entryProblems {
              inherit root lookup;
              at = init;
              written = init;
              wanted = "regular";
            }
        )
      ];
  };
in
self
