# Checks the records in docs/reference/status.json, which say how rows of the matrix were tested.
#
# A record is `{ rows; word; date; what; }`: the selected rows of the matrix, how far each of them was
# tested, the day, and what was done. `versions` are the versions that were tested; a record counts only
# while these are still pinned. `instead` names what replaced the pinned toolkit or Torch; a row needs
# another record beside such a one, and `compiler` is the one that replaced the pinned one. `on` is the machine that
# loaded the variant. `shown` is the page or the tests with more about it.
{ library, rows }:
let
  inherit (builtins)
    all
    any
    attrNames
    attrValues
    concatMap
    elem
    elemAt
    filter
    genList
    head
    intersectAttrs
    isAttrs
    isList
    length
    map
    toJSON
    ;
  inherit (library.values) lists;
  inherit (library.messages) check;
  inherit (library.tables) reader;
  inherit (library.config) schema;

  words = import ./words.nix;
  wordNamed = name: head (filter (word: word.name == name) words);

  isLoaded =
    record:
    elem record.word [
      "run on a GPU"
      "run on a CPU"
      "imported"
    ];
  isLinked = record: isLoaded record || record.word == "linked";
  isCompiled = record: isLinked record || record.word == "compiled";

  string = meaning: {
    type = "string";
    inherit meaning;
  };
  required = key: key // { required = true; };
  listOf = meaning: {
    type = "strings";
    inherit meaning;
  };

  forms = builtins.mapAttrs (
    meaning: keys: reader.declareSection { inherit meaning keys; }
  ) {
    host.reached = required {
      type = "bool";
      meaning = "Whether anything was fetched from it.";
    };
    absent.why = required (string "Why there is no such row.");
    done = {
      word = required (string "The strongest word.") // {
        allowed = map (word: word.name) words;
      };
      date = required (string "The day.") // {
        pattern = "20[0-9]{2}-[01][0-9]-[0-3][0-9]";
        form = "a day such as \"2026-11-22\"";
      };
      what = required (string "What was done.");
      shown = string "Where there is more.";
      on = string "The machine that loaded it.";
      instead = string "What stood in for what is pinned.";
      compiler = string "The compiler that stood in for the pinned one.";
    };
    # Rows are listed by name: a rule would also cover later rows, which nobody has tested.
    rows = {
      backend = required (string "Their backend.") // {
        allowed = schema.backends;
      };
      torch = required (listOf "Their versions of Torch.");
      systems = required (listOf "Their systems.");
      toolkit = listOf "Their toolkits, where the backend has such.";
    };
  };

  formProblems =
    form: parts: at: value:
    reader.checkSection {
      inherit at parts;
      section = forms.${form};
      wanted = "an object";
      begin = "write {…}";
      place = at;
    } value;

  withRows =
    form: parts: at: value:
    formProblems form ([ "rows" ] ++ parts) at value
    ++ (
      if isAttrs value && isList (value.rows or null) then
        check.checkElements { at = "${at}.rows"; } (formProblems "rows" [ ]) value.rows
      else
        [
          {
            at = "${at}.rows";
            found = check.showValue (value.rows or null);
            want = "a list of rows: objects with a backend, lists of torch, toolkit and systems";
            fix = "write [{…}]";
          }
        ]
    );

  selects =
    selection: row:
    row.backend == selection.backend
    && elem row.torch selection.torch
    && elem row.system selection.systems
    && elem row.toolkit (selection.toolkit or [ null ]);
  isOf = row: record: any (selection: selects selection row) record.rows;
  rowsOf = record: filter (row: isOf row record) rows;
  numbered =
    records:
    genList (index: elemAt records index // { number = index + 1; }) (length records);

  # Values of a selection that no row has together with its other values.
  unmatchedProblems =
    at: selection:
    let
      fields = {
        torch = "torch";
        toolkit = "toolkit";
        systems = "system";
      };
      found = filter (selects selection) rows;
      ofValue =
        key: at: value:
        if any (row: row.${fields.${key}} == value) found then
          [ ]
        else
          [
            {
              inherit at;
              found = toJSON value;
              want = "what a row of the matrix has, together with the rest of the selection";
              fix = "correct it, or delete it";
            }
          ];
    in
    concatMap (key: check.checkElements { at = "${at}.${key}"; } (ofValue key) selection.${key}) (
      attrNames (intersectAttrs fields selection)
    );

  claimProblems =
    unreached: at: record: row:
    let
      word = wordNamed record.word;
      isStandIn = record ? instead;
      obstacle =
        if !isStandIn then
          word.obstacle unreached row
        else if elem record.word [ "compiled" "linked" ] then
          word.obstacle [ ] row
        else if record.word == "run on a CPU" then
          (wordNamed "linked").obstacle [ ] row
        else
          "what stands in for it is loaded on a CPU alone";
      stated = record.versions or { };
      isOther = name: row.versions ? ${name} && stated.${name} or null != row.versions.${name};
    in
    if obstacle != null then
      [
        {
          at = "${at}.word";
          found = "${toJSON record.word} of ${row.name}";
          want = "a word that can be true: ${obstacle}";
          fix = "say less of this row";
        }
      ]
    else
      map (name: {
        at = "${at}.versions.${name}";
        found = toJSON (stated.${name} or null);
        want = "${toJSON row.versions.${name}}, which is pinned for ${row.name}";
        fix = "do it again with what is pinned, or say less of this row";
      }) (filter isOther (if isStandIn then [ ] else word.made));

  # A key that records have if, and only if, `isNeeded`.
  keyProblems =
    at: record: key: isNeeded: reason:
    if record ? ${key} == isNeeded then
      [ ]
    else
      [
        {
          at = "${at}.${key}";
          found = check.showValue (record.${key} or null);
          want = "${if isNeeded then "a text" else "nothing"}: ${reason}";
          fix = if isNeeded then "add ${key}" else "delete it, or correct the record";
        }
      ];

  hostProblems =
    stated:
    let
      named = lists.unique (concatMap (row: attrValues row.hosts) rows);
    in
    check.checkKeys {
      at = "hosts";
      known = named;
    } stated
    ++ concatMap (
      host:
      formProblems "host" [ ] (check.appendKey "hosts" host) (stated.${host} or null)
    ) named;
in
{
  inherit
    isCompiled
    isLinked
    isLoaded
    words
    ;

  /** The records, each with the `number` by which the page calls it. */
  numbered = data: numbered data.done;

  /** Those of a row, the strongest word first. */
  recordsOf =
    data: row:
    let
      found = filter (isOf row) (numbered data.done);
      ofWord = word: filter (record: record.word == word.name) found;
    in
    concatMap ofWord words;

  /** What is wrong with the data; of data in a wrong form, no more than that. */
  problems =
    data:
    let
      form =
        hostProblems data.hosts
        ++ check.checkElements { at = "done"; } (withRows "done" [ "versions" ]) data.done
        ++ check.checkElements { at = "absent"; } (withRows "absent" [ ]) data.absent;

      unreached = filter (host: !data.hosts.${host}.reached) (attrNames data.hosts);
      ofRecord =
        at: record:
        keyProblems at record "on" (isLoaded record)
          "a variant that is ${record.word} is ${if isLoaded record then "" else "not "}loaded"
        ++ keyProblems at record "compiler" (record ? instead) "the pinned compiler is ${
          if record ? instead then "replaced" else "in versions"
        }"
        ++ check.checkElements { at = "${at}.rows"; } unmatchedProblems record.rows
        ++ concatMap (claimProblems unreached at record) (rowsOf record);
      ofAbsent =
        at: absent:
        map (row: {
          at = "${at}.rows";
          found = row.name;
          want = "what is not in the matrix";
          fix = "delete it: there is such a row";
        }) (rowsOf absent);
      isSilent = row: all (record: record ? instead || !isOf row record) data.done;
      ofRow = row: {
        at = "done";
        found = "nothing of ${row.name}, with Torch ${row.torch}";
        want = "every row of the matrix";
        fix = "say what was done with it, and when";
      };
    in
    if form != [ ] then
      form
    else
      check.checkElements { at = "done"; } ofRecord data.done
      ++ check.checkElements { at = "absent"; } ofAbsent data.absent
      ++ map ofRow (filter isSilent rows);
}
