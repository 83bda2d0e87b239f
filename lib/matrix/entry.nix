# One entry of the matrix: what it may say, and what is filled in.
#
# An entry is `{ torch; backend; toolkit; systems; bundle; hosts; }`: a build of
# Torch and the systems that it exists for. `hosts` says where Torch and the
# toolkit come from: "registry" for what package registries carry, else a host.
{
  backends,
  check,
  schema,
  types,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    filter
    isAttrs
    isBool
    removeAttrs
    typeOf
    ;

  keys = [
    "backend"
    "bundle"
    "hosts"
    "systems"
    "toolkit"
    "torch"
  ];

  # What other tools call the same keys.
  otherNames = {
    bundleBuild = "bundle";
    cpu = "backend";
    cudaVersion = "toolkit";
    metal = "backend";
    rocmVersion = "toolkit";
    torchVersion = "torch";
    xpuVersion = "toolkit";
  };

  keyProblems =
    at: entry:
    let
      others = filter (key: entry ? ${key}) (attrNames otherNames);
    in
    map (key: {
      at = "${at}.${key}";
      found = "an unknown key";
      want = check.oneOfText keys;
      fix = "the key is called ${otherNames.${key}} here";
    }) others
    ++ check.noUnknown {
      inherit at;
      known = keys;
    } (removeAttrs entry others);

  hostKeys = [
    "toolkit"
    "torch"
  ];

  toolkitProblems =
    at: backend: toolkit:
    let
      known = if toolkit' == null || toolkit'.versions == null then [ ] else attrNames toolkit'.versions;
      toolkit' = backends.${backend}.toolkit;
    in
    if toolkit' == null then
      if toolkit == null then
        [ ]
      else
        [
          {
            inherit at;
            found = check.show toolkit;
            want = "no toolkit: the ${backend} backend has none";
            fix = "delete the key";
          }
        ]
    else if known == [ ] || !types.version.isValid toolkit then
      types.version.problems { inherit at; } toolkit
    else
      check.oneOf {
        inherit at;
        allowed = known;
      } toolkit;

  systemsProblems =
    at: backend: systems:
    let
      ofType = types.strings.problems { inherit at; } systems;
      ofSystem =
        at:
        check.oneOf {
          inherit at;
          allowed = backends.${backend}.systems;
        };
    in
    if ofType != [ ] then ofType else check.each { inherit at; } ofSystem systems;

  hostsProblems =
    at: hosts:
    if isAttrs hosts then
      check.noUnknown {
        inherit at;
        known = hostKeys;
      } hosts
      ++ concatMap (key: types.string.problems { at = "${at}.${key}"; } hosts.${key}) (
        filter (key: hosts ? ${key}) hostKeys
      )
    else
      [
        {
          inherit at;
          found = check.show hosts;
          want = "a set with torch and toolkit";
          fix = "write { torch = \"registry\"; toolkit = \"registry\"; }";
        }
      ];
in
{
  /**
    What is wrong with an entry of the matrix.

    # Type

    ```
    problems :: { at :: String; } -> Entry -> [Problem]
    ```
  */
  problems =
    { at }:
    entry:
    let
      backend = entry.backend or null;
    in
    if !isAttrs entry then
      [
        {
          inherit at;
          found = "a ${typeOf entry}";
          want = "a set such as { torch = \"2.13.0\"; backend = \"cpu\"; systems = [ \"x86_64-linux\" ]; }";
          fix = "return entries like those of `defaults`";
        }
      ]
    else
      keyProblems at entry
      ++ types.version.problems { at = "${at}.torch"; } (entry.torch or null)
      ++ check.oneOf {
        at = "${at}.backend";
        allowed = schema.backends;
      } backend
      ++ (
        if elem backend schema.backends then
          toolkitProblems "${at}.toolkit" backend (entry.toolkit or null)
          ++ systemsProblems "${at}.systems" backend (entry.systems or null)
        else
          [ ]
      )
      ++ (
        if isBool (entry.bundle or true) then
          [ ]
        else
          types.bool.problems { at = "${at}.bundle"; } entry.bundle
      )
      ++ hostsProblems "${at}.hosts" (entry.hosts or { });

  /**
    An entry without problems, with the keys that it left out.

    # Type

    ```
    complete :: Entry -> Entry
    ```
  */
  complete =
    entry:
    {
      toolkit = null;
      bundle = true;
    }
    // entry
    // {
      hosts = {
        torch = "download.pytorch.org";
        toolkit = backends.${entry.backend}.host;
      }
      // (entry.hosts or { });
    };
}
