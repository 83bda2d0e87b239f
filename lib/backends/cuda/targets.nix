# CUDA capabilities: how they are written, their order, and which devices run code for them. Nothing
# else in the library looks into one, but for the flags of nvcc (passes.nix).
#
# "9.0" runs on devices of the same major and the same or a newer minor, "10.0f" on those of its
# family, "9.0a" on that device alone. With "+PTX", the driver compiles it for newer devices as well.
let
  inherit (builtins)
    attrNames
    compareVersions
    elem
    elemAt
    filter
    head
    listToAttrs
    match
    sort
    ;

  parse =
    target:
    let
      parts = match "([0-9]+)\\.([0-9])([af]?)(\\+PTX)?" target;
    in
    {
      inherit target;
      major = elemAt parts 0;
      number = "${elemAt parts 0}.${elemAt parts 1}";
      suffix = elemAt parts 2;
      hasPtx = elemAt parts 3 != null;
    };

  # Orin and its like: neither runs code for other devices of its major, nor they its code. The list is that
  # of torch/cuda/__init__.py (DEVICE_REQUIREMENT), after NVIDIA's notes on binary compatibility.
  embedded = [
    "5.3"
    "6.2"
    "7.2"
    "8.7"
    "10.1"
  ];

  # How well code for a target suits a device: the driver takes the best; null for code that the device
  # cannot load.
  suits =
    device:
    {
      major,
      number,
      suffix,
      hasPtx,
      ...
    }:
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
      order = compareVersions (parse a).number (parse b).number;
    in
    order < 0 || (order == 0 && a < b);

  self = {
    pattern = "[0-9]+\\.[0-9][af]?(\\+PTX)?";
    form = "a capability such as \"9.0\", \"9.0a\", \"10.0f\" or \"12.0+PTX\"";

    inOrder = list: sort isBefore (withoutRepeats list);

    # The device that a target is named after: "9.0" for "9.0", "9.0a" and "9.0+PTX".
    deviceOf = target: (parse target).number;

    # "9.0a+PTX" is compiled by whoever compiles "9.0a".
    compiledAs = builtins.replaceStrings [ "+PTX" ] [ "" ];

    # Whether sources for this target can be compiled for others: those for "9.0a" use its own instructions.
    isPortable = target: (parse target).suffix == "";

    # The target of `list` whose code runs on a device that has all of them; null if the device runs none.
    bestFor =
      device: list:
      let
        rank = target: suits device (parse target);
        isBetter = a: b: rank a > rank b || (rank a == rank b && isBefore b a);
        loadable = sort isBetter (filter (target: rank target != null) list);
      in
      if loadable == [ ] then null else head loadable;
  };
in
self
