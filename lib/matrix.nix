# The builds of Torch that kernels are built for, as data (matrix.json), and the
# check of what a user's `torchVersions` function makes of them.
#
# An entry is `{ torch; backend; toolkit; systems; bundle; hosts; }`: one build
# of Torch and the systems that it exists for. `hosts` says where Torch and the
# toolkit come from: "registry" for what package registries carry, else a host.
{
  capabilities,
  check,
  schema,
  types,
  variants,
  ...
}:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    elem
    elemAt
    filter
    foldl'
    fromJSON
    genList
    hasAttr
    isAttrs
    isBool
    isFunction
    isList
    length
    readFile
    toJSON
    typeOf
    ;

  systemsOf = {
    cpu = [
      "aarch64-darwin"
      "aarch64-linux"
      "x86_64-linux"
    ];
    cuda = [
      "aarch64-linux"
      "x86_64-linux"
    ];
    metal = [ "aarch64-darwin" ];
    rocm = [ "x86_64-linux" ];
    xpu = [ "x86_64-linux" ];
  };

  # Where an entry that a user adds gets its toolkit from.
  toolkitHosts = {
    cpu = "registry";
    cuda = "developer.download.nvidia.com";
    metal = "developer.apple.com";
    rocm = "repo.radeon.com";
    xpu = "yum.repos.intel.com";
  };

  keys = [
    "backend"
    "bundle"
    "hosts"
    "systems"
    "toolkit"
    "torch"
  ];

  hasToolkit =
    backend:
    elem backend [
      "cuda"
      "rocm"
      "xpu"
    ];

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
        toolkit = toolkitHosts.${entry.backend};
      }
      // (entry.hosts or { });
    };

  want = what: problem: if what then [ ] else [ problem ];

  toolkitProblems =
    at: entry:
    let
      toolkit = entry.toolkit or null;
      known = attrNames (capabilities.compilers.${entry.backend} or { });
    in
    if !hasToolkit entry.backend then
      want (toolkit == null) {
        inherit at;
        found = toJSON toolkit;
        want = "no toolkit for the ${entry.backend} backend";
        fix = "delete the key";
      }
    else if !types.version.isValid toolkit then
      types.version.problems { inherit at; } toolkit
    else if known != [ ] then
      check.oneOf {
        inherit at;
        allowed = known;
      } toolkit
    else
      [ ];

  systemsProblems =
    at: entry:
    let
      problems = types.strings.problems { inherit at; } (entry.systems or null);
    in
    if problems != [ ] then
      problems
    else
      check.each { inherit at; } (
        at:
        check.oneOf {
          inherit at;
          allowed = systemsOf.${entry.backend};
        }
      ) entry.systems;

  hostsProblems =
    at: hosts:
    if isAttrs hosts then
      check.noUnknown {
        inherit at;
        known = [
          "toolkit"
          "torch"
        ];
      } hosts
      ++ concatMap (key: types.string.problems { at = "${at}.${key}"; } hosts.${key}) (
        filter (key: hosts ? ${key}) [
          "toolkit"
          "torch"
        ]
      )
    else
      want false {
        inherit at;
        found = toJSON hosts;
        want = "a set with torch and toolkit";
        fix = "write { torch = \"registry\"; toolkit = \"registry\"; }";
      };

  entryProblems =
    at: entry:
    if !isAttrs entry then
      want false {
        inherit at;
        found = "a ${typeOf entry}";
        want = "a set such as { torch = \"2.13.0\"; backend = \"cpu\"; systems = [ \"x86_64-linux\" ]; }";
        fix = "return entries like those of `defaults`";
      }
    else
      check.noUnknown {
        inherit at;
        known = keys;
      } entry
      ++ types.version.problems { at = "${at}.torch"; } (entry.torch or null)
      ++ check.oneOf {
        at = "${at}.backend";
        allowed = schema.backends;
      } (entry.backend or null)
      ++ (
        if !elem (entry.backend or null) schema.backends then
          [ ]
        else
          toolkitProblems "${at}.toolkit" entry ++ systemsProblems "${at}.systems" entry
      )
      ++ want (isBool (entry.bundle or true)) {
        at = "${at}.bundle";
        found = toJSON entry.bundle;
        want = "true or false";
        fix = "write true or false";
      }
      ++ hostsProblems "${at}.hosts" (entry.hosts or { });

  # Two entries that give one variant name on one system.
  repeatProblems =
    entries:
    let
      places = concatMap (
        index:
        let
          entry = elemAt entries index;
        in
        map (system: {
          at = "torchVersions[${toString index}]";
          name = variants.nameOf {
            inherit system;
            inherit (entry) backend torch toolkit;
          };
        }) entry.systems
      ) (genList (index: index) (length entries));
      step =
        state: place:
        {
          seen = {
            ${place.name} = place.at;
          }
          // state.seen;
          problems =
            state.problems
            ++ want (!hasAttr place.name state.seen) {
              inherit (place) at;
              found = "${toJSON place.name}, which ${state.seen.${place.name}} gives already";
              want = "every variant once";
              fix = "delete one of the two entries, or change its systems";
            };
        };
    in
    (foldl' step {
      seen = { };
      problems = [ ];
    } places).problems;

  self = {
    /** All builds that this version of kernel-builder knows. */
    default = fromJSON (readFile ./matrix.json);

    /** The builds whose Torch and toolkit both come from package registries. */
    fromRegistries = filter (
      entry: builtins.all (host: host == "registry") (attrValues entry.hosts)
    ) self.default;

    /**
      What is wrong with a list of entries.

      # Type

      ```
      problems :: [Entry] -> [Problem]
      ```
    */
    problems =
      entries:
      if !isList entries then
        want false {
          at = "torchVersions";
          found = "a ${typeOf entries}";
          want = "a list of entries like those of `defaults`";
          fix = "return a list";
        }
      else
        let
          each = check.each { at = "torchVersions"; } entryProblems entries;
        in
        if each != [ ] then
          each
        else if entries == [ ] then
          want false {
            at = "torchVersions";
            found = "an empty list";
            want = "at least one entry";
            fix = "return some of `defaults`, or leave torchVersions out";
          }
        else
          repeatProblems (map complete entries);

    /**
      The matrix that a kernel is built for: the user's function applied to the
      default one, checked, and completed where keys were left out.

      # Example

      ```nix
      fromUser { torchVersions = defaults: builtins.filter (entry: entry.backend == "cpu") defaults; }
      => [ { torch = "2.9.0"; backend = "cpu"; … } … ]
      ```

      # Type

      ```
      fromUser :: { torchVersions :: ([Entry] -> [Entry]); } -> [Entry]
      ```
    */
    fromUser =
      { torchVersions }:
      let
        result = if isFunction torchVersions then torchVersions self.default else torchVersions;
      in
      check.orThrow "torchVersions cannot be used" (self.problems result) (map complete result);
  };
in
self
