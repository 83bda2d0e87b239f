# The keys of build.toml. Validation, defaults, "did you mean", the documentation and the JSON Schema
# for editors are all derived from this table.
#
# sections.json has the keys of each section. A key of `shared` has the same fields in all sections, except for those
# that a section states. What depends on the backends is here.
{ values, tables, backends, frameworks, ... }:
let
  inherit (builtins) attrNames attrValues elem filter foldl' fromJSON head listToAttrs mapAttrs readFile
    replaceStrings;
  inherit (values.attributes) optionalAttrs;
  inherit (tables.reader) declareSection;

  edition = 5;
  backendNames = attrNames backends.all;

  # The backend that a word of another tool means.
  findBackend =
    word:
    let
      named = filter (name: elem word backends.all.${name}.aliases) backendNames;
    in
    if named == [ ] then null else head named;

  table = fromJSON (readFile ./sections.json);

  # A section of the table with more keys, and with more fields of its keys.
  declare =
    name: more:
    let
      section = table.sections.${name};
      completeKey = key: _: table.shared.${key} or { } // section.keys.${key} or { } // more.${key} or { };
    in
    declareSection (section // { keys = mapAttrs completeKey (section.keys // more); });

  # The key that lists a backend's targets, if it has any.
  targetsKey =
    { targets, ... }:
    fields:
    optionalAttrs (targets != null) {
      ${targets.key} = { type = "strings"; inherit (targets) correct form pattern; } // fields;
    };
  ofBackends = keysOf: foldl' (keys: backend: keys // keysOf backend) { } (attrValues backends.all);
  noarchKeys =
    backend: targetsKey backend { since = 5; meaning = backend.targets.noarchMeaning; };
  # Keys that only components of this backend have.
  componentKeys =
    backend:
    mapAttrs (_: key: key // { backends = [ backend.name ]; }) (
      backend.componentKeys // targetsKey backend { inherit (backend.targets) meaning; }
    );

  generalOf =
    backend:
    let
      section = declare "general.BACKEND" backend.generalKeys;
    in
    {
      name = "general.${backend.name}";
      value = section // { meaning = replaceStrings [ "BACKEND" ] [ backend.name ] section.meaning; };
    };
in
{
  /** All backends, sorted. */
  backends = backendNames;

  /** The newest edition of build.toml, which is also the edition of a file that does not state one. */
  inherit edition;

  /** The framework sections. A kernel has exactly one of them. */
  frameworks = attrNames frameworks.all;

  /** Every section by its dotted name; `kernel.NAME` stands for any number of them. */
  sections = {
    # The version has a default, because the `kernels` client refuses metadata without one.
    general = declare "general" { edition.default = edition; backends = { allowed = backendNames; correct = findBackend; }; };
    "general.hub" = declare "general.hub" { repo-id = { inherit (values.repository) pattern; }; };
    "kernel.NAME" = declare "kernel.NAME" (
      ofBackends componentKeys
      # A backend without languages supports only kernels without compiled code.
      // {
        backend = {
          allowed = filter (name: backends.all.${name}.languages != { }) backendNames;
          correct = findBackend;
        };
      }
    );
  }
  // mapAttrs (
    name: framework: declare name (optionalAttrs (!framework.isCompiled) (ofBackends noarchKeys))
  ) frameworks.all
  // listToAttrs (map generalOf (attrValues backends.all));
}
