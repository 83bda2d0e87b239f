# A Torch wheel that a row of `torchVersions` names itself: a nightly, a vendor's build, an internal one.
#
# `wheel` is `{ file = ./torch-….whl; }`, a file of the flake, or `{ file = "torch-….whl"; url; hash; }`. The name of
# the file states the version, backend and platform of the wheel, so it has to agree with the row.
{
  values,
  messages,
  tables,
  backends,
  matrix,
  ...
}:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    elemAt
    filter
    foldl'
    head
    isAttrs
    isString
    length
    match
    pathExists
    readDir
    toJSON
    typeOf
    ;
  inherit (values) versions;
  inherit (values.lists) optionals;
  inherit (messages.check) checkPattern showValue;
  inherit (tables.reader) checkSection declareSection;
  inherit (matrix.names) nameCompute;

  # Name, version with its local part, build number, and the tags of a CPython, its ABI and the platform.
  pattern = "torch-(([0-9]+[.][0-9]+([.][0-9]+)?)[a-z0-9.]*([+]([A-Za-z0-9._]+))?)(-[0-9][a-z0-9_]*)?-cp3[0-9]+-(cp3[0-9]+|abi3|none)-([a-z0-9_.]+)[.]whl";

  # The platform tags of wheels for each system.
  platforms = {
    aarch64-darwin = ".*macosx_[0-9]+_[0-9]+_(arm64|universal2)";
    aarch64-linux = "(.*[.])?(many)?linux[0-9_]*_aarch64";
    x86_64-linux = "(.*[.])?(many)?linux[0-9_]*_x86_64";
  };

  fetched = declareSection {
    meaning = "A Torch wheel at an address.";
    keys = {
      file = {
        type = "string";
        required = true;
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
  # A wheel without an address is a file of the flake, which pins it. `fileProblems` checks `file`.
  ofFlake = declareSection {
    meaning = "A Torch wheel in the kernel's folder.";
    keys = { };
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
    else
      optionals (!isFileOfFlake file) [
        {
          inherit at;
          found = "${toJSON (baseNameOf file)}, which is no file there";
          want = "a wheel in the kernel's folder, and no link";
          fix = "copy it there and `git add` it: a flake has only files that git knows";
        }
      ];

  formProblems =
    at: wheel:
    let
      isFetched = wheel ? url || wheel ? hash;
    in
    checkSection {
      inherit at;
      section = if isFetched then fetched else ofFlake;
      parts = optionals (!isFetched) (attrNames fetched.keys);
      wanted = "a set such as { file = ${example}; }";
      begin = "write file, or file, url and hash";
      place = at;
    } wheel
    ++ optionals (isAttrs wheel && !isFetched) (fileProblems "${at}.file" (wheel.file or null));

  nameOf = file: if isString file then file else baseNameOf file;

  parseFileName =
    file:
    let
      parts = match pattern (nameOf file);
    in
    {
      file = nameOf file;
      version = elemAt parts 0;
      release = elemAt parts 1;
      localPart = elemAt parts 4;
      platform = elemAt parts 7;
    };

  # The backends that a local version names, spelled as in Torch's own wheels: "cu130", "rocm7.1", "cpu", "xpu".
  findNamed =
    localPart:
    filter (found: found.number != null) (
      map (backend: {
        inherit backend;
        number = match "${backend.compute}(([0-9]+[.]?)*)([._].*)?" localPart;
      }) (attrValues backends.all)
    );

  isOfRow =
    row: named:
    let
      number = head named.number;
      hasDots = match ".*[.].*" number != null;
      isToolkit =
        if hasDots then
          versions.majorMinor number == versions.majorMinor row.toolkit
        else
          number == versions.flat row.toolkit;
    in
    named.backend.name == row.backend && (number == "" || row.toolkit != null && isToolkit);

  # Contradictions between a well-formed file name and a row without other problems.
  rowProblems =
    at: row: wheel:
    let
      parsed = parseFileName wheel.file;
      compute = nameCompute { inherit (row) backend toolkit; };
      named = findNamed parsed.localPart;
      system = head row.systems;
      problem = want: {
        at = "${at}.file";
        found = toJSON parsed.file;
        inherit want;
        fix = "correct the row, or name the wheel of this build";
      };
      agrees = versions.atLeast row.torch parsed.release && versions.atMost row.torch parsed.release;
    in
    optionals (length row.systems != 1) [
      {
        inherit at;
        found = "a wheel for ${showValue row.systems}";
        want = "a row of one system: a wheel is for one";
        fix = "write a row for each system, with its wheel";
      }
    ]
    ++ optionals (!agrees) [ (problem "a wheel of Torch ${row.torch}") ]
    ++ optionals (parsed.localPart != null && named != [ ] && !any (isOfRow row) named) [
      (problem "a wheel for ${compute}")
    ]
    ++ optionals (length row.systems == 1 && match platforms.${system} parsed.platform == null) [
      (problem "a wheel for ${system}")
    ];

  self = {
    /**
      Return the problems of a row's `wheel`. `row` is null if the row itself has problems: then only the
      form of the wheel is checked.

      Type: checkWheel :: { at :: String; row :: Row | Null; } -> a -> [Problem]
    */
    checkWheel =
      { at, row }:
      wheel:
      let
        problemsOfForm = formProblems at wheel;
        problemsOfName = checkPattern {
          at = "${at}.file";
          inherit pattern;
          want = "the name of a wheel of Torch: torch-VERSION-cp3N-ABI-PLATFORM.whl";
          fix = "keep the name that the wheel was published under";
        } (nameOf wheel.file);
      in
      if problemsOfForm != [ ] then
        problemsOfForm
      else if problemsOfName != [ ] || row == null then
        problemsOfName
      else
        rowProblems at row wheel;

    /**
      The build of Torch, the hosts and the pin of the wheel that a row names.

      # Example

      ```nix
      readWheel {
        torch = "2.16.0"; backend = "cpu";
        wheel.file = ./torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl; …
      }
      => { build = "2.16.0.dev20261101+cpu"; hosts = [ ]; pin = { … }; }
      ```

      Type: readWheel :: Row -> { build :: String; hosts :: [String]; pin :: AttrSet; }
    */
    readWheel =
      { wheel, ... }@row:
      let
        parsed = parseFileName wheel.file;
        compute = nameCompute { inherit (row) backend toolkit; };
        # Wheels for several backends may have the same version, so the build's name gets the compute platform.
        suffix =
          if parsed.localPart == null then
            "+${compute}"
          else if any (isOfRow row) (findNamed parsed.localPart) then
            ""
          else
            ".${compute}";
      in
      {
        build = parsed.version + suffix;
        hosts = optionals (wheel ? url) (match "https://([^/]+)/.*" wheel.url);
        pin = {
          inherit (parsed) file version;
        }
        // (if wheel ? url then { inherit (wheel) url hash; } else { path = wheel.file; });
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
        let
          wheel = self.readWheel row;
        in
        pins
        // {
          ${wheel.build} = pins.${wheel.build} or { } // { ${head row.systems} = wheel.pin; };
        }
      ) { } (filter (row: row ? wheel) rows);
  };
in
self
