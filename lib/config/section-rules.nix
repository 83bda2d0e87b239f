# The rules by which sections that list one source are joined: a source is compiled once, whichever sections list it.
{ values, ... }:
let
  inherit (builtins)
    attrNames
    concatLists
    concatMap
    filter
    fromJSON
    head
    mapAttrs
    readFile
    ;
  inherit (values.lists) optionals unique;

  joins = {
    first = head;
    union = lists: unique (concatLists lists);
    listsByKey = sets: mapAttrs (key: _: concatLists (unique (map (set: set.${key}) sets))) (head sets);
  };

  first.join = "first";

  self = {
    /**
      The rules by field. A field without a rule must agree: build.toml is refused if sections with other values list
      the same source. Fields that choose or name a section, and those that are computed from a joined one, are those
      of the first section. A rule `warns` if users may not know that each value is in force for the code of the other
      sections, too.

      Type: rules :: { ${field} :: { join :: String; warns :: Bool; }; }
    */
    rules = fromJSON (readFile ./section-rules.json);

    /**
      The section that compiles a source which these sections list. Lists are joined in the order of the sections.

      Type: joinFields :: [Section] -> Section
    */
    joinFields =
      sections:
      mapAttrs (
        field: _: joins.${(self.rules.${field} or first).join} (map (section: section.${field}) sections)
      ) (head sections);

    /**
      The keys of build.toml in which two sections differ that list the same source: those that are joined with a
      warning, and those that must agree.

      Type: describeDifferences :: Section -> Section -> { joined, refused :: [String]; }
    */
    describeDifferences =
      one: other:
      let
        differs = one: other: filter (key: one.${key} != other.${key}) (attrNames one);
        differing = differs one other;
        isWarned = field: self.rules.${field}.warns or false;
        # The fields of `flags` are keys of build.toml.
        keysOf =
          field: if self.rules.${field}.join == "listsByKey" then differs one.${field} other.${field} else [ field ];
      in
      {
        joined = concatMap (field: optionals (isWarned field) (keysOf field)) differing;
        refused = filter (field: !self.rules ? ${field}) differing;
      };
  };
in
self
