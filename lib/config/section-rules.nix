# The rules by which sections that list one source are joined: a source is compiled once, whichever sections list it.
{ values, ... }:
let
  inherit (builtins) attrNames concatLists filter fromJSON head mapAttrs readFile;
  inherit (values.lists) optional unique;

  joins = {
    first = head;
    union = lists: unique (concatLists lists);
    unionByKey = sets: mapAttrs (key: _: concatLists (unique (map (set: set.${key}) sets))) (head sets);
  };

  self = {
    /**
      The rules by field. A field without a rule must agree: build.toml is refused if sections with other values list
      the same source. Fields that choose or name a section, and those that are computed from a joined one, are those
      of the first section.

      Type: rules :: { ${field} :: String; }
    */
    rules = fromJSON (readFile ./section-rules.json);

    /**
      The section that compiles a source which these sections list. Lists are joined in the order of the sections.

      Type: joinFields :: [Section] -> Section
    */
    joinFields =
      sections:
      mapAttrs (field: _: joins.${self.rules.${field} or "first"} (map (section: section.${field}) sections)) (
        head sections
      );

    /**
      The keys of build.toml in which two sections differ that list the same source: those that must agree (`refused`),
      and those that are `joined` although users may not know that each value is in force for the code of the other
      section, too.

      Type: describeDifferences :: Section -> Section -> { joined, refused :: [String]; }
    */
    describeDifferences =
      one: other:
      let
        differing = one: other: filter (key: one.${key} != other.${key}) (attrNames one);
      in
      {
        # The fields of `flags` are keys of build.toml.
        joined = differing one.flags other.flags ++ optional (one.include != other.include) "include";
        refused = filter (field: !self.rules ? ${field}) (differing one other);
      };
  };
in
self
