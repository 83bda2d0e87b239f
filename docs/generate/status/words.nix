# The words for how far a row was tested, the strongest first. `obstacle` is the reason why the pinned versions
# cannot have been tested so far, or null; `made` are the versions that a test at this word depends on.
let
  inherit (builtins)
    attrValues
    elem
    filter
    head
    ;

  firstReason =
    reasons:
    let
      found = filter (reason: reason != null) reasons;
    in
    if found == [ ] then null else head found;

  unless = isTrue: reason: if isTrue then null else reason;

  compileObstacle =
    unreached: row:
    let
      missing = filter (host: elem host unreached) (attrValues row.hosts);
    in
    firstReason [
      row.unbuilt
      (unless row.isCompiled "its kernels have no compiled code")
      (unless (missing == [ ]) "${head missing} was never reached")
    ];

  compilers = [
    "gcc"
    "toolkit"
  ];
in
[
  {
    name = "run on a GPU";
    meaning = "the variant's own tests passed on a device that it is built for";
    obstacle =
      unreached: row:
      firstReason [
        (compileObstacle unreached row)
        (unless (!row.isEverywhere) "it is for the processor")
      ];
    made = compilers;
  }
  {
    name = "run on a CPU";
    meaning = "the variant's own tests passed";
    obstacle =
      unreached: row:
      firstReason [
        (compileObstacle unreached row)
        (unless row.isEverywhere "it is for another device")
      ];
    made = compilers;
  }
  {
    name = "imported";
    meaning = "the variant passed all checks, and the public client loaded it without a device";
    obstacle =
      unreached: row:
      firstReason [
        (compileObstacle unreached row)
        row.importObstacle
      ];
    made = compilers ++ [ "python" ];
  }
  {
    name = "assembled";
    meaning = "a variant without compiled code was put together and its files were checked; it was not imported";
    obstacle = _: row: firstReason [
      row.unbuilt
      (unless (!row.isCompiled) "its kernels have compiled code")
    ];
    made = [ ];
  }
  {
    name = "linked";
    meaning = "the extension passed the ABI check";
    obstacle = compileObstacle;
    made = compilers;
  }
  {
    name = "compiled";
    meaning = "units were compiled to objects";
    obstacle = compileObstacle;
    made = compilers;
  }
  {
    name = "instantiated";
    meaning = "the derivations exist, down to the sources; nothing was built";
    obstacle = _: row: row.unbuilt;
    made = [ ];
  }
  {
    name = "evaluated";
    meaning = "the plan exists: units, command lines and link";
    obstacle = _: _: null;
    made = [ ];
  }
]
