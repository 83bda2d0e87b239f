# CUDA capabilities: their spelling, their order, and the devices that run code for them.
#
# Code for "9.0" runs on devices of the same major version and the same or a newer minor version, code for "10.0f" on
# devices of its family, and code for "9.0a" on that device alone. With "+PTX", the driver can compile it for newer
# devices.
values:
let
  inherit (builtins)
    compareVersions
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    head
    isFloat
    isInt
    isList
    isString
    length
    match
    sort
    split
    toJSON
    ;

  parse = import ./capability.nix;
  readOptions = import ./options.nix;

  # Embedded devices such as Orin share no code with other devices of their major version. Source:
  # DEVICE_REQUIREMENT in torch/cuda/__init__.py, which follows NVIDIA's notes on binary compatibility.
  embedded = [ "5.3" "6.2" "7.2" "8.7" "10.1" ];

  # The rank of a target's code for a device: the driver takes the highest. Null if the device cannot load the code.
  rankCode =
    device:
    { major, number, suffix, hasPtx, ... }:
    let
      isOlder = compareVersions number device < 0;
      isSameMajor = major == (parse device).major;
      runsOn = number == device || isOlder && isSameMajor && !(elem device embedded || elem number embedded);
    in
    if suffix == "a" then
      (if number == device then 3 else null)
    else if suffix == "f" then
      (if runsOn then 2 else null)
    else if runsOn then
      1
    else if hasPtx && isOlder then
      0
    else
      null;

  # "9.0" is redundant beside "9.0+PTX".
  withoutRepeats = list: filter (name: !elem "${name}+PTX" list) (values.lists.unique list);

  isBefore =
    a: b:
    let
      order = compareVersions (parse a).number (parse b).number;
    in
    order < 0 || (order == 0 && a < b);

  # The targets in words such as "sm_90a", which is code for a device, and "compute_90", which is PTX.
  readCodes =
    text:
    map (parts: "${elemAt parts 1}.${elemAt parts 2}${elemAt parts 3}${if head parts == "compute" then "+PTX" else ""}") (
      filter isList (split "(sm|lto|compute)_([0-9]+)([0-9])([af]?)" text)
    );
  withPtx = target: "${self.compiledAs target}+PTX";

  # The targets that nvcc chooses for `-arch=all` and `-arch=all-major`, and PTX of the newest major version.
  chosenFor = {
    all = plain: plain;
    all-major = plain: [ (head plain) ] ++ filter (target: builtins.match ".*[.]0" target != null) plain;
  };
  chooseAll =
    word: supported:
    let
      plain = filter (target: (parse target).suffix == "") supported;
      newest = parse (elemAt plain (length plain - 1));
    in
    chosenFor.${word} plain ++ [ "${newest.major}.0+PTX" ];

  self = {
    flagsKey = "cuda-flags";
    listMisspelt = import ./misspelt.nix;
    pattern = "[0-9]+\\.[0-9][af]?(\\+PTX)?";
    form = "a capability such as \"9.0\", \"9.0a\", \"10.0f\" or \"12.0+PTX\"";

    # The capability that another spelling means: 9.0, "9,0", "90a", "sm_90", "compute_120".
    correct =
      target:
      let
        text = if isString target then target else if isInt target || isFloat target then toJSON target else "";
        name = "(sm|SM|compute)?[-_]?";
        dotted = match "${name}(1?[0-9])([.,]([0-9])[0-9]*)?([af]?)([+]PTX)?" text;
        digits = match "${name}([0-9]+)([0-9])([af]?)([+]PTX)?" text;
        part = parts: index: if elemAt parts index == null then "" else elemAt parts index;
        write = parts: minor: "${elemAt parts 1}.${minor}${part parts (length parts - 2)}${part parts (length parts - 1)}";
      in
      if dotted != null then
        write dotted (if elemAt dotted 3 == null then "0" else elemAt dotted 3)
      else if digits != null then
        write digits (elemAt digits 2)
      else
        null;

    inOrder = list: sort isBefore (withoutRepeats list);

    # The device in a target's name: "9.0" for "9.0", "9.0a" and "9.0+PTX".
    deviceOf = target: (parse target).number;

    # A compiler that supports "9.0a" also compiles "9.0a+PTX".
    compiledAs = builtins.replaceStrings [ "+PTX" ] [ "" ];

    # `-arch=sm_90` means code and PTX for 9.0, unless `-code` names both. nvcc compiles `code=sm_86` from the PTX of
    # `arch`; here it is the target 8.6. `native` is a GPU of the machine that compiles, and builds have none.
    readFlags =
      flags:
      let
        options = filter (option: option.effect == "targets") (readOptions flags);
        codes = concatMap (option: readCodes (concatStringsSep "," option.values)) (
          filter (option: option.option == "--gpu-code") options
        );
        withoutArch = text: concatStringsSep "" (filter isString (split "arch=[^,]*" text));
        read =
          { option, values, words, ... }:
          let
            value = concatStringsSep "," values;
            isChosen = option == "--gpu-architecture" && chosenFor ? ${value};
            targets =
              if option == "--generate-code" then
                readCodes (withoutArch value)
              else if option == "--gpu-code" || codes != [ ] then
                codes
              else
                map withPtx (readCodes value);
          in
          {
            text = concatStringsSep " " words;
            targets = if isChosen then null else withoutRepeats targets;
            select = if isChosen then chooseAll value else _: targets;
          };
      in
      map read options;

    # The target whose code the device runs if it can choose from code for all targets in `list`; null if it can run
    # none of them.
    bestFor =
      device: list:
      let
        rank = target: rankCode device (parse target);
        isBetter = a: b: rank a > rank b || (rank a == rank b && isBefore b a);
        loadable = sort isBetter (filter (target: rank target != null) list);
      in
      if loadable == [ ] then null else builtins.head loadable;
  };
in
self
