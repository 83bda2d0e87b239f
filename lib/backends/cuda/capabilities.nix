# How CUDA capabilities are written: "9.0", "9.0a" with what only this one has, "10.0f" with what
# its family has, each with "+PTX" where its virtual architecture is wanted as well.
let
  inherit (builtins)
    attrNames
    compareVersions
    elem
    elemAt
    filter
    listToAttrs
    match
    replaceStrings
    sort
    ;

  pattern = "[0-9]+\\.[0-9][af]?(\\+PTX)?";

  number = target: elemAt (match "([0-9]+\\.[0-9]+).*" target) 0;

  # "9.0" beside "9.0+PTX" says nothing more.
  withoutRepeats =
    list:
    let
      names = attrNames (
        listToAttrs (
          map (name: {
            inherit name;
            value = null;
          }) list
        )
      );
    in
    filter (name: !elem "${name}+PTX" names) names;

  isBefore =
    a: b:
    let
      order = compareVersions (number a) (number b);
    in
    order < 0 || (order == 0 && a < b);
in
{
  inherit pattern;
  form = "a capability such as \"9.0\", \"9.0a\", \"10.0f\" or \"12.0+PTX\"";

  inOrder = list: sort isBefore (withoutRepeats list);

  # "9.0a" runs on a "9.0", as "9.0" and "9.0+PTX" do.
  deviceOf = number;

  # "9.0a+PTX" is compiled by whoever compiles "9.0a".
  compiledAs = replaceStrings [ "+PTX" ] [ "" ];
}
