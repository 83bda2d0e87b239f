# A Torch wheel that a row of `torchVersions` names itself: a nightly, a vendor's build, an internal one.
#
# `wheel` is `{ build = "2.16.0.dev20261101+cpu"; file = ./torch-….whl; }`, a file of the flake, or
# `{ build; file = "torch-….whl"; url; hash; }`. `build` names the build of Torch in plans, metadata and stores.
{ values, messages, tables, ... }:
let
  inherit (builtins) filter foldl' fromJSON isAttrs isList length mapAttrs match pathExists readDir readFile typeOf;
  inherit (values.lists) optional optionals;
  inherit (messages.check) checkPattern showValue;
  inherit (tables.reader) checkSection declareSection;

  problems = messages.catalogue.readCatalogue ./wheel-problems.json;

  # A wheel without an address is a file of the flake, which pins it: `fileProblems` checks `file`. The address of
  # another has neither a login nor a query. They would be in the store, which every user of the machine can read.
  table = fromJSON (readFile ./wheel-keys.json);
  sections = mapAttrs (_: declareSection) table.sections;
  inherit (sections.fetched) keys;

  isFileOfFlake =
    path: pathExists (dirOf path) && (readDir (dirOf path)).${baseNameOf path} or null == "regular";

  fileProblems =
    at: file:
    if typeOf file != "path" then
      [ (problems.no-path { inherit at; value = showValue file; }) ]
    else if !isFileOfFlake file then
      [ (problems.no-file { inherit at; name = baseNameOf file; }) ]
    else
      checkPattern {
        inherit at;
        inherit (keys.file) pattern;
        want = keys.file.form;
        fix = "keep the name that the wheel was published under";
      } (baseNameOf file);

  self = {
    /**
      Return the problems of a row's `wheel`. `systems` are the row's.

      Type: checkWheel :: { at :: String; systems :: a; } -> a -> [Problem]
    */
    checkWheel =
      { at, systems }:
      wheel:
      let
        isFetched = wheel ? url || wheel ? hash;
        ofKeys = checkSection {
          inherit at;
          section = if isFetched then sections.fetched else sections.ofFlake;
          parts = optionals (!isFetched) [ "file" "hash" "url" ];
          inherit (table) wanted begin;
          place = at;
        } wheel;
        addFix =
          problem:
          if problem.at == "${at}.build" && !wheel ? build then
            problems.no-build { inherit (problem) at; }
          else
            problem;
      in
      map addFix ofKeys
      ++ optionals (isAttrs wheel && !isFetched) (fileProblems "${at}.file" (wheel.file or null))
      ++ optional (isList systems && length systems != 1) (
        problems.several-systems { inherit at; systems = showValue systems; }
      );

    /**
      The build of Torch, the hosts and the pin of the wheel that a row names.

      # Example

      ```nix
      readWheel { build = "2.16.0.dev20261101+cpu"; file = ./torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl; }
      => { build = "2.16.0.dev20261101+cpu"; hosts = [ ]; pin = { … }; }
      ```

      Type: readWheel :: Wheel -> { build :: String; hosts :: [String]; pin :: AttrSet; }
    */
    readWheel = wheel: {
      inherit (wheel) build;
      hosts = optionals (wheel ? url) (match "https://([^/]+)/.*" wheel.url);
      pin =
        if wheel ? url then
          { inherit (wheel) file url hash; }
        else
          { file = baseNameOf wheel.file; path = wheel.file; };
    };

    /**
      The pins of all wheels that rows name, in the form of lib/matrix/torch-pins.json. A pin has `path`, or
      `url` and `hash`.

      Type: makeWheels :: [Row] -> { ${build} :: { ${system} :: AttrSet; }; }
    */
    makeWheels =
      rows:
      foldl' (
        pins: row:
        pins
        // {
          ${row.wheel.build} = pins.${row.wheel.build} or { } // { ${row.system} = row.wheel.pin; };
        }
      ) { } (filter (row: row ? wheel) rows);
  };
in
self
