# The rows of the matrix: builds of Torch, spelt as in published flakes. A row has `torchVersion`, one key for its
# backend (`cpu = true`, `cudaVersion`, …), `systems` and `bundleBuild`. `readRow` returns it as later stages see it.
{ values, messages, tables, backends, matrix, ... }:
let
  inherit (builtins) attrNames attrValues concatStringsSep filter fromJSON head intersectAttrs isAttrs;
  inherit (builtins) length listToAttrs mapAttrs readFile;
  inherit (values) versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optional optionals;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) appendKey;
  inherit (tables.reader) checkSection declareSection fillSection;
  inherit (matrix.names) nameCompute nameTorchBuild;
  inherit (matrix.origins) listHosts torchPins;
  inherit (matrix.ownWheel) checkWheel readWheel;

  problems = readCatalogue ./row-problems.json;
  # The keys of every row, and those of rows with a toolkit, which list its releases.
  table = fromJSON (readFile ./row-keys.json);

  # The key of a row that names its backend, and the version of the backend's toolkit.
  keyOf = backend: if backend.toolkit == null then backend.name else "${backend.name}Version";
  backendOfKey = listToAttrs (
    map (backend: { name = keyOf backend; value = backend; }) (attrValues backends.all)
  );

  example = head (filter (backend: backend.isEverywhere) (attrValues backends.all));

  declareBackendKey =
    backend:
    if backend.toolkit == null then
      { type = "bool"; meaning = "Whether the build is for ${backend.name}."; }
    else
      {
        type = "series";
        allowed = attrNames backend.toolkit.releases;
        meaning = "Version of ${backend.toolkit.name}.";
      };

  # The keys of a row for a backend; null if the row does not have exactly one.
  declareRow =
    backend:
    declareSection {
      meaning = "A build of Torch.";
      keys =
        mapAttrs (
          name: key: if name == "systems" && backend != null then key // { allowed = backend.systems; } else key
        ) table.every
        // optionalAttrs (backend != null && backend.toolkit != null) (
          mapAttrs (_: key: declareBackendKey backend // key) table.withToolkit
        )
      // mapAttrs (_: declareBackendKey) backendOfKey;
    };
  # Declared once for all rows.
  declared = mapAttrs (_: declareRow) backendOfKey;
  sectionOf =
    backendKeys: if length backendKeys == 1 then declared.${head backendKeys} else declareRow null;

  # A key whose value is null counts as absent, and `cpu = false` says only that the row is for another backend.
  removeAbsent =
    row:
    removeAttrs row (
      filter (
        key: row.${key} == null || backendOfKey ? ${key} && backendOfKey.${key}.toolkit == null && row.${key} == false
      ) (attrNames row)
    );
  backendKeysOf = row: attrNames (intersectAttrs backendOfKey row);

  rowProblems =
    at: row:
    let
      backendKeys = if isAttrs row then backendKeysOf row else [ ];
      choices = map (key: if backendOfKey.${key}.toolkit == null then "${key} = true" else key) (attrNames backendOfKey);
    in
    checkSection {
      inherit at;
      section = sectionOf backendKeys;
      wanted = "a set such as { torchVersion = \"2.13\"; ${example.name} = true; systems = [ \"x86_64-linux\" ]; }";
      begin = "return rows like those of `defaults`";
      place = at;
      parts = [ "wheel" ];
    } row
    ++ optional (isAttrs row && backendKeys == [ ]) (problems.no-backend { inherit at choices; })
    ++ optional (length backendKeys > 1) (
      problems.several-backends {
        at = concatStringsSep ", " (map (appendKey at) backendKeys);
        count = length backendKeys;
      }
    )
    ++ optionals (row ? wheel) (
      checkWheel { at = "${at}.wheel"; systems = row.systems or null; } row.wheel
    );
in
{
  /**
    Return the problems of a row of the matrix.

    Type: checkRow :: String -> a -> [Problem]
  */
  checkRow = at: row: rowProblems at (if isAttrs row then removeAbsent row else row);

  /**
    A row without problems, split into one Row for each of its systems.

    # Example

    ```nix
    readRow { torchVersion = "2.13"; cudaVersion = "13.0"; systems = [ "x86_64-linux" ]; bundleBuild = true; }
    => [ { torch = "2.13.0"; backend = "cuda"; toolkit = "13.0"; system = "x86_64-linux"; … } ]
    ```

    Type: readRow :: AttrSet -> [Row]
  */
  readRow =
    row:
    let
      present = removeAbsent row;
      key = head (backendKeysOf present);
      filled = fillSection declared.${key} present;
      release = filled.torchVersion;
      backend = backendOfKey.${key};
      # The release that the variants are named after.
      named = if backend.toolkit == null then null else filled.${key};
      computeOf = nameCompute backend.name;
      # Torch has no builds for some releases. Their kernels are built with the headers of another one's.
      compute = computeOf named;
      otherComputes = if named == null then [ ] else map computeOf (backend.toolkit.releases.${versions.majorMinor named}.torchOf or [ ]);
    in
    map (
      system:
      let
        build = {
          inherit system;
          # Wheels have the version 2.13.0, and rows "2.13".
          torch = if versions.majorMinor release == release then "${release}.0" else release;
          backend = backend.name;
          toolkit = if filled.compilerVersion or null == null then named else filled.compilerVersion;
          ptxas = filled.ptxasVersion or null;
        }
        // optionalAttrs (filled.pre != null) { inherit (filled) pre; }
        // optionalAttrs (present ? wheel) { wheel = readWheel present.wheel; };
        buildOf = compute: nameTorchBuild (build // { inherit compute; });
        pinned = filter (each: torchPins ? ${each}.${system}) (map buildOf otherComputes);
        torchBuild = head (pinned ++ [ (buildOf compute) ]);
      in
      build
      // {
        inherit compute named torchBuild;
        bundle = filled.bundleBuild && filled.pre == null;
        hosts = listHosts (build // { inherit torchBuild; });
      }
    ) filled.systems;
}
