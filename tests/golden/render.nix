# The plans of a kernel as text that a person can read and a diff can show: a line for each flag.
{ root, names }:
let
  lib = import ../../lib;
  inherit (builtins)
    concatMap
    concatStringsSep
    elem
    filter
    head
    length
    listToAttrs
    tail
    ;

  kernel = lib.plan.kernel.readKernel {
    inherit root;
    torchVersions = defaults: defaults;
    brought = [ ];
  };
  lines = concatStringsSep "\n";
  list =
    title: items:
    if length items < 2 then
      map (item: "  ${title}: ${item}") items
    else
      [ "  ${title}" ] ++ map (item: "    ${item}") (joinFolders items);

  # `-isystem FOLDER` is one line.
  joinFolders =
    items:
    let
      rest = tail items;
    in
    if items == [ ] then
      [ ]
    else if head items == "-isystem" then
      [ "-isystem ${head rest}" ] ++ joinFolders (tail rest)
    else
      [ (head items) ] ++ joinFolders rest;

  device =
    device:
    if device == null then
      [ ]
    else
      list "passes" (
        map (pass: "${pass.name}: ${concatStringsSep " " pass.flags}") device.passes
        ++ (if device.archList == "" then [ ] else [ "__CUDA_ARCH_LIST__=${device.archList}" ])
        ++ map (option: "packed with ${option}") device.packing
        ++ (if device.whole == null then [ ] else [ "in one go: ${device.whole}" ])
      )
      ++ list "host" (if device.host == null then [ ] else device.host.flags ++ device.host.compileFlags);

  unit =
    unit:
    [ "unit ${unit.source}" ]
    ++ list "of" [ unit.component ]
    ++ list "compiled as" [ unit.scope ]
    ++ list "by" ((if unit.translator == null then [ ] else [ unit.translator ]) ++ [ unit.compiler ])
    ++ list "tools" unit.tools
    ++ list "flags" unit.flags
    ++ list "name flags" unit.nameFlags
    ++ list "build flags" unit.buildFlags
    ++ list "beside" unit.headers
    ++ list "sees" unit.packages
    ++ list "embeds" unit.embeds
    ++ device unit.device;

  link =
    link:
    if link == null then
      [
        ""
        "no compiled code"
      ]
    else
      [
        ""
        "link"
      ]
      ++ (
        if link.device == null then
          [ ]
        else
          list "device code by" ([ link.device.program ] ++ link.device.flags)
      )
      ++ list "by" [ link.program ]
      ++ list "tools" link.tools
      ++ list "flags" link.flags
      ++ list "flags of a build" link.portable.flags
      ++ list "libraries of a build" link.portable.libraries
      ++ list "arguments" link.arguments
      ++ list "out of" link.packages
      ++ list "the name by" ([ link.name.program ] ++ link.name.flags)
      ++ list "flags of a build for the name" link.portable.nameFlags;

  plan =
    plan:
    lines (
      [ "variant ${plan.variant}" ]
      ++ concatMap (planned: [ "" ] ++ unit planned) plan.units
      ++ link plan.link
      ++ [ "" ]
    );

  warning = record: "  ${record.at}: ${record.found}; ${record.fix}";
  render =
    variant:
    plan variant.plan
    + (if variant.warnings == [ ] then "" else "\nwarnings\n${lines (map warning variant.warnings)}\n");
in
listToAttrs (
  map (variant: {
    inherit (variant) name;
    value = render variant;
  }) (filter (variant: elem variant.name names) kernel.variants)
)
