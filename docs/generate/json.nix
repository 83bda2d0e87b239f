# Formats a value as JSON for people: sorted keys, and two spaces for each level.
let
  inherit (builtins)
    attrNames
    concatStringsSep
    isAttrs
    isList
    map
    toJSON
    ;

  block =
    {
      open,
      close,
      lines,
      margin,
    }:
    if lines == [ ] then
      open + close
    else
      "${open}\n${concatStringsSep ",\n" (map (line: "${margin}  ${line}") lines)}\n${margin}${close}";

  write =
    margin: value:
    let
      inner = write "${margin}  ";
    in
    if isList value then
      block {
        open = "[";
        close = "]";
        lines = map inner value;
        inherit margin;
      }
    else if isAttrs value then
      block {
        open = "{";
        close = "}";
        lines = map (key: "${toJSON key}: ${inner value.${key}}") (attrNames value);
        inherit margin;
      }
    else
      toJSON value;
in
value: "${write "" value}\n"
