# Which names a TOML file has defined so far.
#
# A value has nothing below it, and nothing is defined twice; only an array of
# tables (`[[name]]`) repeats its name.
_:
let
  inherit (builtins)
    any
    elemAt
    genList
    length
    listToAttrs
    toJSON
    ;

  prefixesOf = parts: genList (count: toJSON (genList (elemAt parts) count)) (length parts);

  setOf =
    names:
    listToAttrs (
      map (name: {
        inherit name;
        value = null;
      }) names
    );
in
{
  /** No names yet. */
  none = {
    values = { };
    tables = { };
    headers = { };
    arrays = { };
  };

  /**
    Add a value by the parts of its full name; null if that name is taken.

    # Type

    ```
    addValue :: [String] -> Names -> Names | Null
    ```
  */
  addValue =
    parts: names:
    let
      name = toJSON parts;
      above = prefixesOf parts;
    in
    if names.tables ? ${name} || any (prefix: names.values ? ${prefix}) (above ++ [ name ]) then
      null
    else
      names
      // {
        values = names.values // setOf [ name ];
        tables = names.tables // setOf above;
      };

  /**
    Add a table by the parts of its header; null if that name is taken.

    # Type

    ```
    addTable :: { isArray :: Bool; } -> [String] -> Names -> Names | Null
    ```
  */
  addTable =
    { isArray }:
    parts: names:
    let
      name = toJSON parts;
      above = prefixesOf parts;
      isTaken =
        if isArray then
          names.tables ? ${name} && !names.arrays ? ${name}
        else
          names.headers ? ${name};
    in
    if isTaken || any (prefix: names.values ? ${prefix}) (above ++ [ name ]) then
      null
    else
      names
      // {
        tables = names.tables // setOf (above ++ [ name ]);
        headers = names.headers // setOf [ name ];
        arrays = names.arrays // setOf (if isArray then [ name ] else [ ]);
      };
}
