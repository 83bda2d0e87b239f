# The problems of files that differ from `base`, a correct build.toml, in a few keys: null deletes a key.
{ root, base }:
let
  inherit (builtins) attrNames concatStringsSep filter isAttrs isList listToAttrs mapAttrs toJSON;
  inherit (import ../../../lib) config;

  change =
    old: new:
    if isAttrs old && isAttrs new then
      listToAttrs (
        map (name: {
          inherit name;
          value = if new ? ${name} then change old.${name} or { } new.${name} else old.${name};
        }) (filter (name: new.${name} or "" != null) (attrNames (old // new)))
      )
    else
      new;

  writeToml =
    value:
    if isAttrs value then
      "{ ${concatStringsSep ", " (map (key: "${toJSON key} = ${writeToml value.${key}}") (attrNames value))} }"
    else if isList value then
      "[${concatStringsSep ", " (map writeToml value)}]"
    else
      toJSON value;

  writeFile =
    file: concatStringsSep "\n" (map (key: "${toJSON key} = ${writeToml file.${key}}") (attrNames file));
in
mapAttrs (
  _: changes:
  (config.buildToml.inspectConfig { inherit root; text = writeFile (change base changes); }).problems
)
