# A Torch wheel that a row of `torchVersions` names itself: a nightly, a vendor's build, an internal one.
#
# `wheel` is `{ build = "2.16.0.dev20261101+cpu"; file = ./torch-….whl; }`, a file of the flake, or
# `{ build; file = "torch-….whl"; url; hash; }`. `build` names the build of Torch in plans, metadata and stores.
{ values, messages, tables, ... }:
let
  inherit (builtins) filter foldl' isAttrs isList length match pathExists readDir toJSON typeOf;
  inherit (values.lists) optionals;
  inherit (messages.check) checkPattern showValue;
  inherit (tables.reader) checkSection declareSection;

  namePattern = "torch-([A-Za-z0-9._+]+)(-[0-9][a-z0-9_]*)?-cp3[0-9]+-(cp3[0-9]+|abi3|none)-[a-z0-9_.]+[.]whl";
  build = {
    type = "string";
    required = true;
    pattern = "[0-9]+[.][0-9]+[a-z0-9.]*[+][A-Za-z0-9._]+";
    form = "a version with the toolkit, such as \"2.16.0.dev20261101+cu130\"";
    meaning = "The wheel's build of Torch.";
  };
  # A wheel without an address is a file of the flake, which pins it. `fileProblems` checks `file`.
  ofFlake = declareSection {
    meaning = "A Torch wheel in the kernel's folder.";
    keys = { inherit build; };
  };
  fetched = declareSection {
    meaning = "A Torch wheel at an address.";
    keys = {
      inherit build;
      file = {
        type = "string";
        required = true;
        pattern = namePattern;
        form = "the name of a wheel of Torch: torch-VERSION-cp3N-ABI-PLATFORM.whl";
        meaning = "Name of the wheel.";
      };
      # A login or a query would be in the store, which every user of the machine can read.
      url = {
        type = "string";
        required = true;
        pattern = "https://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]+)?/[A-Za-z0-9._~%+/@:,=-]*";
        form = "an https address without login and query";
        meaning = "Address of the wheel.";
      };
      hash = {
        type = "string";
        required = true;
        pattern = "sha256-[A-Za-z0-9+/]{43}=";
        form = "a hash such as \"sha256-…=\", as `nix hash file` and `nix store prefetch-file` print it";
        meaning = "Hash of the wheel.";
      };
    };
  };

  isFileOfFlake =
    path: pathExists (dirOf path) && (readDir (dirOf path)).${baseNameOf path} or null == "regular";

  example = "./torch-2.16.0-cp311-cp311-linux_x86_64.whl";

  fileProblems =
    at: file:
    if typeOf file != "path" then
      [
        {
          inherit at;
          found = showValue file;
          want = "a path such as ${example}";
          fix = "write it without quotes, or add url and hash";
        }
      ]
    else if !isFileOfFlake file then
      [
        {
          inherit at;
          found = "${toJSON (baseNameOf file)}, which is no file there";
          want = "a wheel in the kernel's folder, and no link";
          fix = "copy it there and `git add` it: a flake has only files that git knows";
        }
      ]
    else
      checkPattern {
        inherit at;
        pattern = namePattern;
        want = fetched.keys.file.form;
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
        problems = checkSection {
          inherit at;
          section = if isFetched then fetched else ofFlake;
          parts = optionals (!isFetched) [ "file" "hash" "url" ];
          wanted = "a set such as { build = \"2.16.0+cu130\"; file = ${example}; }";
          begin = "write build and file, or build, file, url and hash";
          place = at;
        } wheel;
        addFix =
          problem:
          if problem.at == "${at}.build" && !wheel ? build then
            problem
            // { want = build.form; fix = "add build: the version in the wheel's name, and the toolkit after a +"; }
          else
            problem;
      in
      map addFix problems
      ++ optionals (isAttrs wheel && !isFetched) (fileProblems "${at}.file" (wheel.file or null))
      ++ optionals (isList systems && length systems != 1) [
        {
          inherit at;
          found = "a wheel for ${showValue systems}";
          want = "a row of one system: a wheel is for one";
          fix = "write a row for each system, with its wheel";
        }
      ];

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
